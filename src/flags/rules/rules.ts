import * as z from 'zod';
import { distinctNames, nameSet, partName } from '../../base/fields.ts';
import { deciderIDInput, freeByName, idParam, partIDInput } from '../../base/ids.ts';
import { jsonObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { Reference } from '../../base/naming.ts';
import { sumOf } from '../../base/numbers.ts';
import { nearestStep, restOf, withoutNoise } from '../../engine/evaluation/shares.ts';
import { condition, conditionReferences, groupsNamed } from './conditions.ts';

/** The path of one rule of an entity. */
export const ruleParam = idParam.extend({ ruleID: z.string() });

const percentage = z
  .number()
  .overwrite(withoutNoise)
  .min(0)
  .max(100)
  .refine((share) => share === nearestStep(share), 'must be in steps of 0.01');

/** The hash seed of an entity; an import keeps it, so that no unit changes its group. */
export const salt = z.string().min(1).max(200);

/** Shares of the units that pass a rule, each with its own value; the others get the value of the rule. */
export const variants = z
  .array(
    z
      .object({
        name: partName,
        passPercentage: percentage,
        returnValue: jsonObject,
      })
      .meta({ id: 'RuleVariant' }),
  )
  .max(limits.variants)
  .superRefine(distinctNames('name'))
  .refine(
    (all) => restOf(all.map(({ passPercentage }) => passPercentage)) >= 0,
    'must have shares that sum to 100 at most',
  );

export const rule = z
  .object({
    id: z.string(),
    baseID: z.string(),
    name: partName,
    passPercentage: percentage,
    conditions: z.array(condition).max(limits.conditions),
    environments: nameSet(limits.entries).nullable(),
    returnValue: jsonObject.optional(),
    variants: variants.optional(),
    salt: salt.optional(),
  })
  .meta({ id: 'Rule' });

export type Rule = z.infer<typeof rule>;

export const ruleExample = {
  id: 'r1',
  baseID: 'r1',
  name: 'Ten percent',
  passPercentage: 10,
  conditions: [{ type: 'public' }],
  environments: null,
};

const innerRule = rule
  .partial({ environments: true })
  .extend({ id: partIDInput, baseID: partIDInput });

export const givenRule = innerRule.extend({ id: deciderIDInput }).meta({ id: 'RuleInput' });

/** Whether rules have few enough conditions in total. */
export function haveFewConditions(rules: Pick<Rule, 'conditions'>[]): boolean {
  const conditions = rules.flatMap((each) => each.conditions);
  const groups = sumOf(conditions.map((each) => groupsNamed(each).length));
  return conditions.length <= limits.allConditions && groups <= limits.allConditions;
}
export const fewConditions = `must have at most ${limits.allConditions} conditions in all, and at most ${limits.allConditions} groups in them`;

const ruleList = (each: typeof innerRule) =>
  z
    .array(each)
    .max(limits.rules)
    .superRefine(distinctNames('name'))
    .superRefine(distinctNames('id'))
    .refine(haveFewConditions, fewConditions);

export const rulesInput = ruleList(givenRule);

/** Rules whose IDs no evaluation returns, as it returns the ID of their entity. */
export const innerRulesInput = ruleList(innerRule);

/** Gives each rule its own ID, the ID of the earlier rule with its name unless another requests it, or a random one. */
export function withRuleIDs(rules: z.infer<typeof rulesInput>, earlier: Rule[] = []): Rule[] {
  const byID = new Map(earlier.map((rule) => [rule.id, rule]));
  const byName = freeByName(rules, earlier);
  return rules.map((given) => {
    const same = given.id === undefined ? byName.get(given.name) : byID.get(given.id);
    const id = given.id ?? same?.id ?? crypto.randomUUID();
    const kept = given.salt ?? same?.salt;
    return {
      ...given,
      id,
      baseID: given.baseID ?? same?.baseID ?? id,
      environments: given.environments ?? null,
      ...(kept !== undefined && { salt: kept }),
    };
  });
}

export const ruleReferences = (
  rules: Pick<Rule, 'conditions'>[],
  property = 'rules',
): Reference[] =>
  rules.flatMap(({ conditions }, index) =>
    conditions.flatMap((given, place) =>
      conditionReferences(given, `${property}.${index}.conditions.${place}`),
    ),
  );
