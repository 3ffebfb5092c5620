import type { ComponentChildren } from 'preact';
import { dayLength } from '../../base/time.ts';
import type { Experiment } from '../base/types.ts';
import { countOf, isNumber, mean } from '../charts/format.ts';
import type { Editing } from '../entity/kind.ts';
import { Select } from '../ui/select.tsx';
import { ReadStatus } from '../ui/unread.tsx';
import { Curve } from './curve.tsx';
import type { Plan } from './power.ts';
import type { RoleJudged } from './roles.ts';
import { Slider } from './slider.tsx';
import type { TypedNumbers } from './typed.ts';
import { usePlan } from './use_plan.ts';

const endFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
});

function endInWords(days: unknown): string {
  if (!isNumber(days) || days > 10_000) return '';
  const end = `If started now, ends ${endFormat.format(Date.now() + days * dayLength)}.`;
  return days % 7 === 0 ? end : `${end} Whole weeks even out weekdays.`;
}

function effectInWords(plan: Plan | undefined, percent: number | undefined): string {
  if (!plan || percent === undefined) return '';
  const { mean: now, isProportion } = plan;
  return `From ${mean(now, isProportion)} to ${mean(now * (1 + percent / 100), isProportion)}`;
}

const Figures = ({ plan, experiment }: { plan: Plan; experiment: Experiment }) => (
  <div class="plan-figs">
    <p class="fig">
      <span class="fig-v">{isNumber(plan.units) ? countOf(plan.units) : '–'}</span>
      <span class="fig-l">{`users in ${experiment.groups.length} groups`}</span>
    </p>
    <p class="fig">
      <span class="fig-v">80%</span>
      <span class="fig-l">{`power at ${experiment.defaultConfidenceInterval}%`}</span>
    </p>
  </div>
);

interface PlannerProps {
  editing: Editing<Experiment>;
  metrics: RoleJudged[];
  chosen: RoleJudged;
  onChoose: (id: string) => void;
  typed: TypedNumbers;
  isLocked: boolean;
  children: ComponentChildren;
}

/** How long it must run: three numbers that follow each other, and the change that is found by days. */
export function Planner(props: PlannerProps) {
  const { editing, metrics, chosen, onChoose, typed, isLocked, children } = props;
  const { smallestChanges, duration, allocation } = editing.value;
  const { plan, problem, again, isWaiting, setPercent, setDays, setAllocation } = usePlan(
    editing,
    chosen.id,
    typed,
  );
  const stored = smallestChanges.find(({ metricID }) => metricID === chosen.id)?.percent;
  const percent = stored ?? (plan?.percent ? Number(plan.percent.toFixed(1)) : undefined);
  const { unitsPerDay } = typed;
  return (
    <section class="box" aria-label="Duration">
      <div class="box-head">
        <h2 class="box-title">How long must it run?</h2>
        <div class="box-side">
          <Select
            aria-label="For the metric"
            value={chosen.id}
            options={Object.fromEntries(
              metrics.map(({ id, metric }) => [id, `for ${metric.name}`]),
            )}
            onChoose={onChoose}
          />
        </div>
      </div>
      <div class="plan">
        <div class="plan-in">
          <Slider
            label="Smallest change worth finding"
            hint={effectInWords(plan, percent)}
            value={percent ?? ''}
            min={0.5}
            max={30}
            step={0.1}
            unit="%"
            isLocked={isLocked}
            onChange={setPercent}
          />
          <Slider
            label="Duration"
            hint={endInWords(duration)}
            value={duration}
            min={2}
            max={56}
            step={1}
            unit="days"
            isLocked={isLocked}
            onChange={setDays}
          />
          <Slider
            label="Allocation"
            hint={isNumber(unitsPerDay) && `Of ${countOf(unitsPerDay)} targeted users a day`}
            value={allocation}
            min={1}
            max={100}
            step={1}
            unit="%"
            isLocked={isLocked}
            onChange={setAllocation}
          />
          {plan && <Figures plan={plan} experiment={editing.value} />}
        </div>
        <div class="plan-side">
          {isWaiting && (
            <p class="small">The baseline and the traffic show which change can be found.</p>
          )}
          {!isWaiting && (!plan || problem) && (
            <ReadStatus value={plan} problem={problem} again={again} lines={6} />
          )}
          {plan && <Curve plan={plan} days={isNumber(duration) ? duration : null} />}
        </div>
      </div>
      {children}
      {plan?.isSkewed && (
        <p class="plan-foot">
          A change in a skewed metric also changes its spread: take one week more there.
        </p>
      )}
    </section>
  );
}
