import type { ExperimentEntity, LayerEntity } from '../entities.ts';
import type { Spec, SpecCondition, SpecRule } from '../spec.ts';
import { inBucket } from './conditions.ts';
import { allocationOf, targetingConditions } from './experiment.ts';
import { gateOverrides, idOverrides, type Override } from './overrides.ts';
import { type BucketPlacement, isTargeted } from './placement.ts';
import { configSpec, holdoutRules, specRule } from './rules.ts';
import type { CompileScope } from './scope.ts';

/** ID overrides come first. If a unit is in two, the layer and the SDKs choose the first. */
const overrideDelegations = (
  experiments: readonly ExperimentEntity[],
  overridesOf: (experiment: ExperimentEntity) => Override[],
) =>
  experiments.flatMap((experiment) =>
    overridesOf(experiment).map(({ id, conditions }) => ({
      id: `${experiment.id}:${id}`,
      conditions,
      experiment,
    })),
  );

const isActiveExperiment = ({ status }: ExperimentEntity) => status === 'active';

const launchedWithTargeting = (experiments: readonly ExperimentEntity[]) =>
  experiments
    .filter((experiment) => experiment.status === 'decision_made' && isTargeted(experiment))
    .sort((a, b) => (b.decisionTime ?? 0) - (a.decisionTime ?? 0));

interface Delegation {
  readonly id: string;
  readonly conditions: readonly SpecCondition[];
  readonly experiment: ExperimentEntity;
}

function delegations(
  experiments: readonly ExperimentEntity[],
  place: BucketPlacement,
): Delegation[] {
  const assigned = experiments.filter(isActiveExperiment).map((experiment) => {
    const buckets = place.buckets.get(experiment.id) ?? [];
    const conditions = [inBucket('any', buckets, allocationOf(experiment, place))];
    return { id: 'experimentAssignment', conditions, experiment };
  });
  const launched = launchedWithTargeting(experiments).map((experiment) => ({
    id: 'launched',
    conditions: targetingConditions(experiment),
    experiment,
  }));
  return [...assigned, ...launched];
}

/** Compiles a layer. Values launched for everyone become defaults without being stored: a reset removes them. */
export function compileLayer(
  layer: LayerEntity,
  experiments: readonly ExperimentEntity[],
  place: BucketPlacement,
  scope: CompileScope,
): Spec {
  const { id, idType, version } = layer;
  const heldOut = { idType, passPercentage: 100, returnValue: place.unlaunchedDefaults };
  const delegationRule = ({ id, conditions, experiment }: Delegation): SpecRule =>
    specRule({
      id,
      conditions,
      returnValue: place.defaults,
      idType,
      configDelegate: experiment.id,
    });
  const overrides = [
    ...overrideDelegations(experiments, (experiment) => idOverrides(experiment, layer, scope)),
    ...overrideDelegations(experiments, (experiment) => gateOverrides(experiment, layer, scope)),
  ];
  return configSpec({
    name: id,
    salt: id,
    entity: 'layer',
    idType,
    version,
    defaultValue: place.defaults,
    rules: [
      ...overrides.map(delegationRule),
      ...holdoutRules(layer.holdoutIDs, heldOut, scope),
      ...delegations(experiments, place).map(delegationRule),
    ],
  });
}
