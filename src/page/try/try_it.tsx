import { useEffect, useState } from 'preact/hooks';
import type { Rule } from '../base/types.ts';
import { useDebounced, useGet } from '../base/use.ts';
import { Icon } from '../ui/icon.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import type { EvaluationTarget, Trace } from './evaluator.ts';
import { entitiesOf, readDependencies, type Tried } from './project.ts';
import { Steps } from './steps.tsx';
import { emptyUser, hasInput, type TypedUser, userOf } from './user.ts';
import { UserForm } from './user_form.tsx';

const dependencyKey = (rules: Rule[]) =>
  JSON.stringify(
    rules.flatMap(({ conditions }) =>
      conditions.map(({ type, targetValue, field }) =>
        /gate|segment|experiment/.test(type) ? [type, targetValue, field] : 0,
      ),
    ),
  );

type Outcome = { trace: Trace | undefined } | { fault: string } | undefined;

/** Incomplete rules may fail to compile. */
function outcomeOf(run: () => Trace | undefined): Outcome {
  try {
    return { trace: run() };
  } catch {
    return { fault: 'The rules are incomplete.' };
  }
}

function useOutcome(tried: Tried, typed: TypedUser) {
  const { kind, entity } = tried;
  const wanted = hasInput(typed);
  const [outcome, setOutcome] = useState<Outcome>();
  const names = useDebounced(dependencyKey(entity.rules), 300);
  const dependencies = useGet(wanted ? `dependencies ${kind} ${entity.id} ${names}` : '', () =>
    readDependencies(tried),
  );
  const question = JSON.stringify([typed, entity]);
  const isSettled = useDebounced(question, 100) === question;
  useEffect(() => {
    if (!wanted || !dependencies.value) return setOutcome(undefined);
    const entities = entitiesOf(dependencies.value, tried);
    const target: EvaluationTarget = { kind, id: entity.id };
    let isCurrent = true;
    import('./evaluator.js')
      .then(
        ({ tryOut }) => outcomeOf(() => tryOut(entities, target, userOf(typed))),
        () => ({ fault: "Can't load the evaluator." }),
      )
      .then((next) => isCurrent && setOutcome(next));
    return () => {
      isCurrent = false;
    };
  }, [isSettled, dependencies.value]);
  return { outcome, dependencies };
}

/** Evaluates the rules in the editor, saved or not, for one user. */
export function TryIt({ tried, isShort }: { tried: Tried; isShort?: boolean }) {
  const [typed, setTyped] = useState(emptyUser);
  const { outcome, dependencies } = useOutcome(tried, typed);
  return (
    <aside class="try" aria-label="Try it">
      <h2 class="try-title">Try it</h2>
      <div class="try-status" role="status">
        {outcome ? (
          <Answer tried={tried} outcome={outcome} unknown={dependencies.value?.unknown ?? []} />
        ) : (
          <p class="quiet">See what a user gets from these rules, saved or not.</p>
        )}
      </div>
      {dependencies.problem && (
        <ProblemNote problem={dependencies.problem} onAgain={dependencies.again} />
      )}
      <UserForm typed={typed} onType={setTyped} isShort={isShort} />
    </aside>
  );
}

interface AnswerProps {
  tried: Tried;
  outcome: NonNullable<Outcome>;
  unknown: string[];
}

function traceInWords({ kind }: Tried, { passes, value }: Trace): string {
  if (kind === 'gate') return passes ? 'Passes' : 'Does not pass';
  if (kind === 'segment') return passes ? 'In the segment' : 'Not in the segment';
  return `Gets ${JSON.stringify(value)}`;
}

function Answer({ tried, outcome, unknown }: AnswerProps) {
  if ('fault' in outcome) return <p class="try-answer try-verdict">{outcome.fault}</p>;
  const { trace } = outcome;
  if (!trace) return <p class="try-answer try-verdict">Not served.</p>;
  const decided = tried.entity.rules.findIndex(({ id }) => id === trace.ruleID);
  const by = tried.entity.rules[decided];
  return (
    <div class="try-answer">
      <p class={`try-verdict${trace.passes ? ' try-passes' : ''}`}>
        <Icon name={trace.passes ? 'check' : 'close'} />
        <strong>{traceInWords(tried, trace)}</strong>
        {by ? `: matched rule ${decided + 1}, “${by.name}”.` : '.'}
      </p>
      {unknown.length > 0 && (
        <p class="warned">{`Groups of ${unknown.join(', ')} are not evaluated here.`}</p>
      )}
      <Steps trace={trace} title="Why" />
    </div>
  );
}
