import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Problem, problemOf } from '../base/problems.ts';
import { signIn } from '../base/session.ts';
import { useTitle } from '../base/title.ts';
import type { Session } from '../base/types.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { Mark } from './mark.tsx';

interface SignInProps {
  onSignIn: (session: Session) => void;
}

function useKeyForm({ onSignIn }: SignInProps) {
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const [isSending, setSending] = useState(false);
  const submit = async () => {
    setSending(true);
    try {
      const session = await signIn(key.trim());
      setKey('');
      onSignIn(session);
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setSending(false);
    }
  };
  const isWrong = problem?.status === 401;
  const field = (
    <>
      <Field label="API key" error={isWrong ? problem.message : undefined}>
        {(attributes) => (
          <input
            {...attributes}
            class="input input-code"
            type="password"
            autoComplete="off"
            spellcheck={false}
            data-first
            value={key}
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
          />
        )}
      </Field>
      {problem && !isWrong && <ProblemNote problem={problem} />}
    </>
  );
  const why = isSending ? 'Checking …' : key ? undefined : 'Enter a key';
  return { field, submit, why };
}

export const SignInFrame = ({ children }: { children: ComponentChildren }) => (
  <>
    <header class="frame">
      <Mark />
    </header>
    <main class="door">{children}</main>
  </>
);

export function SignIn({ onSignIn }: SignInProps) {
  const { field, submit, why } = useKeyForm({ onSignIn });
  useTitle('Sign in');
  // The focused element was removed with the previous page.
  useEffect(() => document.querySelector<HTMLElement>('[data-first]')?.focus(), []);
  return (
    <SignInFrame>
      <form
        class="door-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <h1 class="door-title">Sign in with an API key</h1>
        {field}
        <Button look="primary" type="submit" why={why}>
          Sign in
        </Button>
        <p class="quiet">
          We don't store the key. You stay signed in on this browser for 12 hours, or until the key
          is revoked.
        </p>
      </form>
    </SignInFrame>
  );
}

/** The sign-in dialog after a session ended. Drafts are kept. */
export function SignInAgain({ onSignIn, onClose }: SignInProps & { onClose: () => void }) {
  const { field, submit, why } = useKeyForm({ onSignIn });
  return (
    <Sheet
      title="Sign in again"
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button look="primary" type="submit" why={why}>
            Sign in
          </Button>
        </>
      }
    >
      <p class="says">Your session has ended. Your input is kept for the same key.</p>
      {field}
    </Sheet>
  );
}
