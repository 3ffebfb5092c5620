import { useState } from 'preact/hooks';
import type { explainedKinds } from '../../delivery/explain/schema.ts';
import type { Trace } from '../../engine/evaluation/trace.ts';
import { type Answer, call } from '../base/api.ts';
import { useDebounced, useGet } from '../base/use.ts';
import { Code } from '../ui/code.tsx';
import { Empty } from '../ui/empty.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { Steps } from './steps.tsx';
import { emptyUser, hasInput, type TypedUser, userOf } from './user.ts';
import { UserForm } from './user_form.tsx';

interface Explanation {
  value: unknown;
  traces: Trace[];
}

export interface ExplainProps {
  kind: (typeof explainedKinds)[number];
  id: string;
  isInSetup: boolean;
}

function useExplanation({ kind, id, isInSetup: asStarted }: ExplainProps, typed: TypedUser) {
  const query = { user: userOf(typed), kind, id, ...(asStarted && { asStarted }) };
  const requestText = hasInput(typed) ? JSON.stringify(query) : '';
  const late = useDebounced(requestText, 200);
  return useGet<Answer<Explanation>>(late && `explain ${late}`, () =>
    call({ method: 'POST', path: '/evaluate', body: JSON.parse(late) }),
  );
}

/** Evaluates the saved version for a typed user. */
export function Explain(props: ExplainProps) {
  const [typed, setTyped] = useState(emptyUser);
  const { value, problem, again } = useExplanation(props, typed);
  const isServed = problem?.status !== 404;
  const answer = problem ? undefined : value?.data;
  return (
    <div class="explain">
      <aside class="try" aria-label="User">
        <h2 class="try-title">Test a user</h2>
        <div class="try-status" role="status">
          {answer ? (
            <ExplainOutcome explanation={answer} {...props} />
          ) : (
            <p class="quiet">See what a user gets from the saved version, and why.</p>
          )}
        </div>
        {props.isInSetup && (
          <p class="quiet">
            {`Not started: this is a preview. Starting the ${props.kind} assigns groups again.`}
          </p>
        )}
        <UserForm typed={typed} onType={setTyped} />
      </aside>
      <div class="stack">
        {isServed && problem && <ProblemNote problem={problem} onAgain={again} />}
        {!isServed && <Empty title="Not served." />}
        {answer?.traces.map((trace, index, { length }) => (
          <Steps
            key={`${index} ${trace.name}`}
            trace={trace}
            title={length > 1 || trace.name !== props.id ? trace.name : 'Why'}
          />
        ))}
        {!value && !problem && <p class="quiet">Enter a user ID.</p>}
      </div>
    </div>
  );
}

function explanationInWords({ kind }: ExplainProps, { value, traces }: Explanation): string {
  if (kind === 'holdout') return value === true ? 'Held out' : 'Not held out';
  const group = traces[0]?.groupName;
  if (kind === 'experiment') return group ? `In group “${group}”, gets` : 'In no group, gets';
  return kind === 'autotune' && group ? `Gets variant “${group}”` : 'Gets';
}

const ExplainOutcome = ({ explanation, ...props }: ExplainProps & { explanation: Explanation }) => (
  <div class="try-answer">
    <p class="try-verdict">
      <strong>{explanationInWords(props, explanation)}</strong>
    </p>
    {typeof explanation.value !== 'boolean' && (
      <Code text={JSON.stringify(explanation.value, null, 2)} />
    )}
  </div>
);
