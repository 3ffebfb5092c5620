import { dayOfTime, hourLength } from '../../base/time.ts';
import type { Start } from '../../experiments/starts/table.ts';
import { hasRoom, type LoadJob } from '../../platform/scheduled/budget.ts';
import { storedMoments } from '../base/cells.ts';
import { isFrozen } from '../base/days.ts';
import { dayScope } from '../base/scope.ts';
import { readDailyTotals } from '../work/daily_totals.ts';
import {
  type Advance,
  type DayTask,
  postponeRuns,
  readAnalysis,
  readNextDay,
  storeProgress,
} from '../work/day_tasks.ts';
import { loadedMetrics, type Plans, plansOf, readMetrics } from '../work/plans.ts';
import { advanceTasks, isDone, withAdvances } from './advance.ts';
import { cancelRuns, finishDay } from './finish.ts';

async function healthAfter(analysis: Start, runs: readonly DayTask[], plans: Plans) {
  const cumulative = runs.filter(({ rollup }) => rollup === -1);
  const loaded = new Set(cumulative.map(({ metric }) => metric));
  const isWhole = loadedMetrics(analysis.settings).every((metric) => loaded.has(metric));
  const [first] = runs;
  if (!isWhole || !first || first.ds < (analysis.loadedDay ?? 0)) return undefined;
  const exposures = runs.find(({ metric }) => metric === '')?.partial.exposures ?? [];
  const cells = cumulative.flatMap(({ metric, partial }) =>
    partial.cells
      .filter(({ dimension }) => dimension === '')
      .map((cell) => ({ metric, group: cell.group, moments: storedMoments(cell) })),
  );
  // Statistics are loaded when they are needed, so that no other request pays for them.
  const { loadedChecks } = await import('./checks.ts');
  const days = first.ds - dayOfTime(analysis.start) + 1;
  return loadedChecks({ analysis, plans, cells, exposures, days });
}

const trips = { day: 6, chunk: 2 };

async function loadDay(load: LoadJob, first: DayTask, planned: readonly DayTask[]): Promise<void> {
  const wanted = planned.map(({ metric }) => metric).filter((metric) => metric !== '');
  const [[analysis], totals] = await load.db.batch(
    readAnalysis(first),
    readDailyTotals(wanted, dayOfTime(first.start), first.ds),
  );
  if (!analysis || isFrozen(analysis)) {
    await load.db.batch(...cancelRuns(first, load.now));
    return;
  }
  const plans = plansOf(analysis, await readMetrics(load, wanted));
  const scope = dayScope(analysis, first.ds);
  let runs = planned;
  while (!runs.every(isDone)) {
    if (!hasRoom(load, trips.chunk)) return;
    const advanced = await advanceTasks(load, scope, runs, plans);
    const stored = advanced.map(({ run, after }): Advance => {
      const before = runs.find((one) => one.metric === run.metric && one.rollup === run.rollup);
      return { before: before ?? run, after };
    });
    await load.db.batch(...storeProgress(stored));
    runs = withAdvances(runs, advanced);
    await scheduler.wait(0); // Lets other requests run: in a local server they would wait for the whole load.
  }
  if (!hasRoom(load, 1)) return;
  const health = await healthAfter(analysis, runs, plans);
  await load.db.batch(...finishDay(analysis, runs, { now: load.now, health, totals, plans }));
}

/** A day that failed waits, so that its analysis delays no other. */
const retryAfter = hourLength;

async function postpone(
  load: LoadJob,
  { kind, id, start, ds }: DayTask,
  error: unknown,
): Promise<void> {
  const failed = { job: 'analyses', outcome: 'failed', kind, id, start, ds };
  console.error(JSON.stringify({ ...failed, error: String(error) }));
  await load.db.batch(postponeRuns({ kind, id, start, ds }, load.now + retryAfter));
}

/** Loads the next planned day; returns false without one. Each chunk is stored, so an interruption repeats only one. */
export async function loadNextDay(
  load: LoadJob,
  next = readNextDay({ now: load.now }),
): Promise<boolean> {
  const [planned] = await load.db.batch(next);
  const [first] = planned;
  if (!first) return false;
  try {
    await loadDay(load, first, planned);
  } catch (error) {
    if (!hasRoom(load, 1)) throw error;
    await postpone(load, first, error);
  }
  return true;
}

export const canLoad = (load: LoadJob): boolean => hasRoom(load, trips.day);
