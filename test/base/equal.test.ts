import { expect, test } from 'vitest';
import { isEqual } from '../../src/base/equal.ts';

test.each([
  [{ a: undefined }, { b: 1 }],
  [{ a: undefined }, {}],
  [[], {}],
  [[1], { 0: 1 }],
  [{ a: [1, 2] }, { a: [2, 1] }],
  [null, {}],
  ['', 0],
])('%o is not equal to %o', (one, other) => {
  expect([isEqual(one, other), isEqual(other, one)]).toEqual([false, false]);
});

test.each([
  [
    { a: 1, b: [null] },
    { b: [null], a: 1 },
  ],
  [{ constructor: 1 }, { constructor: 1 }],
  [Number.NaN, Number.NaN],
])('%o is equal to %o', (one, other) => {
  expect(isEqual(one, other)).toBe(true);
});
