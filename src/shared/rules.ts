import * as z from 'zod';
import { most } from './bounds.ts';
import {
  arrays,
  type ConditionType,
  conditionTypes,
  nulls,
  numbers,
  times,
  versions,
} from './conditions.ts';
import { distinctNames, partName, texts } from './fields.ts';
import { jsonObject } from './json.ts';
import type { Reference } from './naming.ts';
import { patternFault } from './patterns.ts';

const typeNames = z.enum(Object.keys(conditionTypes)).meta({ id: 'ConditionType' });
const scalar = z.union([z.string(), z.number()]);

const conditionShape = z.object({
  type: typeNames,
  operator: z.string().optional(),
  targetValue: z.union([scalar, z.array(scalar).max(most.targets)]).optional(),
  field: z.string().optional(),
  customID: z.string().optional(),
});

type Condition = z.infer<typeof conditionShape>;
type Target = Condition['targetValue'];

/** Why a target cannot be matched by as a pattern; see `patternFault`. */
const patternMisfit = (target: Target) =>
  typeof target === 'string' ? patternFault(target) : 'must be a regular expression';

const isNumber = (target: Target) =>
  !Array.isArray(target) && target !== '' && Number.isFinite(Number(target));
const isVersion = (target: Target) => typeof target === 'string' && /^\d+(\.\d+)*$/.test(target);

/** Says what a target must be, where it is not. */
const must = (fits: (target: Target) => boolean, message: string) => (target: Target) =>
  fits(target) ? undefined : message;

/** What is wrong with the target value of an operator; what is not here takes text, a number or a list of them. */
const targets: { operators: string[]; fault: (target: Target) => string | undefined }[] = [
  { operators: ['str_matches'], fault: patternMisfit },
  { operators: numbers, fault: must(isNumber, 'must be a number') },
  { operators: versions, fault: must(isVersion, 'must be digits and dots, such as 1.2.3') },
  { operators: [...times, 'on'], fault: must(isNumber, 'must be epoch milliseconds') },
  { operators: arrays, fault: must(Array.isArray, 'must be an array') },
];

/** The first way in which a condition does not fit the table, as property and message. */
function misfit(condition: Condition): [keyof Condition, string] | undefined {
  const { type, operator = '', targetValue } = condition;
  const known: Record<string, ConditionType> = conditionTypes;
  const { operators = [], needs, names, bare } = known[type] ?? {};
  if (operators.length === 0 && operator) return ['operator', `must be absent for ${type}`];
  if (operators.length > 0 && !operators.includes(operator))
    return ['operator', `must be one of ${operators.join(', ')} for ${type}`];
  if (needs && !condition[needs]) return [needs, `is required for ${type}`];
  if (bare || nulls.includes(operator)) return undefined;
  if (targetValue === undefined) return ['targetValue', 'is required'];
  if (names && names !== 'experiment' && typeof targetValue !== 'string')
    return ['targetValue', `must be the id of a ${names}`];
  const target = targets.find((row) => row.operators.includes(operator));
  const fault = target?.fault(targetValue);
  return fault ? ['targetValue', fault] : undefined;
}

export const condition = conditionShape
  .superRefine((value, context) => {
    const found = misfit(value);
    if (found) context.addIssue({ code: 'custom', path: [found[0]], message: found[1] });
  })
  .meta({ id: 'Condition' });

/** The nearest step of 0.01, never -0. */
const nearestStep = (share: number) => Math.round(share * 100) / 100 + 0;

/** The share that a number means: noise of computing with it, such as that of 0.1 + 0.2, is taken off. */
const withoutNoise = (share: number) =>
  Math.abs(share - nearestStep(share)) <= 1e-9 ? nearestStep(share) : share;

/** A share of the units, in percent. */
const percentage = z
  .number()
  .overwrite(withoutNoise)
  .min(0)
  .max(100)
  .refine((share) => share === nearestStep(share), 'must be in steps of 0.01')
  .meta({ description: 'In steps of 0.01.' });

/** What shares are drawn by in place of an id: it brings along who was in which from elsewhere. */
export const salt = z.string().min(1).max(200);

/** A rule: the first whose conditions all hold decides (completions, section 2). */
export const rule = z
  .object({
    id: z.string(),
    baseID: z.string(),
    name: partName,
    passPercentage: percentage,
    conditions: z.array(condition).max(most.conditions),
    environments: texts.nullable(),
    returnValue: jsonObject.optional(),
    salt: salt.optional(),
  })
  .meta({ id: 'Rule' });

export type Rule = z.infer<typeof rule>;

export const givenRule = rule
  .partial({ id: true, baseID: true, environments: true })
  .meta({ id: 'RuleInput' });

/** The rules of a body; the server gives the ids that are absent. */
export const rulesInput = z
  .array(givenRule)
  .max(most.rules)
  .superRefine(distinctNames('name'))
  .superRefine(distinctNames('id'));

/** Gives each rule its id: its own, that of the earlier rule of its name where no other asks for it, or a fresh one. */
export function withRuleIDs(rules: z.infer<typeof rulesInput>, earlier: Rule[] = []): Rule[] {
  const asked = new Set(rules.map(({ id }) => id));
  const [byID, byName] = [
    new Map(earlier.map((rule) => [rule.id, rule])),
    new Map(earlier.filter(({ id }) => !asked.has(id)).map((rule) => [rule.name, rule])),
  ];
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

/** The entities that rules name in their conditions. */
export function ruleReferences(rules: Pick<Rule, 'conditions'>[], property = 'rules'): Reference[] {
  const known: Record<string, ConditionType> = conditionTypes;
  return rules.flatMap(({ conditions }, r) =>
    conditions.flatMap(({ type, field = '', targetValue }, c) => {
      const kind = known[type]?.names;
      if (!kind) return [];
      const [key, id] =
        kind === 'experiment' ? ['field', field] : ['targetValue', String(targetValue)];
      return [{ kind, id, property: `${property}.${r}.conditions.${c}.${key}` }];
    }),
  );
}
