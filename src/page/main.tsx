import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { LocationProvider } from 'preact-iso/router';
import { onLost, type Problem, problemOf } from './api.ts';
import { Pages } from './routes.tsx';
import { readSession, signOut } from './session.tsx';
import { Shell } from './shell.tsx';
import { SignIn, SignInAgain } from './sign_in.tsx';
import type { Session } from './types.ts';
import { Refusal } from './ui/problem.tsx';
import { announceChange, forgetAll } from './use.ts';

/** The page: the door, or what is behind it. */
function Page() {
  const [session, setSession] = useState<Session | null>();
  const [problem, setProblem] = useState<Problem>();
  const [isLost, setLost] = useState(false);
  const begin = () => {
    setProblem(undefined);
    readSession().then(setSession, (error) => setProblem(problemOf(error)));
  };
  useEffect(begin, []);
  useEffect(() => onLost(() => setLost(true)), []);
  if (session === undefined)
    return problem ? (
      <main class="door">
        <Refusal problem={problem} onAgain={begin} />
      </main>
    ) : null;
  if (session === null) return <SignIn onSignIn={setSession} />;
  const leave = () =>
    signOut().then(
      () => {
        forgetAll();
        setSession(null);
      },
      () => setSession(null),
    );
  const back = (next: Session) => {
    setSession(next);
    setLost(false);
    announceChange();
  };
  return (
    <LocationProvider>
      <Shell onSignOut={leave}>
        <Pages />
      </Shell>
      {isLost && <SignInAgain onSignIn={back} onClose={() => setLost(false)} />}
    </LocationProvider>
  );
}

const root = document.getElementById('page');
if (root) {
  root.textContent = '';
  document.documentElement.dataset.theme = localStorage.getItem('theme') ?? 'auto';
  render(<Page />, root);
}
