import { describe, expect, test } from 'vitest';
import { condition } from '../../src/engine/evaluation/compile/conditions.ts';
import { satisfies } from '../../src/engine/evaluation/operators.ts';
import { PatternBudget } from '../../src/engine/evaluation/pattern_budget.ts';
import type { SpecTarget } from '../../src/engine/evaluation/spec.ts';
import { stepsOf } from '../support/work.ts';

const holds = (operator: string, targetValue: SpecTarget, value: unknown) =>
  satisfies(condition('user_field', { operator, targetValue }), value, new PatternBudget());

/** Values that no operator can convert. */
const missing = [undefined, null];

/** For each operator: a target, values that match, and values that do not. */
const table: [operator: string, target: SpecTarget, holds: unknown[], fails: unknown[]][] = [
  ['any', ['Alpha', 'b'], ['alpha', 'ALPHA', 'B'], ['alp', '', 'undefined', {}]],
  ['any', [5, 'true'], [5, '5', true], [5.1, '05', false, [5]]],
  ['any', ['undefined', 'null', ''], ['', 'null'], [{}]],
  ['any', ['["a",1]'], [['a', 1]], ['a', [1, 'a']]],
  ['any', ['null', 'Infinity'], [], [Infinity, -Infinity]],
  ['any', [], [], ['', 'a', 0]],
  ['any', ['İ'], ['İ', 'i\u0307'], ['i', 'I']],
  ['none', ['Alpha', 'b'], ['alp', '', {}, ...missing], ['alpha', 'B']],
  ['none', [], ['a', ...missing], []],
  ['any_case_sensitive', ['Alpha', 5], ['Alpha', 5, '5'], ['alpha', 'Alpha ', '']],
  ['str_contains_any', ['BC', '1'], ['abcd', 'ABCD', 210, [1]], ['b', '', true, {}]],
  ['str_contains_any', [''], ['', 'a', 0], [{}]],
  ['str_contains_any', ['b'], ['b'.repeat(10_000)], ['b'.repeat(10_001)]],
  ['str_contains_none', ['BC', '1'], ['b', '', {}, ...missing], ['abcd', 210]],
  ['str_contains_none', ['b'], ['b'.repeat(10_001)], ['b'.repeat(10_000)]],
  ['str_matches', '^a.c$', ['abc', 'a.c'], ['ABC', 'xabc', '', 'abcd']],
  ['str_matches', 'b', ['abc', 'b'.repeat(999)], ['b'.repeat(1000), {}]],
  ['str_matches', 'undefined|null', ['undefined'], ['', 0]],
  ['str_matches', '[1-3]{2}', [12, [1, 22]], [1, true]],
  ['str_matches', '(', [], ['(', '']],
  ['gt', 5, [5.1, '6', '1e2', 1e9], [5, '5', '4.9', -6]],
  ['gte', 5, [5, '5.0', '+5'], [4.999, '-5']],
  ['lt', 0.5, [0, '-1.5e3', '.4', -0], ['0.5', 1]],
  ['lte', 1e3, [1000, '1E3', '1000.'], [1000.1, '1001']],
  ['lt', 10, [], ['', ' ', ' 5', '0x5', '5px', 'NaN', '-Infinity', -Infinity, true, [5], {}]],
  ['lt', null, [], [1]],
  ['lt', 2, [`${'0'.repeat(998)}1`], [`${'0'.repeat(999)}1`]],
  ['version_lt', '2', [`${'0'.repeat(998)}1`], [`${'0'.repeat(999)}1`]],
  ['version_gt', '1.2.3', ['1.2.4', '1.10', '2', '1.2.3.1', 2], ['1.2.3', '1.2.3-9', '1.2', 1.2]],
  ['version_gte', '1.2', ['1.2.0', '1.2', '1.02', '1.2-beta'], ['1.1.9', '']],
  ['version_lt', '1.2', ['1.1.99', '1', '0'], ['1.2', 'v1', '1.x', '.', '-1', true, [1]]],
  ['version_lte', '2.0.0', ['2', '2.0.0.0', '1.9.x'], ['2.0.1', '2.x', '2.0.0.1']],
  ['version_lt', '2.x', ['1.9'], ['2.0', '2']],
  [
    'version_gte',
    '1.2',
    [' 1.2', '1.2\n', '1 . 3', '+1.+2', '1.2 -beta'],
    ['1. 1', '1.', '1.+', '1.++2', '1.2 3'],
  ],
  [
    'before',
    1_781_524_800_000,
    ['2026-06-15', 1_781_524_799],
    ['2026-06-15T12:00:00Z', 1_781_524_800_000],
  ],
  [
    'after',
    1_781_524_800_000,
    ['2026-06-15T12:00:00.001Z', '1781524800001'],
    ['1781524800', '', {}, [9e12]],
  ],
  [
    'after',
    1_781_524_800_000,
    ['2026-06-15 12:01', '2026-06-15T11:30:00-01:00'],
    ['2026-06-15T13:30+0200', '2026-06-15 11:59'],
  ],
  ['after', 0, ['2026-02-28'], ['2026-13-01', '15.06.2026', 'June 15, 2026', 'tomorrow', true]],
  ['before', 1e12, [1e10], [1e10 - 1]],
  ['after', 0, [8.64e15], [8.65e15, 1e300, '1e400', '1e300']],
  ['before', 0, [-8.64e12], [-8.65e12, -1e300, '-1e14']],
  [
    'on',
    1_781_524_800_000,
    ['2026-06-15T23:59:59.999Z', 1_781_481_600],
    ['2026-06-16', '2026-06-14T23:59Z'],
  ],
  ['array_contains_any', ['5', 'a'], [[5], ['b', 'a']], [[], ['A'], ['b'], '5', 'a', {}]],
  ['array_contains_any', [5, 'true'], [['5'], [true]], [[6], [false], [null], [[5]]]],
  ['array_contains_any', [], [], [[], ['a']]],
  ['array_contains_none', ['a'], [[], ['b'], ['A']], [['b', 'a'], 'b', {}]],
  [
    'array_contains_all',
    ['a', 5],
    [
      ['b', 5, 'a'],
      ['a', '5'],
    ],
    [['a'], [], 'a', {}],
  ],
  ['array_contains_all', [], [[], ['a']], ['a']],
  ['not_array_contains_all', ['a', 5], [['a'], []], [['a', '5'], 'a', {}]],
  ['eq', null, [], ['', 0, false, [], {}]],
  ['neq', null, ['', 0, false, [], {}], []],
  ['no_such_operator', ['a'], [], ['a', ...missing]],
];

