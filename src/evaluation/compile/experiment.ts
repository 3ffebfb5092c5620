import type { OwnRuleID } from '../../shared/own_rule_ids.ts';
import type { ExperimentEntity, GroupEntity } from '../entities.ts';
import type { Rule, Spec, Values } from '../spec.ts';
import { failsGate, inBucket, inEnvironments, passesGate } from './conditions.ts';
import { runSalt, thresholds } from './draw.ts';
import { gateOverrides, idOverrides, type Override } from './overrides.ts';
import { hasInlineTargeting, isTried, launchedGroup, type Placement } from './placement.ts';
import { configSpec, holdoutRules, ruleOf } from './rules.ts';
import type { Scope } from './scope.ts';
import { targetingName } from './targeting.ts';

/** An experiment at its place, with what its rules have in common. */
interface Run {
  readonly experiment: ExperimentEntity;
  readonly place: Placement;
  readonly salt: string;
}

/**
 * What draws whether a unit is in an experiment at all. In a layer all experiments share it, and the layer's type of
 * unit, so that a unit is in one of them at most.
 */
export const allocationOf = ({ id, idType }: ExperimentEntity, { layer }: Placement) => ({
  salt: layer?.id ?? `${id}:allocation`,
  idType: layer?.idType ?? idType,
});

/** What the units of a group get; a disabled group is one that gets the defaults. */
const groupValue = ({ disabled, parameterValues }: GroupEntity, { defaults }: Placement): Values =>
  disabled ? defaults : { ...defaults, ...parameterValues };

/** A rule after which a unit is in no group. */
const outside = (
  { experiment, place }: Run,
  id: OwnRuleID,
  conditions?: Rule['conditions'],
): Rule =>
  ruleOf({
    id,
    returnValue: place.defaults,
    idType: experiment.idType,
    ...(conditions && { conditions }),
  });

/** Overridden units are not drawn by chance, so their rules are no experiment groups: nobody analyses them. */
const overrideRule = ({ experiment, place }: Run, { id, group, conditions }: Override): Rule =>
  ruleOf({
    id,
    conditions,
    returnValue: groupValue(group, place),
    idType: experiment.idType,
    groupName: group.name,
  });

/** The gates that those pass who fit an experiment, each with the id of the rule by which the others stay out. */
function targetingOf(experiment: ExperimentEntity): [id: OwnRuleID, gate: string][] {
  const inline = hasInlineTargeting(experiment) ? targetingName(experiment.id) : '';
  const gates: [OwnRuleID, string][] = [
    ['targetingGate', experiment.targetingGateID],
    ['inlineTargetingRules', inline],
  ];
  return gates.filter(([, gate]) => gate);
}

const targetingRules = (run: Run): Rule[] =>
  targetingOf(run.experiment).map(([id, gate]) => outside(run, id, [failsGate(gate)]));

function groupRules({ experiment: { groups, idType }, place, salt }: Run): Rule[] {
  const ends = thresholds(groups.map(({ size }) => size));
  return groups.map((group, index) =>
    ruleOf({
      id: group.id,
      conditions: [inBucket('lt', ends[index] ?? 0, { salt, idType })],
      returnValue: groupValue(group, place),
      idType,
      groupName: group.name,
      isExperimentGroup: true,
    }),
  );
}

/** Who is in some buckets, and fits, is drawn into a group. */
const drawRules = (run: Run, buckets: readonly number[]): Rule[] => [
  outside(run, 'layerAssignment', [
    inBucket('none', buckets, allocationOf(run.experiment, run.place)),
  ]),
  ...targetingRules(run),
  ...groupRules(run),
];

function decidedRules(run: Run): Rule[] {
  const { idType } = run.experiment;
  const group = launchedGroup(run.experiment);
  const returnValue = { ...run.place.defaults, ...group?.parameterValues };
  const groupName = group && { groupName: group.name };
  return [
    ...targetingRules(run),
    ruleOf({ id: 'launchedGroup', returnValue, idType, ...groupName }),
  ];
}

/** The rules that the status of an experiment makes. */
function statusRules(run: Run): Rule[] {
  const { experiment, place } = run;
  const buckets = place.buckets.get(experiment.id) ?? [];
  switch (experiment.status) {
    case 'active':
    case 'assignment_stopped': // has no buckets left: nobody is drawn; SDKs that remember who was keep them
      return drawRules(run, buckets);
    case 'decision_made':
      return decidedRules(run);
    case 'experiment_stopped':
      return [outside(run, 'stopped')];
    case 'abandoned':
      return [outside(run, 'abandoned')];
    default: {
      if (!isTried(experiment)) return [outside(run, 'prestart')];
      const elsewhere = inEnvironments(experiment.enabledNonProdEnvironments ?? [], 'none');
      return [outside(run, 'prestart', [elsewhere]), ...drawRules(run, buckets)];
    }
  }
}

/** Held-out units get the defaults: in a layer those without what was launched since, as they never saw it. */
function heldOutRules({ experiment, place: { layer, untouched } }: Run, scope: Scope): Rule[] {
  const held = {
    idType: experiment.idType,
    passPercentage: layer ? 100 : 0,
    returnValue: untouched,
  };
  return holdoutRules([...(layer?.holdoutIDs ?? []), ...experiment.holdoutIDs], held, scope);
}

/** An experiment, at its place: overrides, holdouts, then what its status makes of it. */
export function compileExperiment(
  experiment: ExperimentEntity,
  place: Placement,
  scope: Scope,
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
    isActive: status === 'active' || status === 'assignment_stopped' || isTried(experiment),
    ...(place.layer && { hasSharedParams: true, explicitParameters: [...names] }),
    rules: [
      ...overrides.map((override) => overrideRule(run, override)),
      ...heldOutRules(run, scope),
      ...statusRules(run),
    ],
  });
}

/** The conditions by which a layer lets those in who fit an experiment. */
export const targetingConditions = (experiment: ExperimentEntity) =>
  targetingOf(experiment).map(([, gate]) => passesGate(gate));
