import { allocate } from '../buckets.ts';
import type { ExperimentEntity, LayerEntity } from '../entities.ts';
import type { Values } from '../spec.ts';

/** Where an experiment runs, and what that gives it. */
export interface Placement {
  readonly layer?: LayerEntity;
  /** What units get that are in no group. */
  readonly defaults: Values;
  /** What held-out units get in a layer: its defaults without what was launched since. */
  readonly untouched: Values;
  /** The buckets of each experiment beside it, by its id. */
  readonly buckets: ReadonlyMap<string, readonly number[]>;
}

/** The order in which the experiments of a layer come: by their start, those that have not started last. */
export const inOrderOfStart = <E extends ExperimentEntity>(experiments: readonly E[]): E[] =>
  [...experiments].sort(
    (a, b) =>
      (a.startTime ?? Number.MAX_VALUE) - (b.startTime ?? Number.MAX_VALUE) ||
      (a.id < b.id ? -1 : 1),
  );

/** Whether an experiment asks who may be in it. */
export const isTargeted = (experiment: ExperimentEntity): boolean =>
  experiment.targetingGateID !== '' || hasInlineTargeting(experiment);

/** Whether an experiment has targeting rules of its own. */
export const hasInlineTargeting = ({ inlineTargetingRulesJSON }: ExperimentEntity): boolean =>
  !['', '[]'].includes(inlineTargetingRulesJSON.replace(/\s/g, ''));

/** Whether an experiment in setup can be tried in some environments. */
export const isTried = ({ status, enabledNonProdEnvironments = [] }: ExperimentEntity): boolean =>
  status === 'setup' && enabledNonProdEnvironments.length > 0;

/**
 * The buckets of experiments that share them. Those that an experiment was given at its start stay its own; one that
 * runs without is given free ones, and one that is only tried gets those it would have if it started now.
 */
export function bucketsOf(
  experiments: readonly ExperimentEntity[],
): Map<string, readonly number[]> {
  const active = experiments.filter(({ status }) => status === 'active');
  const buckets = new Map(
    active.flatMap(({ id, allocatedBuckets }) =>
      allocatedBuckets ? [[id, allocatedBuckets]] : [],
    ),
  );
  const held = new Set([...buckets.values()].flat());
  for (const experiment of [...active, ...experiments.filter(isTried)]) {
    if (buckets.has(experiment.id)) continue;
    const given = allocate(experiment, [], held).buckets;
    buckets.set(experiment.id, given);
    if (experiment.status === 'active') for (const bucket of given) held.add(bucket);
  }
  return buckets;
}

/** The group that was decided for; none where none was. */
export const launchedGroup = ({ groups, launchedGroupID }: ExperimentEntity) =>
  groups.find(({ id }) => id === launchedGroupID);

/** The parameters that decided experiments without targeting gave to everybody, in the order of their decisions. */
function launchedValues(experiments: readonly ExperimentEntity[]): Values[] {
  const decided = experiments.filter(
    (experiment) => experiment.status === 'decision_made' && !isTargeted(experiment),
  );
  const inOrder = decided.sort((a, b) => (a.decisionTime ?? 0) - (b.decisionTime ?? 0));
  return inOrder.map((experiment) => launchedGroup(experiment)?.parameterValues ?? {});
}

/** The place of experiments in a layer. `experiments`: all that are served of it, in the order of their start. */
export function inLayer(layer: LayerEntity, experiments: readonly ExperimentEntity[]): Placement {
  const untouched: Values = Object.fromEntries(
    layer.parameters.map(({ name, defaultValue }) => [name, defaultValue]),
  );
  const inOrder = [untouched, ...launchedValues(experiments)];
  const defaults = Object.fromEntries(inOrder.flatMap(Object.entries));
  return { layer, untouched, defaults, buckets: bucketsOf(experiments) };
}

/** The place of an experiment outside all layers. */
export const alone = (experiment: ExperimentEntity): Placement => ({
  untouched: {},
  defaults: {},
  buckets: bucketsOf([experiment]),
});
