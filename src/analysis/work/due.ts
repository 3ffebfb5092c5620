import { dayOfTime, hourLength } from '../../base/time.ts';
import type { Start, StartSettings } from '../../experiments/starts/table.ts';
import { closedDay, isDecidedStart, isFrozen, lastDay } from '../base/days.ts';
import { noProgress } from '../base/progress.ts';
import { fixedEnd, keyOfAnalysis } from '../base/scope.ts';
import type { DayTask } from './day_tasks.ts';
import { loadedMetrics, scorecard } from './plans.ts';

export interface DueDay {
  analysis: Start;
  ds: number;
  metrics: { metric: string; rollup: number }[];
}

const rollups = [-1, 1, 7] as const;

const preliminaryEvery = hourLength;

/** Returns the metrics of a closed day: cumulative, and of the scorecard also of 1 and 7 days. */
export function everyMetric(settings: StartSettings): DueDay['metrics'] {
  const inScorecard = new Set(scorecard(settings));
  return loadedMetrics(settings).flatMap((metric) =>
    rollups
      .filter((rollup) => rollup === -1 || inScorecard.has(metric))
      .map((rollup) => ({ metric, rollup })),
  );
}

/** Returns the day of an analysis that is loaded next: the first closed one, or the present day once an hour. */
export function nextDay(analysis: Start, now: number): DueDay | undefined {
  const { dueDay, settings, loadedTime } = analysis;
  if (isFrozen(analysis)) return undefined;
  const last = lastDay(analysis) ?? Number.POSITIVE_INFINITY;
  if (dueDay <= Math.min(closedDay(now), last))
    return { analysis, ds: dueDay, metrics: everyMetric(settings) };
  const today = dayOfTime(now);
  const isRecent = loadedTime !== null && now - loadedTime < preliminaryEvery;
  if (isRecent || today < dueDay || today > last) return undefined;
  const cumulative = loadedMetrics(settings).map((metric) => ({ metric, rollup: -1 }));
  return { analysis, ds: today, metrics: cumulative };
}

const runsOf = ({ analysis, ds, metrics }: DueDay, now: number): DayTask[] => {
  const { kind, id, start } = analysis;
  return [{ metric: '', rollup: -1 }, ...metrics].map((each) => ({
    ...{ kind, id, start, ds, ...each },
    phase: 'waiting' as const,
    nextUnit: '',
    partial: noProgress(''),
    plannedTime: now,
  }));
};

function joinDays(days: readonly DueDay[]): DueDay[] {
  const keyOf = ({ analysis, ds }: DueDay) => `${ds} ${keyOfAnalysis(analysis)}`;
  return [...Map.groupBy(days, keyOf).values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const all = same.flatMap(({ metrics }) => metrics);
    const distinct = new Map(all.map((each) => [`${each.metric} ${each.rollup}`, each]));
    return [{ ...first, metrics: [...distinct.values()] }];
  });
}

/** Returns the runs of days, each once. `now` in epoch milliseconds. */
export const runsOfDays = (days: readonly DueDay[], now: number): DayTask[] =>
  joinDays(days).flatMap((day) => runsOf(day, now));

/** Returns the loaded days of some metrics from one day to another. */
export function loadedDays(
  analysis: Start,
  metrics: DueDay['metrics'],
  { from, to }: { from: number; to: number },
): DueDay[] {
  const { loadedDay, start } = analysis;
  if (loadedDay === null || metrics.length === 0) return [];
  const first = Math.max(from, dayOfTime(start));
  const count = Math.max(0, Math.min(to, loadedDay) - first + 1);
  return Array.from({ length: count }, (_, index) => ({ analysis, ds: first + index, metrics }));
}

/** Returns an analysis with another end, and its days from the earlier of both fixed ends on; nothing if the end is the same. */
export function daysOfEnd(before: Start, analysis: Start) {
  const ends = [before, analysis].map((one) => fixedEnd(one) ?? Number.POSITIVE_INFINITY);
  const [end, other] = ends;
  const isSame = end === other && before.loadedDay === analysis.loadedDay;
  if (isSame || isDecidedStart(analysis)) return [];
  const { dueDay: ds, settings } = analysis;
  const from = dayOfTime(Math.min(...ends) - 1);
  const metrics = everyMetric(settings);
  return [
    {
      analysis,
      days: loadedDays(analysis, metrics, { from, to: Number.POSITIVE_INFINITY }),
      next: from <= ds ? [{ analysis, ds, metrics }] : [],
    },
  ];
}
