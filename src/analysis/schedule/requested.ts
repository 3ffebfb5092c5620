import { dayOfTime } from '../../base/time.ts';
import type { Start } from '../../experiments/starts/table.ts';
import { defaultChunkSize, type LoadJob } from '../../platform/scheduled/budget.ts';
import { closedDay, isFrozen, lastDay } from '../base/days.ts';
import { canLoad, loadNextDay } from '../day/load.ts';
import { type AnalysisKey, readNextDayOf } from '../work/day_tasks.ts';
import { type DueDay, everyMetric } from '../work/due.ts';

export type Refresh = { type: 'full' | 'incremental' } | { type: 'metric'; metricIDs: string[] };

const daysBetween = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);

function presentDay(analysis: Start, now: number): DueDay[] {
  const today = dayOfTime(now);
  const last = lastDay(analysis) ?? today;
  if (today > last || today <= closedDay(now)) return [];
  const metrics = everyMetric(analysis.settings).filter(({ rollup }) => rollup === -1);
  return [{ analysis, ds: today, metrics }];
}

/** Returns the days of an analysis that a request loads. */
export function requestedDays(analysis: Start, refresh: Refresh, now: number): DueDay[] {
  const { start, dueDay, settings } = analysis;
  if (isFrozen(analysis)) return [];
  const last = Math.min(closedDay(now), lastDay(analysis) ?? Number.POSITIVE_INFINITY);
  const ids = refresh.type === 'metric' ? new Set(refresh.metricIDs) : undefined;
  const isWanted = ({ metric }: { metric: string }) => ids?.has(metric) ?? true;
  const metrics = everyMetric(settings).filter(isWanted);
  const from = refresh.type === 'incremental' ? dueDay : dayOfTime(start);
  const closed = daysBetween(from, last).map((ds) => ({ analysis, ds, metrics }));
  const present = presentDay(analysis, now).map((day) => ({
    ...day,
    metrics: day.metrics.filter(isWanted),
  }));
  // A day with some of its metrics must not pass for a loaded one.
  return ids ? closed.filter(({ ds }) => ds < dueDay) : [...closed, ...present];
}

/** Loads the planned days of one analysis, until the budget is used up; the scheduler continues. */
export async function loadAnalysis(
  run: Omit<LoadJob, 'chunkSize'>,
  key: AnalysisKey,
): Promise<void> {
  const load: LoadJob = { ...run, chunkSize: defaultChunkSize };
  const next = readNextDayOf({ ...key, now: run.now });
  while (canLoad(load) && (await loadNextDay(load, next)));
}
