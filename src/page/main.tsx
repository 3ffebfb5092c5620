import { render } from 'preact';
import { useState } from 'preact/hooks';
import { sessions } from './base/api.ts';
import { blockBack, follow } from './base/location.ts';
import { type Problem, problemOf } from './base/problems.ts';
import { onOtherSession, readSession, signOut } from './base/session.ts';
import type { Session } from './base/types.ts';
import { announceChange, forgetUnseen, useEvent } from './base/use.ts';
import { hasEdits } from './entity/review/change_set.ts';
import { Routes } from './shell/routes.tsx';
import { Shell } from './shell/shell.tsx';
import { SignIn, SignInAgain, SignInFrame } from './shell/sign_in.tsx';
import { ProblemNote } from './ui/problem.tsx';
import { say } from './ui/toast.tsx';

interface PageProps {
  opened: Session | null;
  onOtherSession: () => void;
}

function Page({ opened, onOtherSession }: PageProps) {
  const [session, setSession] = useState(opened);
  const [isLost, setLost] = useState(false);
  useEvent(sessions, 'lost', () => setLost(true));
  const enter = (next: Session) => {
    if (session && next.id !== session.id) return onOtherSession();
    if (!session) forgetUnseen();
    setSession(next);
    setLost(false);
    announceChange();
  };
  if (session === null) return <SignIn onSignIn={enter} />;
  const leave = async () => {
    if (hasEdits() && !confirm('Sign out? Unsaved changes will be lost.')) return;
    try {
      await signOut();
      sessionStorage.clear(); // the drafts of this key
      setSession(null);
    } catch (error) {
      say(problemOf(error).message);
    }
  };
  return (
    <>
      <Shell onSignOut={leave}>
        <Routes />
      </Shell>
      {isLost && <SignInAgain onSignIn={enter} onClose={() => setLost(false)} />}
    </>
  );
}

const OpeningFailed = ({ problem, onAgain }: { problem: Problem; onAgain: () => void }) => (
  <SignInFrame>
    <h1 class="unseen">Console</h1>
    <ProblemNote problem={problem} onAgain={onAgain} />
  </SignInFrame>
);

async function open(root: HTMLElement): Promise<void> {
  const shown = await readSession().then(
    (session) => <Page opened={session} onOtherSession={() => open(root)} />,
    (error) => <OpeningFailed problem={problemOf(error)} onAgain={() => open(root)} />,
  );
  root.textContent = '';
  render(null, root);
  forgetUnseen();
  render(shown, root);
}

const root = document.getElementById('page');
if (root) {
  open(root);
  onOtherSession(() => open(root));
}
addEventListener('click', follow);
addEventListener('popstate', blockBack); // before the listeners that read the address
