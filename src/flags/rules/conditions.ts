import * as z from 'zod';
import { limits } from '../../base/limits.ts';
import { partID, type Reference } from '../../base/naming.ts';
import { numberOf } from '../../base/numbers.ts';
import { report } from '../../base/report.ts';
import { canonicalAddress } from '../../engine/evaluation/addresses.ts';
import {
  arrays,
  type ConditionType,
  conditionTypes,
  nulls,
  numbers,
  times,
  versions,
} from '../../engine/evaluation/condition_table.ts';
import { epochMilliseconds, isLong, longestSearched } from '../../engine/evaluation/readable.ts';
import { servedPatternFault } from '../../engine/patterns/served.ts';

const known: Record<string, ConditionType> = conditionTypes;

const typeNames = z.enum(Object.keys(conditionTypes)).meta({ id: 'ConditionType' });
const scalar = z.union([z.string(), z.number()]);

const conditionShape = z.object({
  type: typeNames,
  operator: z.string().optional(),
  targetValue: z.union([scalar, z.array(scalar).max(limits.targets)]).optional(),
  field: z.string().optional(),
  customID: z.string().optional(),
});

type RuleCondition = z.infer<typeof conditionShape>;
type ConditionTarget = RuleCondition['targetValue'];

const patternFaultOf = (target: ConditionTarget) =>
  typeof target === 'string' ? servedPatternFault(target) : 'must be a regular expression';

/** Evaluation parses targets; other targets would never match. */
const isNumber = (target: ConditionTarget) => Number.isFinite(numberOf(target));
const isTimeTarget = (target: ConditionTarget) =>
  epochMilliseconds(numberOf(target) ?? Number.NaN) !== undefined;
const isVersion = (target: ConditionTarget) =>
  typeof target === 'string' && !isLong(target) && /^\d+(\.\d+)*$/.test(target);

const must =
  (fits: (target: ConditionTarget) => boolean, message: string) => (target: ConditionTarget) =>
    fits(target) ? undefined : message;

/** The check of the target by operator; other operators take text, a number or a list of them. */
const targets: { operators: string[]; fault: (target: ConditionTarget) => string | undefined }[] = [
  { operators: ['str_matches'], fault: patternFaultOf },
  { operators: numbers, fault: must(isNumber, 'must be a number') },
  { operators: versions, fault: must(isVersion, 'must be digits and dots, such as 1.2.3') },
  { operators: [...times, 'on'], fault: must(isTimeTarget, 'must be epoch milliseconds') },
  { operators: arrays, fault: must(Array.isArray, 'must be an array') },
];

const anyOperators = ['any', 'str_contains_any', 'array_contains_any'];

function elementFault(type: string, operator: string, target: string | number): string | undefined {
  if (type === 'ip_address' && canonicalAddress(String(target)) === undefined)
    return 'must be one IP address, such as 203.0.113.7 or 2001:db8::1, without a range or a zone';
  if (operator === 'str_contains_any' && String(target).length > longestSearched)
    return `must be at most ${longestSearched} characters long`;
  return undefined;
}

function unmatchable({
  type,
  operator = '',
  targetValue = [],
}: RuleCondition): ConditionMisfit | undefined {
  const list = [targetValue].flat();
  if (list.length === 0 && anyOperators.includes(operator))
    return [['targetValue'], 'must not be empty, or nothing would match'];
  for (const [index, target] of list.entries()) {
    const fault = elementFault(type, operator, target);
    if (fault) return [['targetValue', ...(Array.isArray(targetValue) ? [index] : [])], fault];
  }
  return undefined;
}

type ConditionMisfit = [path: (string | number)[], message: string];

function misfit(condition: RuleCondition): ConditionMisfit | undefined {
  const { type, operator = '', targetValue } = condition;
  const { operators = [], needs, names, bare } = known[type] ?? {};
  if (operators.length === 0 && operator) return [['operator'], `must be absent for ${type}`];
  if (operators.length > 0 && !operators.includes(operator))
    return [['operator'], `must be one of ${operators.join(', ')} for ${type}`];
  if (needs && !condition[needs]) return [[needs], `is required for ${type}`];
  if (bare || nulls.includes(operator)) return undefined;
  if (targetValue === undefined) return [['targetValue'], 'is required'];
  if (names && names !== 'experiment' && typeof targetValue !== 'string')
    return [['targetValue'], `must be the id of a ${names}`];
  const target = targets.find((row) => row.operators.includes(operator));
  const fault = target?.fault(targetValue);
  return fault ? [['targetValue'], fault] : unmatchable(condition);
}

const singleTargetOperators = new Set(
  targets.flatMap(({ operators }) => operators).filter((name) => !arrays.includes(name)),
);

function unwrapped(condition: RuleCondition): RuleCondition {
  const { type, operator = '', targetValue } = condition;
  const names = known[type]?.names;
  const isSingle = names === 'gate' || names === 'segment' || singleTargetOperators.has(operator);
  if (!isSingle || !Array.isArray(targetValue) || targetValue.length !== 1) return condition;
  return { ...condition, targetValue: targetValue[0] };
}

const trimText = <T>(value: T | string): T | string =>
  typeof value === 'string' ? value.trim() || value : value;

/** Trims the texts of a condition, except patterns. */
export function trimCondition<C extends RuleCondition>(condition: C): C {
  const { operator, targetValue, field, customID } = condition;
  const target = Array.isArray(targetValue) ? targetValue.map(trimText) : trimText(targetValue);
  return {
    ...condition,
    ...(targetValue !== undefined && operator !== 'str_matches' && { targetValue: target }),
    ...(field !== undefined && { field: field.trim() }),
    ...(customID !== undefined && { customID: customID.trim() }),
  };
}

export const condition = conditionShape
  .overwrite((given) => unwrapped(trimCondition(given)))
  .superRefine((value, context) => {
    const found = misfit(value);
    if (found) report(context, found[1], ...found[0]);
  })
  .meta({ id: 'Condition' });

export const groupsNamed = ({ type, targetValue }: RuleCondition): string[] =>
  known[type]?.names === 'experiment' ? [targetValue ?? []].flat().map(String) : [];

/** Returns the references of a condition: an entity, and the groups of an experiment. */
export function conditionReferences(condition: RuleCondition, property: string): Reference[] {
  const { type, field = '', targetValue } = condition;
  const kind = known[type]?.names;
  if (!kind) return [];
  if (kind !== 'experiment')
    return [{ kind, id: String(targetValue), property: `${property}.targetValue` }];
  const experiment = { kind, id: field };
  const groups = groupsNamed(condition).map((name, index) => ({
    kind: 'experiment_group',
    id: partID(field, name),
    property: Array.isArray(targetValue)
      ? `${property}.targetValue.${index}`
      : `${property}.targetValue`,
    of: experiment,
  }));
  return [{ ...experiment, property: `${property}.field` }, ...groups];
}
