import { memoize } from '../../base/memoize.ts';
import { numberOf } from '../../base/numbers.ts';
import { dayOfTime } from '../../base/time.ts';
import { matcherOf, patternFault } from '../patterns/patterns.ts';
import type { PatternBudget } from './pattern_budget.ts';
import { isLong, longestSearched } from './readable.ts';
import { compareVersions, isMissing, textOfValue, timeOf, versionNumbers } from './readings.ts';
import type { SpecCondition, SpecTarget } from './spec.ts';

type OperatorTest = (value: unknown, patterns: PatternBudget) => boolean;

type Operator = (target: SpecTarget) => OperatorTest;

const targetList = (target: SpecTarget) => (target === null ? [] : [target].flat());
const textsOf = (target: SpecTarget) => targetList(target).map(String);

const lower = (text: string) => text.toLowerCase();

const not =
  (operator: Operator): Operator =>
  (target) => {
    const test = operator(target);
    return (value, patterns) => !test(value, patterns);
  };

const isOneOf =
  (fold: (text: string) => string): Operator =>
  (target) => {
    const wanted = new Set(textsOf(target).map(fold));
    const longest = [...wanted].reduce((most, { length }) => Math.max(most, length), 0);
    return (value) => {
      const text = textOfValue(value);
      // Lower case never shortens a text, so a long text is not converted.
      return text !== undefined && text.length <= longest && wanted.has(fold(text));
    };
  };

const contains: Operator = (target) => {
  const wanted = textsOf(target).map(lower);
  return (value) => {
    const text = textOfValue(value);
    if (text === undefined || text.length > longestSearched) return false;
    const folded = lower(text);
    return wanted.some((part) => folded.includes(part));
  };
};

/** Invalid patterns and long texts do not match. */
const matchesPattern: Operator = (target) => {
  const pattern = String(target);
  const match = patternFault(pattern) === undefined ? matcherOf(pattern) : undefined;
  return (value, patterns) => {
    const text = textOfValue(value);
    return text !== undefined && !isLong(text) && !!match && patterns.allows(match, text);
  };
};

const comparing =
  (read: (value: unknown) => number | undefined, holds: (a: number, b: number) => boolean) =>
  (target: SpecTarget): OperatorTest => {
    const wanted = read(target);
    return (value) => {
      const own = typeof value === 'string' && isLong(value) ? undefined : read(value);
      return own !== undefined && wanted !== undefined && holds(own, wanted);
    };
  };

const comparingVersions =
  (holds: (order: number) => boolean): Operator =>
  (target: SpecTarget): OperatorTest => {
    const wanted = versionNumbers(target);
    return (value) => {
      const order = compareVersions(versionNumbers(value), wanted);
      return order !== undefined && holds(order);
    };
  };

const elementsOf = memoize(
  (array: readonly unknown[]) =>
    // Nested arrays are converted only here, so their JSON is not cached.
    new Set(array.map((one) => (Array.isArray(one) ? JSON.stringify(one) : textOfValue(one)))),
);

/** False for values other than arrays, in every operator. */
const comparingElements =
  (holds: (has: (text: string) => boolean, wanted: readonly string[]) => boolean): Operator =>
  (target) => {
    const wanted = textsOf(target);
    return (value) => {
      if (!Array.isArray(value)) return false;
      const elements = elementsOf(value);
      return holds((text) => elements.has(text), wanted);
    };
  };

const equals: Operator = (target) => (value) =>
  target === null ? isMissing(value) : textOfValue(value) === textOfValue(target);

const operators: ReadonlyMap<string | null, Operator> = new Map([
  ['any', isOneOf(lower)],
  ['none', not(isOneOf(lower))],
  ['any_case_sensitive', isOneOf((text) => text)],
  ['str_contains_any', contains],
  ['str_contains_none', not(contains)],
  ['str_matches', matchesPattern],
  ['gt', comparing(numberOf, (a, b) => a > b)],
  ['gte', comparing(numberOf, (a, b) => a >= b)],
  ['lt', comparing(numberOf, (a, b) => a < b)],
  ['lte', comparing(numberOf, (a, b) => a <= b)],
  ['version_gt', comparingVersions((order) => order > 0)],
  ['version_gte', comparingVersions((order) => order >= 0)],
  ['version_lt', comparingVersions((order) => order < 0)],
  ['version_lte', comparingVersions((order) => order <= 0)],
  ['before', comparing(timeOf, (a, b) => a < b)],
  ['after', comparing(timeOf, (a, b) => a > b)],
  ['on', comparing(timeOf, (a, b) => dayOfTime(a) === dayOfTime(b))],
  ['array_contains_any', comparingElements((has, wanted) => wanted.some(has))],
  ['array_contains_none', comparingElements((has, wanted) => !wanted.some(has))],
  ['array_contains_all', comparingElements((has, wanted) => wanted.every(has))],
  ['not_array_contains_all', comparingElements((has, wanted) => !wanted.every(has))],
  ['eq', equals],
  ['neq', not(equals)],
]);

const never: Operator = () => () => false;

/** Caches the test of each condition outside the spec, which contains only data. */
const testOf = memoize(
  ({ operator, targetValue }: SpecCondition): OperatorTest =>
    (operators.get(operator) ?? never)(targetValue),
);

/** Whether a value satisfies a condition's operator and target; false for unknown operators. */
export const satisfies = (
  condition: SpecCondition,
  value: unknown,
  patterns: PatternBudget,
): boolean => testOf(condition)(value, patterns);
