import { dayOfTime } from '../../base/time.ts';
import type { Start } from '../../experiments/starts/table.ts';
import {
  type Cell,
  loadedMoments,
  mergeAll,
  type SinceExposure,
  type StoredMoments,
  sinceDimension,
  storedMoments,
} from '../base/cells.ts';
import type { Unit } from '../base/exposures.ts';
import type { TaskProgress } from '../base/progress.ts';
import { type DayScope, eventEnd } from '../base/scope.ts';
import { isPlanned } from '../plan/metric.ts';
import type { MetricPlan, NoPlan } from '../plan/plan.ts';
import type { Value } from './chunks.ts';
import type { UnitReading } from './reading.ts';

/** Days after the exposure with results of their own: each takes as much space as a day of the metric. */
const maxDays = 28;

export const weekLength = 7;

export const sinceRollup = 0;

/** Returns why a metric has no results by days since the exposure; undefined if it has. */
export function whyNotSince(plan: MetricPlan | NoPlan): string | undefined {
  if (!isPlanned(plan)) return plan.detail;
  if (plan.type === 'percentile') return 'The percentiles of several days cannot be merged.';
  if (plan.bakeDays > 0) return 'The metric counts events only after some days.';
  const waits = plan.type === 'units' && plan.matures !== null;
  return waits ? 'The metric counts a unit only when its window is over.' : undefined;
}

interface SinceTask {
  scope: DayScope;
  rollup: number;
}

/** Returns the readings of a whole day, each under the days since the unit's exposure. */
export function valuesSince(
  { scope, rollup }: SinceTask,
  plan: MetricPlan,
  read: readonly { unit: Unit; reading: UnitReading }[],
): Value[] {
  const isWhole = eventEnd(scope, 0) === scope.end;
  if (rollup !== 1 || !isWhole || whyNotSince(plan) !== undefined) return [];
  return read.flatMap(({ unit: { group, time }, reading }) => {
    const day = scope.ds - dayOfTime(time);
    const place = { dimension: sinceDimension, slice: String(day), group };
    return day < maxDays ? [{ ...place, reading }] : [];
  });
}

function storedSince(cells: readonly Cell[]): (StoredMoments | null)[] {
  const byDay = new Map(cells.map((cell) => [Number(cell.slice), cell]));
  return Array.from({ length: Math.max(-1, ...byDay.keys()) + 1 }, (_, day) => {
    const cell = byDay.get(day);
    return cell
      ? { ...storedMoments(cell), ...(cell.skipped > 0 && { skipped: cell.skipped }) }
      : null;
  });
}

interface DayRun {
  metric: string;
  rollup: number;
  ds: number;
  partial: Pick<TaskProgress, 'cells' | 'definition'>;
}

/** Returns the rows of a week with one of its days, for each group; none for a metric without such results. */
export function weekRows(
  { kind, id, start, groups }: Start,
  { metric, rollup, ds, partial }: DayRun,
  plan: MetricPlan | NoPlan | undefined,
) {
  if (rollup !== 1 || !plan || whyNotSince(plan) !== undefined) return [];
  const since = partial.cells.filter(({ dimension }) => dimension === sinceDimension);
  const firstOfWeek = ds - ((ds - dayOfTime(start)) % weekLength);
  return groups.map(({ id: group }) => ({
    ...{ kind, id, start, metric, rollup: sinceRollup, ds: firstOfWeek },
    ...{ dimension: '', slice: '', group, definition: partial.definition, n: 0 },
    moments: { since: { [ds]: storedSince(since.filter((cell) => cell.group === group)) } },
    ...{ upper: null, upperDenominator: null, skipped: 0 },
  }));
}

const cellsOf = (stored: readonly (StoredMoments | null)[], group: string): Cell[] =>
  stored.flatMap((moments, day) =>
    moments === null
      ? []
      : {
          ...{ dimension: sinceDimension, slice: String(day), group },
          moments: loadedMoments(moments),
          largest: { y: null, d: null },
          skipped: moments.skipped ?? 0,
          total: moments.total ?? 0,
          ...(moments.steps && { steps: moments.steps }),
          ...(moments.seconds && { seconds: loadedMoments(moments.seconds) }),
        },
  );

/** Returns the units of some days together, by days since the exposure; undefined unless all days are stored. */
export function mergedSince(
  groups: ReadonlyMap<string, SinceExposure>,
  { from, to }: { from: number; to: number },
): Cell[] | undefined {
  let merged: Cell[] = [];
  for (let ds = from; ds <= to; ds++)
    for (const [group, days] of groups) {
      const own = days[ds];
      if (!own) return undefined;
      merged = mergeAll(merged, cellsOf(own, group));
    }
  return merged;
}
