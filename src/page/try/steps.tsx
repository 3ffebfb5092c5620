import type { Trace } from '../../evaluation/trace.ts';
import { Icon } from '../ui/icon.tsx';
import { Section } from '../ui/section.tsx';
import { apart } from '../words.ts';

type Step = Trace['rules'][number];
type Judged = Step['conditions'][number];

/** What the rules are called that the server makes, by their ids. */
const made: Record<string, string> = {
  prestart: 'It has not started',
  layerAssignment: 'Outside of its share',
  targetingGate: 'Not let in by its targeting gate',
  inlineTargetingRules: 'Not let in by its targeting rules',
  stopped: 'It was stopped',
  abandoned: 'It was abandoned',
  launched: 'Launched',
  launchedGroup: 'Decided for a group',
  holdout: 'Drawn to be held out',
  experimentAssignment: 'Drawn for an experiment',
};

/** What a rule is called: by who wrote it, or by what it is made for. */
function nameOfStep({ id, name, conditions }: Step): string {
  const holdout = conditions.find(({ gate }) => gate?.entity === 'holdout');
  if (holdout) return `Held out by ${String(holdout.targetValue).replace(/^holdout:/, '')}`;
  if (id.endsWith(':id_override')) return 'Put there by its ID';
  if (id.endsWith(':override')) return 'Put there by a gate or segment';
  return made[id] ?? name;
}

/** What another thing is called that is asked as a gate is. */
const askedInWords = (name: unknown) =>
  String(name)
    .replace(/^segment:experiment_group:(.*):[^:]*$/, 'a group of $1')
    .replace(':', ' ');

/** What a condition saw. */
function seenInWords({ type, field, targetValue, seen, holds }: Judged): string {
  if (type === 'public') return 'everyone';
  if (type === 'user_bucket') return `drew ${String(seen)} of 1,000`;
  if (type === 'pass_gate' || type === 'fail_gate')
    return `${seen === true ? 'passes' : 'does not pass'} ${askedInWords(targetValue)}`;
  // SDKs call an environment the tier of one.
  const what =
    type === 'environment_field' ? 'environment' : apart(field ?? type.replaceAll('_', ' '));
  const fit = holds ? 'fits' : 'does not fit';
  return seen === null ? `${what} is not known` : `${what} ${apart(JSON.stringify(seen))} ${fit}`;
}

/** Whether the condition behind one says as much: before a pattern stands that the value is there. */
const isImplied = ({ operator }: Judged, index: number, all: readonly Judged[]) =>
  operator === 'neq' && all[index + 1]?.operator === 'str_matches';

/** What a rule saw, and what it drew. */
function sightOf({ conditions, bucket, passPercentage }: Step): string {
  const seen = conditions.filter((...each) => !isImplied(...each)).map(seenInWords);
  const drawn =
    bucket === undefined ? [] : [`drew ${bucket / 100} of 100, needs less than ${passPercentage}`];
  return [...seen, ...drawn].join(', ');
}

interface StepsProps {
  trace: Trace;
  title: string;
}

/** What was looked at in turn, up to what decided. */
export const Steps = ({ trace, title }: StepsProps) => (
  <Section title={title}>
    {!trace.enabled && <p class="quiet">It is off.</p>}
    {trace.missingUnit && (
      <p class="warned">{`Without a ${trace.missingUnit}, the draw is of nobody.`}</p>
    )}
    <ol class="try-rules">
      {trace.rules.map((step, index) => (
        <li
          key={`${index} ${step.id}`}
          class={step.holds ? 'try-rule try-rule-decided' : 'try-rule'}
        >
          <Icon name={step.holds ? 'check' : 'close'} />
          <span>
            {nameOfStep(step)}
            <span class="unseen">{step.holds ? ': holds' : ': does not hold'}</span>
          </span>
          <span class="quiet">{sightOf(step)}</span>
        </li>
      ))}
    </ol>
    {trace.enabled && trace.ruleID === 'default' && <p class="quiet">Nothing of it decides.</p>}
    {trace.delegate && <Steps trace={trace.delegate} title={`In ${trace.delegate.name}`} />}
  </Section>
);
