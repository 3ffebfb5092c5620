import { distinct } from '../../shared/distinct.ts';
import { bucketCount } from '../buckets.ts';
import type { RuleEntity } from '../entities.ts';
import type { Condition, Rule, Spec, Values } from '../spec.ts';
import { compileCondition, condition, inBucket, inEnvironments, passesGate } from './conditions.ts';
import { reaches, type Scope } from './scope.ts';

type GivenRule = Pick<Rule, 'id' | 'returnValue' | 'idType'> & Partial<Rule>;

/** A rule of which only its id is to be said: it passes everybody, without a draw. */
export const ruleOf = (given: GivenRule): Rule => ({
  name: given.id,
  salt: '',
  passPercentage: 100,
  conditions: [condition('public', { idType: given.idType })],
  isDeviceBased: false,
  ...given,
});

/** Conditions that hold in some environments only; "", null and none given mean in all of them. */
export const alsoIn = (
  environment: string | null | undefined,
  conditions: readonly Condition[],
): Condition[] => [...(environment ? [inEnvironments([environment])] : []), ...conditions];

/** What the rules of an entity have in common. */
interface Owner {
  readonly idType: string;
  /** That of its spec. */
  readonly salt: string;
  /** What a rule answers, of what it has itself. */
  returnValue(own: Values | undefined): boolean | Values;
}

/** A rule as it is, but for its variants. */
function compileRule(rule: RuleEntity, { idType, returnValue }: Owner): Rule {
  return {
    name: rule.name,
    id: rule.id,
    // The `baseID` survives edits, so that raising a percentage keeps those who passed.
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

/**
 * A rule for each variant of a rule, by the buckets that are its share, and the rule itself for the rest. All pass by the
 * same draw, and the buckets are drawn by another, so that a larger percentage moves nobody from variant to variant.
 */
function variantRules(rule: Rule, { variants = [] }: RuleEntity, owner: Owner): Rule[] {
  if (typeof rule.returnValue === 'boolean') return [rule]; // a gate has one value for all who pass
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

/** The rules of an entity, in order, without those for environments that the key does not have. */
export const compileRules = (rules: readonly RuleEntity[], owner: Owner, scope: Scope): Rule[] =>
  rules
    .filter(({ environments }) => reaches(scope, environments))
    .flatMap((rule) => variantRules(compileRule(rule, owner), rule, owner));

/** What held-out units get. */
type HeldOut = Pick<Rule, 'idType' | 'passPercentage' | 'returnValue'>;

/** A rule for each holdout, in order, by which it keeps its units out. */
export const holdoutRules = (
  holdoutIDs: readonly string[],
  heldOut: HeldOut,
  scope: Scope,
): Rule[] =>
  distinct(holdoutIDs).map((id) =>
    ruleOf({ ...heldOut, id, conditions: [passesGate(scope.holdoutName(id))] }),
  );

/** A spec that gives everybody its default. It has no rules, as one SDK evaluates those of a disabled spec too. */
export const disabled = (spec: Spec): Spec => ({ ...spec, enabled: false, rules: [] });

/** What the spec of a gate, holdout or segment has in common with every other. */
export const gateSpec = (
  given: Pick<Spec, 'name' | 'salt' | 'entity' | 'idType' | 'version' | 'rules'>,
): Spec => ({
  type: 'feature_gate',
  enabled: true,
  defaultValue: false,
  isDeviceBased: false,
  ...given,
});

/** What the spec of a config, experiment, autotune or layer has in common with every other. */
export const configSpec = (
  given: Pick<Spec, 'name' | 'salt' | 'entity' | 'idType' | 'version' | 'rules' | 'defaultValue'> &
    Partial<Spec>,
): Spec => ({ type: 'dynamic_config', enabled: true, isDeviceBased: false, ...given });
