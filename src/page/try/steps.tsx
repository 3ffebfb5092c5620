import type { Trace } from '../../engine/evaluation/trace.ts';
import { isolateText } from '../base/words.ts';
import { Icon } from '../ui/icon.tsx';
import { Section } from '../ui/section.tsx';

type RuleStep = Trace['rules'][number];
type ConditionTrace = RuleStep['conditions'][number];

const generatedRules: Record<string, string> = {
  prestart: 'Not started',
  layerAssignment: 'Outside its allocation',
  targetingGate: 'Excluded by targeting gate',
  inlineTargetingRules: 'Excluded by targeting rules',
  stopped: 'Stopped',
  abandoned: 'Abandoned',
  launched: 'Launched',
  launchedGroup: 'Decided',
  holdout: 'Holdout',
  experimentAssignment: 'Assignment',
};

function nameOfStep({ id, name, conditions }: RuleStep): string {
  const holdout = conditions.find(({ gate }) => gate?.entity === 'holdout');
  if (holdout) return `Held out by ${String(holdout.targetValue).replace(/^holdout:/, '')}`;
  if (id.endsWith(':id_override')) return 'Override by ID';
  if (id.endsWith(':override')) return 'Override by gate or segment';
  return generatedRules[id] ?? name;
}

const gateInWords = (name: unknown) =>
  String(name)
    .replace(/^segment:experiment_group:(.*):[^:]*$/, 'a group of $1')
    .replace(':', ' ');

function seenInWords({ type, field, targetValue, seen, holds }: ConditionTrace): string {
  if (type === 'public') return 'everyone';
  if (type === 'user_bucket') return `bucket ${String(seen)} of 1,000`;
  if (type === 'pass_gate' || type === 'fail_gate')
    return `${seen === true ? 'passes' : 'does not pass'} ${gateInWords(targetValue)}`;
  const what =
    type === 'environment_field' ? 'environment' : isolateText(field ?? type.replaceAll('_', ' '));
  const fit = holds ? 'matches' : 'does not match';
  return seen === null
    ? `${what} is not set`
    : `${what} ${isolateText(JSON.stringify(seen))} ${fit}`;
}

const isImpliedCondition = (
  { operator }: ConditionTrace,
  index: number,
  all: readonly ConditionTrace[],
) => operator === 'neq' && all[index + 1]?.operator === 'str_matches';

function detailsOf({ conditions, bucket, passPercentage }: RuleStep): string {
  const seen = conditions.filter((...each) => !isImpliedCondition(...each)).map(seenInWords);
  const drawn =
    bucket === undefined ? [] : [`bucket ${bucket / 100} of 100, passes below ${passPercentage}`];
  return [...seen, ...drawn].join(', ');
}

interface StepsProps {
  trace: Trace;
  title: string;
}

/** Lists the evaluated rules up to the deciding one. */
export const Steps = ({ trace, title }: StepsProps) => (
  <Section title={title}>
    {!trace.enabled && <p class="quiet">Off.</p>}
    {trace.missingUnit && (
      <p class="warned">{`The user has no ${trace.missingUnit}, so it has no bucket.`}</p>
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
            <span class="unseen">{step.holds ? ': match' : ': no match'}</span>
          </span>
          <span class="quiet">{detailsOf(step)}</span>
        </li>
      ))}
    </ol>
    {trace.enabled && trace.ruleID === 'default' && <p class="quiet">No match.</p>}
    {trace.delegate && <Steps trace={trace.delegate} title={`In ${trace.delegate.name}`} />}
  </Section>
);
