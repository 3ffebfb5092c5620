import { useEffect, useState } from 'preact/hooks';
import { asCurl, type Call, warningsOf } from '../../base/api.ts';
import { isPassing, type Problem } from '../../base/problems.ts';
import { placeOfProperty } from '../../base/words.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Note } from '../../ui/note.tsx';
import type { Checked } from './check.ts';

/** Displays a request as a curl command. */
export const AsRequest = ({ request }: { request: Call }) => (
  <details>
    <summary class="as-request-title">As a request</summary>
    <div class="as-request-body">
      <Code text={asCurl(request)} />
      <Copy text={asCurl(request)} label="Copy request" />
    </div>
  </details>
);

interface CheckedLineProps {
  checked: Checked;
  isLost: boolean;
  waiting?: string;
  why?: string;
}

/** Displays the result of the dry run. */
export function CheckedLine({ checked, isLost, waiting, why }: CheckedLineProps) {
  return (
    <p class="checked" role="status">
      {checked.is === 'waiting' && waiting}
      {checked.is === 'asking' && 'Checking …'}
      {checked.is === 'accepted' &&
        (why ?? (
          <>
            <Icon name="check" /> Ready to save
          </>
        ))}
      {checked.is === 'refused' && (
        <>
          <Icon name="alert" /> {isLost ? 'May have been saved' : 'Not saved'}
        </>
      )}
    </p>
  );
}

function useCountdown(problem: Problem | undefined): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    setLeft(problem?.retryAfter ?? 0);
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000);
    return () => clearInterval(timer);
  }, [problem]);
  return left;
}

interface SendButtonsProps {
  checked: Checked;
  isStoring: boolean;
  label: string;
  look?: 'primary' | 'danger';
  byKeys?: boolean;
  why?: string;
  onClose: () => void;
  again: () => void;
  cancel?: string;
}

const whyWaits: Record<Checked['is'], string | undefined> = {
  waiting: 'Fill in the required fields',
  asking: 'Checking …',
  accepted: undefined,
  refused: 'Fix the errors first',
};

/** The buttons of a change. Saving waits for the dry run. */
export function SendButtons(props: SendButtonsProps) {
  const { checked, isStoring, label, look = 'primary', onClose, again } = props;
  const left = useCountdown(checked.problem);
  const why = isStoring ? 'Saving …' : (whyWaits[checked.is] ?? props.why);
  return (
    <>
      <Button onClick={onClose}>{props.cancel ?? 'Cancel'}</Button>
      {!isStoring && checked.problem && isPassing(checked.problem) ? (
        <Button look="primary" onClick={again} why={left > 0 ? 'Too many requests' : undefined}>
          {left > 0 ? `Try again in ${left} s` : 'Try again'}
        </Button>
      ) : (
        <Button type="submit" look={look} why={why} byKeys={props.byKeys}>
          {isStoring ? 'Saving …' : label}
        </Button>
      )}
    </>
  );
}

/** Displays the warnings of a response, without duplicates. */
export const Warned = ({ checked, isMoved }: { checked: Checked; isMoved?: boolean }) => (
  <>
    {isMoved && (
      <Note look="warn" live>
        It has changed; this is the newest version.
      </Note>
    )}
    {checked.is === 'accepted' &&
      [
        ...new Set(
          warningsOf(checked.answer).map(
            ({ property, message }) => `${placeOfProperty(property)} ${message}`,
          ),
        ),
      ].map((words) => (
        <Note key={words} look="warn">
          {words}
        </Note>
      ))}
  </>
);
