import type { Start } from '../../experiments/starts/table.ts';
import type { LoadJob } from '../../platform/scheduled/budget.ts';
import { countExposures, withLargestSlices, withoutRarest } from '../base/exposures.ts';
import { noProgress } from '../base/progress.ts';
import type { DayScope } from '../base/scope.ts';
import { definitionOf, isPlanned } from '../plan/metric.ts';
import type { MetricPlan } from '../plan/plan.ts';
import { readExposures, readUnits } from '../sql/statements.ts';
import type { Advance, DayTask } from '../work/day_tasks.ts';
import type { Plans } from '../work/plans.ts';
import type { LoadDay } from './chunks.ts';
import { firstPhase, stepOf, type TaskState, type TaskStep } from './steps.ts';

/** Metrics times units of a statement: four metrics of 10,000 units read 120,000 rows. */
const maxValues = 40_000;

/** D1 accepts 100 columns of a result and 100 parameters. Four columns describe the unit. */
const most = { columns: 90, parameters: 95 };

type Advanced = { run: DayTask; after: Advance['after'] };

export const isDone = ({ phase }: DayTask) => phase === 'done';

async function advanceExposures(load: LoadJob, scope: DayScope, run: DayTask): Promise<Advanced[]> {
  const chunk = { after: run.nextUnit, size: load.chunkSize };
  const [units] = await load.db.batch(readExposures(scope, chunk));
  const known = run.partial.exposures ?? [];
  const exposures = withoutRarest(countExposures(known, units, scope));
  const isLast = units.length < load.chunkSize;
  const partial = {
    ...noProgress(''),
    exposures: isLast ? withLargestSlices(exposures) : exposures,
  };
  const nextUnit = units.at(-1)?.unit ?? run.nextUnit;
  return [{ run, after: { phase: isLast ? 'done' : 'moments', nextUnit, partial } }];
}

function dayOfTask({ partial: { exposures } }: DayTask, { settings }: Start): LoadDay {
  const ofAll = exposures.filter(({ dimension }) => dimension === '');
  const slices = settings.dimensions.map((dimension) => {
    const own = exposures.filter((cell) => cell.dimension === dimension);
    const units = new Map<string, number>();
    for (const { slice, cumulative } of own) units.set(slice, (units.get(slice) ?? 0) + cumulative);
    return [dimension, units] as const;
  });
  return {
    units: ofAll.reduce((sum, { cumulative }) => sum + cumulative, 0),
    dimensions: settings.dimensions,
    slices: new Map(slices),
  };
}

interface Work {
  run: DayTask;
  state: TaskState;
  step: TaskStep;
}

const dayFor = (day: LoadDay, rollup: number): LoadDay =>
  rollup === -1 ? day : { ...day, dimensions: [] };

function workOf(run: DayTask, plan: MetricPlan, scope: DayScope, day: LoadDay): Work {
  const definition = definitionOf(plan);
  const isBegun = run.phase !== 'waiting' && run.partial.definition === definition;
  const state: TaskState = isBegun
    ? { phase: run.phase, progress: run.partial }
    : { phase: firstPhase(plan, day), progress: noProgress(definition) };
  const begun = isBegun ? run : { ...run, nextUnit: '' };
  const task = { scope, rollup: run.rollup, day: dayFor(day, run.rollup) };
  return { run: begun, state, step: stepOf(plan, task, state) };
}

const endedTask = (run: DayTask, { phase, progress }: TaskState): Advanced => ({
  run,
  after: { phase, nextUnit: '', partial: progress },
});

function together(all: readonly Work[], scope: DayScope, size: { chunk: number; units: number }) {
  const [first] = all;
  const alike = all.filter(({ run, step }) => step.chunk && run.nextUnit === first?.run.nextUnit);
  const units = Math.max(1, Math.min(size.chunk, size.units));
  const fitting = Math.max(1, Math.floor(maxValues / units));
  for (let count = Math.min(fitting, alike.length); ; count = Math.ceil(count / 2)) {
    const works = alike.slice(0, count);
    const columns = works.flatMap(({ step }) => step.chunk?.columns ?? []);
    const chunk = { after: first?.run.nextUnit ?? '', size: size.chunk };
    const statement = readUnits(scope, chunk, columns);
    const fits = columns.length <= most.columns && statement.params.length <= most.parameters;
    if (fits || count <= 1) return { works, statement };
  }
}

async function advanceMetrics(
  load: LoadJob,
  scope: DayScope,
  all: readonly Work[],
  units: number,
): Promise<Advanced[]> {
  const [first] = all;
  if (!first) return [];
  if (first.step.whole) {
    const { statements, end } = first.step.whole;
    const results = statements.length > 0 ? await load.db.batch(...statements) : [];
    return [endedTask(first.run, end(results.map(([row]) => row ?? [])))];
  }
  const { works, statement } = together(all, scope, { chunk: load.chunkSize, units });
  const [rows] = await load.db.batch(statement);
  const isLast = rows.length < load.chunkSize;
  let place = 0;
  return works.flatMap(({ run, state, step }) => {
    if (!step.chunk) return [];
    const { columns, add, end } = step.chunk;
    const from = place;
    place += columns.length;
    const own = rows.map(({ unit, raw }) => ({
      unit,
      raw: raw.slice(from, from + columns.length),
    }));
    const progress = add(own);
    if (isLast) return [endedTask(run, end(progress))];
    const nextUnit = rows.at(-1)?.unit.unit ?? run.nextUnit;
    return [{ run, after: { phase: state.phase, nextUnit, partial: progress } }];
  });
}

const withoutPlan = (runs: readonly DayTask[], plans: Plans): Advanced[] =>
  runs.flatMap((run) => {
    const plan = plans.get(run.metric);
    if (run.metric === '' || isDone(run) || (plan && isPlanned(plan))) return [];
    const definition = plan ? definitionOf(plan) : '';
    return [endedTask(run, { phase: 'done', progress: noProgress(definition) })];
  });

/** Reads the next chunk of units of a day, and returns the runs that it advances. Exposures come first. */
export async function advanceTasks(
  load: LoadJob,
  scope: DayScope,
  runs: readonly DayTask[],
  plans: Plans,
) {
  const exposures = runs.find(({ metric }) => metric === '');
  if (exposures && !isDone(exposures)) return advanceExposures(load, scope, exposures);
  const ended = withoutPlan(runs, plans);
  if (ended.length > 0) return ended;
  if (!exposures) throw new Error('A planned day has no run of its exposures.');
  const day = dayOfTask(exposures, scope.analysis);
  const all = runs.flatMap((run) => {
    const plan = plans.get(run.metric);
    return isDone(run) || !plan || !isPlanned(plan) ? [] : [workOf(run, plan, scope, day)];
  });
  return advanceMetrics(load, scope, all, day.units);
}

export const withAdvances = (runs: readonly DayTask[], advanced: readonly Advanced[]): DayTask[] =>
  runs.map((run) => {
    const found = advanced.find(
      ({ run: { metric, rollup } }) => metric === run.metric && rollup === run.rollup,
    );
    return found ? { ...run, ...found.after } : run;
  });
