import * as z from 'zod';
import { merge } from '../../base/fields.ts';
import { limits } from '../../base/limits.ts';
import { Problem } from '../../base/problem.ts';
import { fewConditions, givenRule, haveFewConditions, type Rule, withRuleIDs } from './rules.ts';

const position = z.int().min(0);

const example = { name: 'A tenth', passPercentage: 10, conditions: [{ type: 'public' }] };

const addition = givenRule.extend({ position: position.optional() });
const { name, passPercentage, conditions, environments } = givenRule.shape;
const change = z.object({ name, passPercentage, conditions, environments, position }).partial();

/** Body of POST …/rules: a rule and its position, by default the last. */
export const ruleAddition = addition
  .omit({ returnValue: true, variants: true })
  .meta({ id: 'RuleAddition', examples: [{ ...example, position: 0 }] });

export const ruleChange = change.meta({ id: 'RuleChange', examples: [{ passPercentage: 20 }] });

const returned = { ...example, returnValue: { colour: 'green' } };

export const valueRuleAddition = addition.meta({ id: 'ValueRuleAddition', examples: [returned] });
export const valueRuleChange = change
  .extend({
    returnValue: givenRule.shape.returnValue.nullable(),
    variants: givenRule.shape.variants.nullable(),
  })
  .meta({ id: 'ValueRuleChange', examples: [{ passPercentage: 20 }] });

export type RuleAddition = z.infer<typeof addition>;
export type RuleChange = z.infer<typeof valueRuleChange>;

function findRule(rules: Rule[], ruleID: string): { index: number; rule: Rule } {
  const index = rules.findIndex(({ id }) => id === ruleID);
  const rule = rules[index];
  if (!rule) throw new Problem('not_found', `There is no rule with the id ${ruleID}.`);
  return { index, rule };
}

/** Throws Problem 400 for a position out of range, a duplicate name or ID, or too many rules or conditions. */
function insert(others: Rule[], rule: Rule, place: number): Rule[] {
  for (const property of ['name', 'id'] as const)
    if (others.some((other) => other[property] === rule[property]))
      throw Problem.property(property, 'must differ from the other rules');
  if (place > others.length)
    throw Problem.property('position', `must be at most ${others.length}, the last position`);
  if (others.length >= limits.rules)
    throw Problem.property('rules', `must have at most ${limits.rules} entries`);
  const rules = others.toSpliced(place, 0, rule);
  if (!haveFewConditions(rules)) throw Problem.property('rules', fewConditions);
  return rules;
}

export function withRule(rules: Rule[], { position: place, ...given }: RuleAddition): Rule[] {
  const [rule] = withRuleIDs([given]);
  return rule ? insert(rules, rule, place ?? rules.length) : rules;
}

/** Returns the rules without one. @throws Problem 404 */
export const withoutRule = (rules: Rule[], ruleID: string): Rule[] =>
  rules.toSpliced(findRule(rules, ruleID).index, 1);

/** Returns the rules with one changed; null removes its return value or variants. @throws Problem 404 */
export function withChangedRule(rules: Rule[], ruleID: string, body: RuleChange): Rule[] {
  const { position: place, returnValue, variants, ...given } = body;
  const { index, rule: before } = findRule(rules, ruleID);
  const { returnValue: old, variants: shares, ...rule } = before;
  const value = returnValue === undefined ? old : returnValue;
  const split = variants === undefined ? shares : variants;
  const values = { ...(value && { returnValue: value }), ...(split && { variants: split }) };
  const changed = { ...merge(rule, given), ...values };
  return insert(rules.toSpliced(index, 1), changed, place ?? index);
}
