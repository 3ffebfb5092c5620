import type { ExperimentEntity, LayerEntity } from '../entities.ts';
import type { Condition, Rule, Spec } from '../spec.ts';
import { inBucket } from './conditions.ts';
import { allocationOf, targetingConditions } from './experiment.ts';
import { gateOverrides, idOverrides, type Override } from './overrides.ts';
import { isTargeted, type Placement } from './placement.ts';
import { configSpec, holdoutRules, ruleOf } from './rules.ts';
import type { Scope } from './scope.ts';

/** The overrides of all experiments, by id first: where a unit is put into two, the layer picks like the SDKs. */
const overridden = (
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

const isActive = ({ status }: ExperimentEntity) => status === 'active';

/** Experiments that were decided for those who fit, the newest decision first; it is the one that is asked for. */
const launchedForSome = (experiments: readonly ExperimentEntity[]) =>
  experiments
    .filter((experiment) => experiment.status === 'decision_made' && isTargeted(experiment))
    .sort((a, b) => (b.decisionTime ?? 0) - (a.decisionTime ?? 0));

interface Delegation {
  readonly id: string;
  readonly conditions: readonly Condition[];
  readonly experiment: ExperimentEntity;
}

/** To which experiment a layer hands its units on, after its holdouts. */
function delegations(experiments: readonly ExperimentEntity[], place: Placement): Delegation[] {
  const assigned = experiments.filter(isActive).map((experiment) => {
    const buckets = place.buckets.get(experiment.id) ?? [];
    const conditions = [inBucket('any', buckets, allocationOf(experiment, place))];
    return { id: 'experimentAssignment', conditions, experiment };
  });
  const launched = launchedForSome(experiments).map((experiment) => ({
    id: 'launched',
    conditions: targetingConditions(experiment),
    experiment,
  }));
  return [...assigned, ...launched];
}

/**
 * A layer, which hands each unit on to one of its experiments. A decision that is for everybody is part of its
 * defaults, without being written into it: the layer stays what its owner wrote, and a reset takes the effect back.
 * @param experiments all of its own that are served, in the order of their start
 */
export function compileLayer(
  layer: LayerEntity,
  experiments: readonly ExperimentEntity[],
  place: Placement,
  scope: Scope,
): Spec {
  const { id, idType, version } = layer;
  const held = { idType, passPercentage: 100, returnValue: place.untouched };
  const handOn = ({ id, conditions, experiment }: Delegation): Rule =>
    ruleOf({ id, conditions, returnValue: place.defaults, idType, configDelegate: experiment.id });
  const overrides = [
    ...overridden(experiments, (experiment) => idOverrides(experiment, layer, scope)),
    ...overridden(experiments, (experiment) => gateOverrides(experiment, layer, scope)),
  ];
  return configSpec({
    name: id,
    salt: id,
    entity: 'layer',
    idType,
    version,
    defaultValue: place.defaults,
    rules: [
      ...overrides.map(handOn),
      ...holdoutRules(layer.holdoutIDs, held, scope),
      ...delegations(experiments, place).map(handOn),
    ],
  });
}
