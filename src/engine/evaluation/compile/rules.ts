import { distinct } from '../../../base/distinct.ts';
import { bucketCount } from '../buckets.ts';
import type { RuleEntity } from '../entities.ts';
import type { ParameterValues, Spec, SpecCondition, SpecRule } from '../spec.ts';
import { compileCondition, condition, inBucket, inEnvironments, passesGate } from './conditions.ts';
import { type CompileScope, reaches } from './scope.ts';

type GivenRule = Pick<SpecRule, 'id' | 'returnValue' | 'idType'> & Partial<SpecRule>;

/** Returns a rule that passes everyone unless properties are given. */
export const specRule = (given: GivenRule): SpecRule => ({
  name: given.id,
  salt: '',
  passPercentage: 100,
  conditions: [condition('public', { idType: given.idType })],
  isDeviceBased: false,
  ...given,
});

/** Adds a condition on an environment; "", null and undefined mean all environments. */
export const alsoIn = (
  environment: string | null | undefined,
  conditions: readonly SpecCondition[],
): SpecCondition[] => [...(environment ? [inEnvironments([environment])] : []), ...conditions];

interface Owner {
  readonly idType: string;
  readonly salt: string;
  returnValue(own: ParameterValues | undefined): boolean | ParameterValues;
}

function compileRule(rule: RuleEntity, { idType, returnValue }: Owner): SpecRule {
  return {
    name: rule.name,
    id: rule.id,
    // `baseID` survives edits, so a higher percentage keeps the units that passed.
    salt: rule.salt ?? rule.baseID,
    passPercentage: rule.passPercentage,
    conditions: [
      ...(rule.environments ? [inEnvironments(rule.environments)] : []),
      ...rule.conditions.flatMap((given) => compileCondition(given, idType)),
    ],
    returnValue: returnValue(rule.returnValue),
    idType,
    isDeviceBased: false,
  };
}

/** Variants use another bucket than the pass percentage, so that a higher percentage moves no unit between them. */
function variantRules(rule: SpecRule, { variants = [] }: RuleEntity, owner: Owner): SpecRule[] {
  if (typeof rule.returnValue === 'boolean') return [rule]; // a gate has no variants
  const salt = `${owner.salt}.${rule.salt}:variants`;
  let sum = 0;
  const each = variants.map(({ name, passPercentage, returnValue }) => {
    sum += passPercentage;
    const within = inBucket('lt', Math.round(10 * sum), { salt, idType: rule.idType });
    const conditions = [...rule.conditions, within];
    return { ...rule, id: `${rule.id}:${name}`, name, conditions, returnValue };
  });
  return Math.round(10 * sum) < bucketCount ? [...each, rule] : each;
}

/** Compiles rules in order, except rules for environments that the key lacks. */
export const compileRules = (
  rules: readonly RuleEntity[],
  owner: Owner,
  scope: CompileScope,
): SpecRule[] =>
  rules
    .filter(({ environments }) => reaches(scope, environments))
    .flatMap((rule) => variantRules(compileRule(rule, owner), rule, owner));

type HeldOut = Pick<SpecRule, 'idType' | 'passPercentage' | 'returnValue'>;

/** Returns a rule for each holdout that excludes its units. */
export const holdoutRules = (
  holdoutIDs: readonly string[],
  heldOut: HeldOut,
  scope: CompileScope,
): SpecRule[] =>
  distinct(holdoutIDs).map((id) =>
    specRule({ ...heldOut, id, conditions: [passesGate(scope.holdoutName(id))] }),
  );

/** Returns a spec that gives the default. It has no rules, because one SDK evaluates those of disabled specs. */
export const disable = (spec: Spec): Spec => ({ ...spec, enabled: false, rules: [] });

export const gateSpec = (
  given: Pick<Spec, 'name' | 'salt' | 'entity' | 'idType' | 'version' | 'rules'>,
): Spec => ({
  type: 'feature_gate',
  enabled: true,
  defaultValue: false,
  isDeviceBased: false,
  ...given,
});

export const configSpec = (
  given: Pick<Spec, 'name' | 'salt' | 'entity' | 'idType' | 'version' | 'rules' | 'defaultValue'> &
    Partial<Spec>,
): Spec => ({ type: 'dynamic_config', enabled: true, isDeviceBased: false, ...given });
