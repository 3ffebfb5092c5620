import { useState } from 'preact/hooks';
import { whyNot } from '../../base/session.ts';
import type { Experiment } from '../../base/types.ts';
import { dayOf } from '../../base/words.ts';
import { isNumber, pValue } from '../../charts/format.ts';
import { ActionSheet } from '../../entity/edit/action.tsx';
import type { Action, KindPage } from '../../entity/kind.ts';
import { experimentActions } from '../../experiment/moves.ts';
import { Button } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import type { Situation } from '../frame/state.ts';
import type { Result } from '../frame/types.ts';
import { openCondition, type ResultCondition } from './conditions.ts';
import type { Verdict } from './verdict.ts';

interface DecidedGroup {
  id: string;
  name: string;
}

interface DecisionPanelProps {
  kind: KindPage<Experiment>;
  experiment: Experiment;
  verdict: Verdict;
  situation: Situation;
  conditions: ResultCondition[];
  primary: Result | undefined;
  test: DecidedGroup;
  control: DecidedGroup;
  isSeveral: boolean;
  balance: number | null;
}

const icons: Record<ResultCondition['state'], IconName> = {
  met: 'check',
  open: 'dot',
  failed: 'close',
};

const ConditionLine = ({ condition: { state, words, detail } }: { condition: ResultCondition }) => (
  <li class={`check2 check2-${state}`}>
    <Icon name={icons[state]} />
    <span>
      {words}
      <span class="unseen">{`, ${state}`}</span>
      <span class="small">{detail}</span>
    </span>
  </li>
);

const planCondition = ({ isOver, day, plannedDays }: Situation): ResultCondition => ({
  ...openCondition(
    `The planned ${plannedDays} days are over`,
    isOver ? 'done' : `${Math.max(plannedDays - day, 0)} to go`,
  ),
  state: isOver ? 'met' : 'open',
});

function Power({ situation, primary }: Pick<DecisionPanelProps, 'situation' | 'primary'>) {
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

function adviceOf({ action }: Verdict, situation: Situation): string {
  const { isOver, plannedDays, day, isUnbalanced } = situation;
  if (isUnbalanced) return 'Find the cause, then reset. More units will not repair it.';
  if (action === 'ship' && isOver) return 'Every condition is met. Ship it.';
  if (action === 'shipControl') return 'Keep the control.';
  if (action === 'stop') return 'Stop it unless the loss is worth it.';
  if (isOver) return 'The plan is over. Decide by the cost of the change.';
  const left = Math.max(plannedDays - day, 1);
  const next = action === 'ship' ? 'The lead is real.' : 'Nothing to do today.';
  return `Keep it running for ${left} more ${left === 1 ? 'day' : 'days'}. ${next}`;
}

const moveOf = (experiment: Experiment, name: string) =>
  experimentActions(experiment).find((move) => move.name === name);

function shipping(
  {
    experiment,
    verdict,
    situation,
  }: Pick<DecisionPanelProps, 'experiment' | 'verdict' | 'situation'>,
  group: DecidedGroup | undefined,
): Action | undefined {
  const move = moveOf(experiment, 'make_decision');
  const failed = situation.isUnbalanced;
  return (
    move && {
      ...move,
      label: `Ship ${group?.name ?? 'a group'}`,
      effect: effectOf(experiment),
      look: failed ? 'danger' : 'primary',
      confirms: failed ? experiment.id : undefined,
      values: {
        ...(group && { id: group.id }),
        decisionReason: [verdict.sentence, verdict.detail].filter(Boolean).join(' '),
      },
    }
  );
}

function effectOf({ layerID, overrides }: Experiment): string {
  const kept = overrides.userIDOverrides.length + overrides.overrides.length;
  return [
    "Everyone targeted gets the group's values.",
    ...(layerID ? [`Its units in layer ${layerID} get them too.`] : []),
    ...(kept > 0
      ? [`${kept === 1 ? 'One override keeps' : `${kept} overrides keep`} another group.`]
      : []),
  ].join(' ');
}

interface ButtonsProps extends DecisionPanelProps {
  onOpen: (action: Action | undefined) => void;
}

function Buttons(props: ButtonsProps) {
  const { experiment, verdict, situation, test, control, isSeveral, onOpen } = props;
  const why = whyNot('write');
  const stop = moveOf(experiment, 'stop');
  const isWin = verdict.action === 'ship';
  const isNext = isWin && situation.isOver;
  const shipped = isSeveral && !isWin ? undefined : test;
  const look = (isPrimary: boolean) => (isPrimary ? ('primary' as const) : ('plain' as const));
  const stopButton = stop && (
    <Button
      look={verdict.action === 'stop' ? 'danger' : 'plain'}
      why={why}
      onClick={() => onOpen({ ...stop, look: 'danger' })}
    >
      Stop …
    </Button>
  );
  return (
    <div class="panel-buttons">
      {situation.isUnbalanced && stopButton}
      <Button look={look(isNext)} why={why} onClick={() => onOpen(shipping(props, shipped))}>
        {`Ship ${shipped?.name ?? 'a group'} …`}
      </Button>
      <Button
        look={look(verdict.action === 'shipControl')}
        why={why}
        onClick={() => onOpen(shipping(props, control))}
      >
        {`Ship ${control.name} …`}
      </Button>
      {!situation.isUnbalanced && stopButton}
      {situation.isUnbalanced && (
        <p class="small panel-wide">
          To ship all the same, type the experiment's ID in the next step.
        </p>
      )}
    </div>
  );
}

const Shipped = ({ shipped, time }: { shipped: string; time: number | null }) => (
  <dl class="panel-facts">
    <dt>Shipped</dt>
    <dd>{shipped}</dd>
    {time !== null && (
      <>
        <dt>Decided</dt>
        <dd>{dayOf(time)}</dd>
      </>
    )}
  </dl>
);

/** Nothing is judged while the groups are unbalanced. */
function decisionLines({ conditions, situation, balance }: DecisionPanelProps): ResultCondition[] {
  const plan = planCondition(situation);
  if (!situation.isUnbalanced) return [...conditions, plan];
  const chance = isNumber(balance)
    ? `p ${balance < 0.001 ? '< 0.001' : `= ${pValue(balance)}`}`
    : '';
  const failed = openCondition('The groups are balanced', chance);
  return [
    { ...failed, state: 'failed' },
    ...conditions.map((condition) => ({
      ...condition,
      state: 'open' as const,
      detail: 'not judged',
    })),
    plan,
  ];
}

/** The rule that was set before the start, what can be found, and what to do. */
export function DecisionPanel(props: DecisionPanelProps) {
  const { kind, experiment, verdict, situation, primary, test } = props;
  const [open, setOpen] = useState<Action>();
  const lines = decisionLines(props);
  return (
    <aside class="panel" id="decision" aria-label="Decision">
      <h2 class="box-title">Decision</h2>
      <div class="panel-part">
        <h3 class="panel-title">{`Ship ${test.name} if`}</h3>
        <ul class="checks2">
          {lines.map((condition) => (
            <ConditionLine key={condition.words} condition={condition} />
          ))}
        </ul>
        {props.conditions.length === 0 && (
          <p class="small">No rule was set before the start. Judge by the primary metrics.</p>
        )}
      </div>
      <Power situation={situation} primary={primary} />
      <div class="panel-part">
        {situation.shipped === undefined ? (
          <p class="panel-advice">{adviceOf(verdict, situation)}</p>
        ) : (
          <Shipped shipped={situation.shipped} time={experiment.decisionTime} />
        )}
        {moveOf(experiment, 'make_decision') && <Buttons {...props} onOpen={setOpen} />}
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