test.each(table)('%s %j', (operator, target, holding, failing) => {
  for (const value of holding)
    expect([value, holds(operator, target, value)]).toEqual([value, true]);
  for (const value of failing)
    expect([value, holds(operator, target, value)]).toEqual([value, false]);
});

describe('a missing value', () => {
  const holdForMissing = ['none', 'str_contains_none', 'eq'];
  const targets: SpecTarget[] = [
    ['a', ''],
    'undefined',
    0,
    '0',
    1_781_524_800_000,
    [],
    ['undefined'],
  ];

  test.each([...new Set(table.map(([operator]) => operator))])('under %s', (operator) => {
    const operands = operator === 'eq' || operator === 'neq' ? [null] : targets;
    for (const target of operands)
      for (const value of missing)
        expect(holds(operator, target, value)).toBe(holdForMissing.includes(operator));
  });
});

test('a long list of targets is looked up in constant time', async () => {
  const targets = Array.from({ length: 100_000 }, (_, index) => `id-${index}`);
  const listed = condition('unit_id', { operator: 'any_case_sensitive', targetValue: targets });
  const patterns = new PatternBudget();
  const steps = await stepsOf(() => {
    for (let count = 0; count < 10_000; count++)
      if (satisfies(listed, count % 2 ? 'id-99999' : 'id-100000', patterns) !== (count % 2 === 1))
        throw new Error(`The lookup ${count} is wrong.`);
  });
  expect(steps).toBeLessThan(10 * targets.length);
});
