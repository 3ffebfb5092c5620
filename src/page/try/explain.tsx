import { useState } from 'preact/hooks';
import type { Trace } from '../../evaluation/trace.ts';
import type { explainedKinds } from '../../explain/schema.ts';
import { type Answer, call } from '../api.ts';
import type { Tab } from '../recipe/kind.ts';
import type { Entity } from '../types.ts';
import { Code } from '../ui/code.tsx';
import { Empty } from '../ui/empty.tsx';
import { Refusal } from '../ui/problem.tsx';
import { useGet, useLate } from '../use.ts';
import { AskedUser } from './asked_user.tsx';
import { Steps } from './steps.tsx';
import { isAsking, nobody, type Typed, userOf } from './user.ts';

/** What the server answers of a user: what it gets, and what was looked at for it. */
interface Explanation {
  value: unknown;
  traces: Trace[];
}

interface ExplainProps {
  kind: (typeof explainedKinds)[number];
  id: string;
  /** Whether it has not started: it is evaluated as if it had. */
  isInSetup: boolean;
}

/** The tab in which a user is asked about. */
export const trying = <E extends Entity & { status?: string }>(
  kind: ExplainProps['kind'],
): Tab<E> => ({
  path: 'try',
  title: 'Try it',
  View: ({ editing: { stored } }) => (
    <Explain kind={kind} id={stored.id} isInSetup={stored.status === 'setup'} />
  ),
});

/** What the server says that a user gets, a while after it was typed. */
function useExplanation({ kind, id, isInSetup: asStarted }: ExplainProps, typed: Typed) {
  const asked = { user: userOf(typed), kind, id, ...(asStarted && { asStarted }) };
  const question = isAsking(typed) ? JSON.stringify(asked) : '';
  const late = useLate(question, 200);
  return useGet<Answer<Explanation>>(late && `explain ${late}`, () =>
    call({ method: 'POST', path: '/evaluate', body: JSON.parse(late) }),
  );
}

/** A user, and what it gets of something as it is stored, and why. */
function Explain(props: ExplainProps) {
  const [typed, setTyped] = useState(nobody);
  const { value, problem, again } = useExplanation(props, typed);
  const isServed = problem?.status !== 404;
  const answer = problem ? undefined : value?.data;
  return (
    <div class="explain">
      <aside class="try" aria-label="Who asks">
        <h2 class="try-title">Why does this user get this?</h2>
        <div class="try-status" role="status">
          {answer ? (
            <Outcome explanation={answer} {...props} />
          ) : (
            <p class="quiet">What one user gets at this moment, of what is stored.</p>
          )}
        </div>
        {props.isInSetup && (
          <p class="quiet">
            {`The ${props.kind} has not started: this is what would be if it had. Its start draws the groups anew.`}
          </p>
        )}
        <AskedUser typed={typed} onType={setTyped} />
      </aside>
      <div class="stack">
        {isServed && problem && <Refusal problem={problem} onAgain={again} />}
        {!isServed && <Empty title="Nothing of it is served at this moment." />}
        {answer?.traces.map((trace, index, { length }) => (
          <Steps
            key={`${index} ${trace.name}`}
            trace={trace}
            title={length > 1 || trace.name !== props.id ? trace.name : 'Why'}
          />
        ))}
        {!value && !problem && (
          <p class="quiet">Say who asks: a user ID is enough for most questions.</p>
        )}
      </div>
    </div>
  );
}

/** What came of it, in a line. */
function inWords({ kind }: ExplainProps, { value, traces }: Explanation): string {
  if (kind === 'holdout') return value === true ? 'Is held out' : 'Is not held out';
  const group = traces[0]?.groupName;
  if (kind === 'experiment')
    return group ? `Is in the group “${group}”, and gets` : 'Is in no group, and gets';
  return kind === 'autotune' && group ? `Gets the variant “${group}”` : 'Gets';
}

const Outcome = ({ explanation, ...props }: ExplainProps & { explanation: Explanation }) => (
  <div class="try-answer">
    <p class="try-verdict">
      <strong>{inWords(props, explanation)}</strong>
    </p>
    {typeof explanation.value !== 'boolean' && (
      <Code text={JSON.stringify(explanation.value, null, 2)} />
    )}
  </div>
);
