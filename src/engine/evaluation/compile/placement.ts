import { allocate } from '../buckets.ts';
import type { ExperimentEntity, LayerEntity } from '../entities.ts';
import type { ParameterValues } from '../spec.ts';

export interface BucketPlacement {
  readonly layer?: LayerEntity;
  readonly defaults: ParameterValues;
  /** The values of held-out units in a layer: its defaults without launched values. */
  readonly unlaunchedDefaults: ParameterValues;
  /** The buckets of all experiments in the same place, by ID. */
  readonly buckets: ReadonlyMap<string, readonly number[]>;
}

/** Sorts experiments by start time; those not started are last. */
export const inOrderOfStart = <E extends ExperimentEntity>(experiments: readonly E[]): E[] =>
  [...experiments].sort(
    (a, b) =>
      (a.startTime ?? Number.MAX_VALUE) - (b.startTime ?? Number.MAX_VALUE) ||
      (a.id < b.id ? -1 : 1),
  );

export const isTargeted = (experiment: ExperimentEntity): boolean =>
  experiment.targetingGateID !== '' || hasInlineTargeting(experiment);

export const hasInlineTargeting = ({ inlineTargetingRulesJSON }: ExperimentEntity): boolean =>
  !['', '[]'].includes(inlineTargetingRulesJSON.replace(/\s/g, ''));

/** Whether an experiment in setup can be tested in some environments. */
export const isUnderTest = ({
  status,
  enabledNonProdEnvironments = [],
}: ExperimentEntity): boolean => status === 'setup' && enabledNonProdEnvironments.length > 0;

/** Returns buckets by experiment. Those allocated at a start are kept; experiments under test may share buckets. */
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
  for (const experiment of [...active, ...experiments.filter(isUnderTest)]) {
    if (buckets.has(experiment.id)) continue;
    const given = allocate(experiment, [], held).buckets;
    buckets.set(experiment.id, given);
    if (experiment.status === 'active') for (const bucket of given) held.add(bucket);
  }
  return buckets;
}

export const launchedGroup = ({ groups, launchedGroupID }: ExperimentEntity) =>
  groups.find(({ id }) => id === launchedGroupID);

function launchedValues(experiments: readonly ExperimentEntity[]): ParameterValues[] {
  const decided = experiments.filter(
    (experiment) => experiment.status === 'decision_made' && !isTargeted(experiment),
  );
  const inOrder = decided.sort((a, b) => (a.decisionTime ?? 0) - (b.decisionTime ?? 0));
  return inOrder.map((experiment) => launchedGroup(experiment)?.parameterValues ?? {});
}

/** Returns the placement in a layer. `experiments`: all served experiments of the layer, by start time. */
export function inLayer(
  layer: LayerEntity,
  experiments: readonly ExperimentEntity[],
): BucketPlacement {
  const unlaunchedDefaults: ParameterValues = Object.fromEntries(
    layer.parameters.map(({ name, defaultValue }) => [name, defaultValue]),
  );
  const inOrder = [unlaunchedDefaults, ...launchedValues(experiments)];
  const defaults = Object.fromEntries(inOrder.flatMap(Object.entries));
  return { layer, unlaunchedDefaults, defaults, buckets: bucketsOf(experiments) };
}

/** Returns the placement outside a layer. */
export const outsideLayers = (experiment: ExperimentEntity): BucketPlacement => ({
  unlaunchedDefaults: {},
  defaults: {},
  buckets: bucketsOf([experiment]),
});
