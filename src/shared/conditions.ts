import * as z from 'zod';
import { canonicalAddress } from './addresses.ts';
import { most } from './bounds.ts';
import {
  arrays,
  type ConditionType,
  conditionTypes,
  nulls,
  numbers,
  times,
  versions,
} from './condition_table.ts';
import { partID, type Reference } from './naming.ts';
import { numberOf } from './numbers.ts';
import { epochMilliseconds, isLong, longestSearched } from './readable.ts';
import { report } from './report.ts';
import { servedPatternFault } from './served_patterns.ts';

const known: Record<string, ConditionType> = conditionTypes;

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

/** Why a target cannot be matched by as a pattern; see `servedPatternFault`. */
const patternMisfit = (target: Target) =>
  typeof target === 'string' ? servedPatternFault(target) : 'must be a regular expression';

/** Whether evaluation reads a number off a target; another would be taken, and never matched. */
const isNumber = (target: Target) => Number.isFinite(numberOf(target));
const isTime = (target: Target) => epochMilliseconds(numberOf(target) ?? Number.NaN) !== undefined;
const isVersion = (target: Target) =>
  typeof target === 'string' && !isLong(target) && /^\d+(\.\d+)*$/.test(target);

/** Says what a target must be, where it is not. */
const must = (fits: (target: Target) => boolean, message: string) => (target: Target) =>
  fits(target) ? undefined : message;

/** What is wrong with the target value of an operator; what is not here takes text, a number or a list of them. */
const targets: { operators: string[]; fault: (target: Target) => string | undefined }[] = [
  { operators: ['str_matches'], fault: patternMisfit },
  { operators: numbers, fault: must(isNumber, 'must be a number') },
  { operators: versions, fault: must(isVersion, 'must be digits and dots, such as 1.2.3') },
  { operators: [...times, 'on'], fault: must(isTime, 'must be epoch milliseconds') },
  { operators: arrays, fault: must(Array.isArray, 'must be an array') },
];

/** The operators that hold only if one of their targets does. */
const ofAny = ['any', 'str_contains_any', 'array_contains_any'];

/** Why one of the targets of a list can never match. */
function elementFault(type: string, operator: string, target: string | number): string | undefined {
  if (type === 'ip_address' && canonicalAddress(String(target)) === undefined)
    return 'must be one IP address, such as 203.0.113.7 or 2001:db8::1, without a range or a zone';
  if (operator === 'str_contains_any' && String(target).length > longestSearched)
    return `must be at most ${longestSearched} characters long`;
  return undefined;
}

/** What can never match in a list of targets, as its place and a message. */
function unmatchable({ type, operator = '', targetValue = [] }: Condition): Misfit | undefined {
  const list = [targetValue].flat();
  if (list.length === 0 && ofAny.includes(operator))
    return [['targetValue'], 'must not be empty: nothing would match'];
  for (const [index, target] of list.entries()) {
    const fault = elementFault(type, operator, target);
    if (fault) return [['targetValue', ...(Array.isArray(targetValue) ? [index] : [])], fault];
  }
  return undefined;
}

/** Where a condition is at fault, and why. */
type Misfit = [path: (string | number)[], message: string];

/** The first way in which a condition does not fit the table. */
function misfit(condition: Condition): Misfit | undefined {
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

/** The operators whose target is one value. */
const single = new Set(
  targets.flatMap(({ operators }) => operators).filter((name) => !arrays.includes(name)),
);

/** A condition in which one value stands for the array of it, where one value is meant. */
function unwrapped(condition: Condition): Condition {
  const { type, operator = '', targetValue } = condition;
  const names = known[type]?.names;
  const isSingle = names === 'gate' || names === 'segment' || single.has(operator);
  if (!isSingle || !Array.isArray(targetValue) || targetValue.length !== 1) return condition;
  return { ...condition, targetValue: targetValue[0] };
}

/** A text without blanks around it; blanks alone stay, as they are what is looked for. */
const trimmedText = <T>(value: T | string): T | string =>
  typeof value === 'string' ? value.trim() || value : value;

/** A condition without blanks around its texts; those of a pattern mean something. */
export function trimmed<C extends Condition>(condition: C): C {
  const { operator, targetValue, field, customID } = condition;
  const target = Array.isArray(targetValue)
    ? targetValue.map(trimmedText)
    : trimmedText(targetValue);
  return {
    ...condition,
    ...(targetValue !== undefined && operator !== 'str_matches' && { targetValue: target }),
    ...(field !== undefined && { field: field.trim() }),
    ...(customID !== undefined && { customID: customID.trim() }),
  };
}

export const condition = conditionShape
  .overwrite((given) => unwrapped(trimmed(given)))
  .superRefine((value, context) => {
    const found = misfit(value);
    if (found) report(context, found[1], ...found[0]);
  })
  .meta({ id: 'Condition' });

/** The groups of its experiment that a condition names; none where it names no experiment. */
export const groupsNamed = ({ type, targetValue }: Condition): string[] =>
  known[type]?.names === 'experiment' ? [targetValue ?? []].flat().map(String) : [];

/** The entity that a condition names, and of an experiment the groups. */
export function conditionReferences(condition: Condition, property: string): Reference[] {
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
