import type { OwnRuleID } from '../../../base/own_rule_ids.ts';
import type { ExperimentEntity, GroupEntity } from '../entities.ts';
import type { ParameterValues, Spec, SpecRule } from '../spec.ts';
import { failsGate, inBucket, inEnvironments, passesGate } from './conditions.ts';
import { runSalt, thresholds } from './draw.ts';
import { gateOverrides, idOverrides, type Override } from './overrides.ts';
import {
  type BucketPlacement,
  hasInlineTargeting,
  isUnderTest,
  launchedGroup,
} from './placement.ts';
import { configSpec, holdoutRules, specRule } from './rules.ts';
import type { CompileScope } from './scope.ts';
import { targetingName } from './targeting.ts';

interface CompiledStart {
  readonly experiment: ExperimentEntity;
  readonly place: BucketPlacement;
  readonly salt: string;
}

/** Experiments of a layer share the salt and the ID type, so that a unit enters at most one. */
export const allocationOf = ({ id, idType }: ExperimentEntity, { layer }: BucketPlacement) => ({
  salt: layer?.id ?? `${id}:allocation`,
  idType: layer?.idType ?? idType,
});

const groupValue = (
  { disabled, parameterValues }: GroupEntity,
  { defaults }: BucketPlacement,
): ParameterValues => (disabled ? defaults : { ...defaults, ...parameterValues });

const noGroupRule = (
  { experiment, place }: CompiledStart,
  id: OwnRuleID,
  conditions?: SpecRule['conditions'],
): SpecRule =>
  specRule({
    id,
    returnValue: place.defaults,
    idType: experiment.idType,
    ...(conditions && { conditions }),
  });

/** Overrides are not experiment groups, so that their units are not analyzed. */
const experimentOverrideRule = (
  { experiment, place }: CompiledStart,
  { id, group, conditions }: Override,
): SpecRule =>
  specRule({
    id,
    conditions,
    returnValue: groupValue(group, place),
    idType: experiment.idType,
    groupName: group.name,
  });

function targetingOf(experiment: ExperimentEntity): [id: OwnRuleID, gate: string][] {
  const inline = hasInlineTargeting(experiment) ? targetingName(experiment.id) : '';
  const gates: [OwnRuleID, string][] = [
    ['targetingGate', experiment.targetingGateID],
    ['inlineTargetingRules', inline],
  ];
  return gates.filter(([, gate]) => gate);
}

const targetingRules = (run: CompiledStart): SpecRule[] =>
  targetingOf(run.experiment).map(([id, gate]) => noGroupRule(run, id, [failsGate(gate)]));

function groupRules({ experiment: { groups, idType }, place, salt }: CompiledStart): SpecRule[] {
  const ends = thresholds(groups.map(({ size }) => size));
  return groups.map((group, index) =>
    specRule({
      id: group.id,
      conditions: [inBucket('lt', ends[index] ?? 0, { salt, idType })],
      returnValue: groupValue(group, place),
      idType,
      groupName: group.name,
      isExperimentGroup: true,
    }),
  );
}

const drawRules = (run: CompiledStart, buckets: readonly number[]): SpecRule[] => [
  noGroupRule(run, 'layerAssignment', [
    inBucket('none', buckets, allocationOf(run.experiment, run.place)),
  ]),
  ...targetingRules(run),
  ...groupRules(run),
];

function decidedRules(run: CompiledStart): SpecRule[] {
  const { idType } = run.experiment;
  const group = launchedGroup(run.experiment);
  const returnValue = { ...run.place.defaults, ...group?.parameterValues };
  const groupName = group && { groupName: group.name };
  return [
    ...targetingRules(run),
    specRule({ id: 'launchedGroup', returnValue, idType, ...groupName }),
  ];
}

function statusRules(run: CompiledStart): SpecRule[] {
  const { experiment, place } = run;
  const buckets = place.buckets.get(experiment.id) ?? [];
  switch (experiment.status) {
    case 'active':
    case 'assignment_stopped': // it has no buckets, so no one new is assigned; SDKs that store groups keep them
      return drawRules(run, buckets);
    case 'decision_made':
      return decidedRules(run);
    case 'experiment_stopped':
      return [noGroupRule(run, 'stopped')];
    case 'abandoned':
      return [noGroupRule(run, 'abandoned')];
    default: {
      if (!isUnderTest(experiment)) return [noGroupRule(run, 'prestart')];
      const elsewhere = inEnvironments(experiment.enabledNonProdEnvironments ?? [], 'none');
      return [noGroupRule(run, 'prestart', [elsewhere]), ...drawRules(run, buckets)];
    }
  }
}

/** Held-out units get the defaults, in a layer without launched values. */
function heldOutRules(
  { experiment, place: { layer, unlaunchedDefaults } }: CompiledStart,
  scope: CompileScope,
): SpecRule[] {
  const heldOut = {
    idType: experiment.idType,
    passPercentage: layer ? 100 : 0,
    returnValue: unlaunchedDefaults,
  };
  return holdoutRules([...(layer?.holdoutIDs ?? []), ...experiment.holdoutIDs], heldOut, scope);
}

/** Compiles an experiment: overrides, holdouts, then the rules for its status. */
export function compileExperiment(
  experiment: ExperimentEntity,
  place: BucketPlacement,
  scope: CompileScope,
): Spec {
  const { id, idType, version, status, groups } = experiment;
  const run = { experiment, place, salt: runSalt(experiment) };
  const overrides = [
    ...idOverrides(experiment, place.layer, scope),
    ...gateOverrides(experiment, place.layer, scope),
  ];
  const names = new Set(groups.flatMap(({ parameterValues }) => Object.keys(parameterValues)));
  return configSpec({
    name: id,
    salt: run.salt,
    entity: 'experiment',
    idType,
    version,
    defaultValue: place.defaults,
    isActive: status === 'active' || status === 'assignment_stopped' || isUnderTest(experiment),
    ...(place.layer && { hasSharedParams: true, explicitParameters: [...names] }),
    rules: [
      ...overrides.map((override) => experimentOverrideRule(run, override)),
      ...heldOutRules(run, scope),
      ...statusRules(run),
    ],
  });
}

/** Returns the names of the gates that a unit must pass to take part in an experiment. */
export const targetingGates = (experiment: ExperimentEntity): string[] =>
  targetingOf(experiment).map(([, gate]) => gate);

/** Returns the conditions under which a layer delegates to an experiment with targeting. */
export const targetingConditions = (experiment: ExperimentEntity) =>
  targetingOf(experiment).map(([, gate]) => passesGate(gate));
