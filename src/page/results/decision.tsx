import { useState } from 'preact/hooks';
import { countOf, isNumber } from '../charts/format.ts';
import { groupNames } from '../kinds/experiment_moves.ts';
import { ActionSheet } from '../recipe/action.tsx';
import type { Action, KindPage } from '../recipe/kind.ts';
import { whyNot } from '../session.ts';
import type { Experiment } from '../types.ts';
import { Button } from '../ui/button.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { type Condition, openCondition } from './conditions.ts';
import type { Result } from './types.ts';
import type { Situation, Verdict } from './verdict.ts';

interface DecisionProps {
  kind: KindPage<Experiment>;
  experiment: Experiment;
  verdict: Verdict;
  situation: Situation;
  conditions: Condition[];
  primary: Result | undefined;
  test: { id: string; name: string };
  control: { id: string; name: string };
}

const icons: Record<Condition['state'], IconName> = { met: 'check', open: 'dot', failed: 'close' };

const ConditionLine = ({ condition: { state, words, detail } }: { condition: Condition }) => (
  <li class={`check2 check2-${state}`}>
    <Icon name={icons[state]} />
    <span>
      {words}
      <span class="unseen">{`, ${state}`}</span>
      <span class="small">{detail}</span>
    </span>
  </li>
);

/** The condition that the planned days are over. */
const planCondition = ({ isOver, day, plannedDays }: Situation): Condition => ({
  ...openCondition(
    `The planned ${plannedDays} days are over`,
    isOver ? 'done' : `${Math.max(plannedDays - day, 0)} to go`,
  ),
  state: isOver ? 'met' : 'open',
});

function Power({ situation, primary }: Pick<DecisionProps, 'situation' | 'primary'>) {
  const { units, plannedUnits } = situation;
  const share = plannedUnits === null ? null : Math.min(100, (units / plannedUnits) * 100);
  const now = primary?.reversePower;
  if (share === null && !isNumber(now)) return null;
  return (
    <div class="panel-part">
      <h3 class="panel-title">Power</h3>
      {share !== null && (
        <progress class="meter" max="100" value={share} aria-label="Share of the planned units" />
      )}
      <p class="small">
        {share !== null && `${Math.round(share)}% of the units. `}
        {isNumber(now) && `A change of ±${now.toFixed(1)}% would be found today.`}
      </p>
    </div>
  );
}

/** What to do now, in words; the buttons follow it. */
function adviceOf({ action }: Verdict, { isOver, plannedDays, day, shipped }: Situation): string {
  if (shipped !== undefined) return 'The decision is made.';
  if (action === 'ship') return 'Every condition is met. Ship it.';
  if (action === 'shipControl') return 'Keep the control.';
  if (action === 'stop') return 'Stop it unless the loss is worth it.';
  if (isOver) return 'The plan is over. Decide by what the change costs.';
  const left = Math.max(plannedDays - day, 1);
  return `Keep it running for ${left} more ${left === 1 ? 'day' : 'days'}. Nothing to do today.`;
}

/** Returns the action that ships a group, filled in from the verdict. */
function shipping(
  { experiment, verdict, situation }: Pick<DecisionProps, 'experiment' | 'verdict' | 'situation'>,
  group: { id: string; name: string },
): Action {
  const names = groupNames(experiment);
  const failed = situation.isUnbalanced;
  return {
    name: 'make_decision',
    label: `Ship ${group.name}`,
    effect: "Everyone targeted gets the group's values.",
    look: failed ? 'danger' : 'primary',
    confirms: failed ? experiment.id : undefined,
    fields: [
      { property: 'id', label: 'Group', as: 'choice', options: names, isNeeded: true },
      { property: 'decisionReason', label: 'Why', as: 'long', isNeeded: true },
      {
        property: 'removeTargeting',
        label: 'Roll out to everyone, ignoring targeting',
        as: 'toggle',
      },
    ],
    values: {
      id: group.id,
      decisionReason: [verdict.sentence, verdict.detail].filter(Boolean).join(' '),
    },
    doubts: failed ? ['The health check failed. These results may be wrong.'] : undefined,
  };
}

const stopping = (experiment: Experiment): Action => ({
  name: 'stop',
  label: 'Stop',
  effect: 'Stops assigning units. Everyone gets the defaults.',
  look: 'danger',
  fields: undefined,
  values: undefined,
  confirms: undefined,
  doubts: [`${experiment.id} stops for all units at once.`],
});

/** The rule that was set before the start, what can be found, and what to do. */
export function DecisionPanel(props: DecisionProps) {
  const { kind, experiment, verdict, situation, conditions, primary, test, control } = props;
  const [open, setOpen] = useState<Action>();
  const why = whyNot('write');
  const isRunning = ['active', 'assignment_stopped', 'experiment_stopped'].includes(
    experiment.status,
  );
  const lines = [...conditions, planCondition(situation)];
  return (
    <aside class="panel" aria-label="Decision">
      <h2 class="box-title">Decision</h2>
      <div class="panel-part">
        <h3 class="panel-title">{`Ship ${test.name} if`}</h3>
        <ul class="checks2">
          {lines.map((condition) => (
            <ConditionLine key={condition.words} condition={condition} />
          ))}
        </ul>
        {conditions.length === 0 && (
          <p class="small">No rule was set before the start. Judge by the primary metrics.</p>
        )}
      </div>
      <Power situation={situation} primary={primary} />
      <div class="panel-part">
        <p class="panel-advice">{adviceOf(verdict, situation)}</p>
        {experiment.decisionReason && <p class="small">{experiment.decisionReason}</p>}
        {isRunning && (
          <div class="panel-buttons">
            <Button
              look={verdict.action === 'ship' ? 'primary' : 'plain'}
              why={why}
              onClick={() => setOpen(shipping(props, test))}
            >
              {`Ship ${test.name} …`}
            </Button>
            <Button
              look={verdict.action === 'shipControl' ? 'primary' : 'plain'}
              why={why}
              onClick={() => setOpen(shipping(props, control))}
            >
              {`Ship ${control.name} …`}
            </Button>
            {experiment.status !== 'experiment_stopped' && (
              <Button
                look={verdict.action === 'stop' ? 'danger' : 'plain'}
                why={why}
                onClick={() => setOpen(stopping(experiment))}
              >
                Stop …
              </Button>
            )}
          </div>
        )}
        <p class="small">{`${countOf(situation.units)} units so far.`}</p>
      </div>
      {open && (
        <ActionSheet
          kind={kind}
          entity={experiment}
          action={open}
          onClose={() => setOpen(undefined)}
        />
      )}
    </aside>
  );
}
