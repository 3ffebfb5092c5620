import type { Context } from 'hono';
import type { Pair } from '../../analysis/base/cells.ts';
import type { Selection } from '../../analysis/read/stored.ts';
import { Problem } from '../../base/problem.ts';
import { dateOfDay, dayOfDate, dayOfTime } from '../../base/time.ts';
import { startOf } from '../../experiments/experiments/analysis.ts';
import type { Experiment } from '../../experiments/experiments/schema.ts';
import { experiments } from '../../experiments/experiments/table.ts';
import { experimentResource } from '../../experiments/experiments/view.ts';
import { resultSettingsOf } from '../../experiments/starts/settings_schema.ts';
import type { Start, StartGroup } from '../../experiments/starts/table.ts';
import type { Service } from '../../platform/env.ts';
import { readCurrent } from '../../platform/http/overdue.ts';
import type { Reads } from '../../platform/store/core/reads.ts';
import { readEntity } from '../../platform/store/entities/entities.ts';

const orNull = <Value>(value: Value | undefined): Value | null => value ?? null;

/** Returns which analysis of an experiment a query selects. */
export const selectionOf = (
  id: string,
  query: {
    start?: number | undefined;
    date?: string | undefined;
    rollup?: number | undefined;
    sequential?: boolean | undefined;
  },
): Selection => ({
  kind: 'experiment',
  id,
  start: orNull(query.start),
  ds: query.date === undefined ? null : dayOfDate(query.date),
  rollup: orNull(query.rollup),
  sequential: orNull(query.sequential),
});

/** Reads an experiment and more in one round trip; an overdue start is stored first. @throws Problem 404 */
export const withExperiment = <More>(
  c: Context<Service>,
  id: string,
  more: (tx: Reads) => Promise<More>,
  read: typeof readEntity = readEntity,
): Promise<[Experiment, More]> =>
  readCurrent(c, experimentResource.overdueChanges, id, (tx) =>
    Promise.all([read(tx, experiments, id), more(tx)]),
  );

/** Returns the selected run, or the one that a start would store. @throws Problem 409 before the start, else 404 */
export function runOf(
  experiment: Experiment,
  stored: Start | undefined,
  start: number | undefined,
): Start {
  if (start === undefined && experiment.startTime === null)
    throw new Problem('transition', `The experiment ${experiment.id} has not started.`);
  if (stored) return stored;
  if (start !== undefined && start !== experiment.startTime)
    throw new Problem(
      'not_found',
      `The experiment ${experiment.id} has no run with the start ${start}.`,
    );
  return startOf(experiment, experiment.startTime ?? 0);
}

/** Returns an experiment with the settings at the decision of a run, or with the groups of an earlier run. */
export function asOfRun<E extends Experiment>(
  experiment: E,
  { start, groups, control, settings: { decided } }: Start,
): E {
  if (decided) return { ...experiment, ...resultSettingsOf(decided) };
  if (start === experiment.startTime) return experiment;
  const known = new Map(experiment.groups.map((group) => [group.id, group]));
  return {
    ...experiment,
    controlGroupID: control,
    groups: groups.map(({ id, name, size }) => ({
      ...{ parameterValues: {}, ...known.get(id) },
      ...{ id, name, size },
    })),
  };
}

/** @throws Problem 400 naming a date before the start or in the future */
export function requireDate({ start }: Start, date: string | undefined, name = 'date'): void {
  if (date === undefined) return;
  const ds = dayOfDate(date);
  if (ds < dayOfTime(start))
    throw Problem.property(name, `must not be before the start, ${dateOfDay(dayOfTime(start))}`);
  if (ds > dayOfTime(Date.now())) throw Problem.property(name, 'must not be in the future');
}

function requireGroup(
  property: 'control' | 'test',
  id: string,
  groups: readonly StartGroup[],
  experiment: Experiment,
): void {
  if (groups.some((group) => group.id === id)) return;
  if (experiment.groups.some((group) => group.id === id))
    throw Problem.property(property, 'must be a group of this run');
  throw new Problem('not_found', `The experiment ${experiment.id} has no group ${id}.`);
}

/** @throws Problem 400 for equal groups or a group of another run, 404 for an unknown group */
export function requireSides(
  experiment: Experiment,
  { groups }: Start,
  { control, test }: Pair,
): void {
  if (control === test) throw Problem.property('test', 'must be another group than control');
  requireGroup('control', control, groups, experiment);
  requireGroup('test', test, groups, experiment);
}

/** @throws Problem 404 for a metric that is not among those of the experiment */
export function requireMetric({ id, settings }: Start, metricID: string): void {
  const { primaryMetrics, secondaryMetrics, otherMetrics } = settings;
  if ([primaryMetrics, secondaryMetrics, otherMetrics].some((list) => list.includes(metricID)))
    return;
  throw new Problem('not_found', `The experiment ${id} has no metric ${metricID}.`);
}

/** @throws Problem 400 for a dimension that is not stored with the exposures */
export function requireDimension({ settings }: Start, dimension: string | undefined): void {
  if (dimension === undefined || settings.dimensions.includes(dimension)) return;
  const known = settings.dimensions.join(', ');
  throw Problem.property(
    'dimension',
    known
      ? `must be a dimension of the experiment: ${known}`
      : 'must be absent: the experiment has no dimensions',
  );
}
