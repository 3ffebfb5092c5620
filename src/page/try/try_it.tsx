import { useEffect, useState } from 'preact/hooks';
import type { Rule } from '../types.ts';
import { Refusal } from '../ui/problem.tsx';
import { useGet, useLate } from '../use.ts';
import { AskedUser } from './asked_user.tsx';
import type { Asked, Trace } from './evaluator.ts';
import { entitiesOf, readSurroundings, type Tried } from './project.ts';
import { Steps } from './steps.tsx';
import { isAsking, nobody, type Typed, userOf } from './user.ts';

/** Returns a key of all dependencies of some rules. */
const askedBy = (rules: Rule[]) =>
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

function useOutcome(tried: Tried, typed: Typed) {
  const { kind, entity } = tried;
  const wanted = isAsking(typed);
  const [outcome, setOutcome] = useState<Outcome>();
  const names = useLate(askedBy(entity.rules), 300);
  const around = useGet(wanted ? `around ${kind} ${entity.id} ${names}` : '', () =>
    readSurroundings(tried),
  );
  const question = JSON.stringify([typed, entity]);
  const isSettled = useLate(question, 100) === question;
  useEffect(() => {
    if (!wanted || !around.value) return setOutcome(undefined);
    const entities = entitiesOf(around.value, tried);
    const asked: Asked = { kind, id: entity.id };
    let isCurrent = true;
    import('./evaluator.js')
      .then(
        ({ tryOut }) => outcomeOf(() => tryOut(entities, asked, userOf(typed))),
        () => ({ fault: "Can't load the evaluator." }),
      )
      .then((next) => isCurrent && setOutcome(next));
    return () => {
      isCurrent = false;
    };
  }, [isSettled, around.value]);
  return { outcome, around };
}

/** Evaluates the rules in the editor, saved or not, for one user. */
export function TryIt({ tried }: { tried: Tried }) {
  const [typed, setTyped] = useState(nobody);
  const { outcome, around } = useOutcome(tried, typed);
  return (
    <aside class="try" aria-label="Try it">
      <h2 class="try-title">Try it</h2>
      <div class="try-status" role="status">
        {outcome ? (
          <Answer tried={tried} outcome={outcome} unknown={around.value?.unknown ?? []} />
        ) : (
          <p class="quiet">See what a user gets from these rules, saved or not.</p>
        )}
      </div>
      {around.problem && <Refusal problem={around.problem} onAgain={around.again} />}
      <AskedUser typed={typed} onType={setTyped} />
    </aside>
  );
}

interface AnswerProps {
  tried: Tried;
  outcome: NonNullable<Outcome>;
  unknown: string[];
}

function inWords({ kind }: Tried, { passes, value }: Trace): string {
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
      <p class="try-verdict">
        <strong>{inWords(tried, trace)}</strong>
        {by ? `: matched rule ${decided + 1}, “${by.name}”.` : '.'}
      </p>
      {unknown.length > 0 && (
        <p class="warned">{`Groups of ${unknown.join(', ')} are not evaluated here.`}</p>
      )}
      <Steps trace={trace} title="Why" />
    </div>
  );
}
