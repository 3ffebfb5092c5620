import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Moments,
  mergeMoments,
  momentsFromOrigin,
  momentsOf,
  noMoments,
} from '../../src/engine/statistics/moments.ts';
import table from './golden/moments.json';
import { expectGolden } from './golden.ts';

const value = fc.integer({ min: -1000, max: 1000 }).map((number) => number / 8);
const units = fc.array(fc.record({ y: value, d: value, x: value, m: value }), {
  minLength: 1,
  maxLength: 20,
});

function expectClose(actual: Moments, expected: Moments) {
  const sums = new Map(Object.entries(actual));
  for (const [name, sum] of Object.entries(expected))
    expect(sums.get(name), name).toBeCloseTo(sum, 4);
}

describe('moments', () => {
  test.each(table.cases)('the moments of $name have all certified digits', (row) => {
    const { n, meanY, yy } = momentsOf(row.input.values.map((y) => ({ y })));
    const actual = { n, mean: meanY, standardDeviation: Math.sqrt(yy / (n - 1)) };
    expectGolden(actual, row.expected, row.tolerance);
  });

  test('merged moments are those of all units together, in whatever pieces', () => {
    fc.assert(
      fc.property(units, units, (a, b) => {
        expectClose(mergeMoments(momentsOf(a), momentsOf(b)), momentsOf([...a, ...b]));
      }),
      { seed: 7 },
    );
  });

  test('moments of no units change nothing when merged', () => {
    const moments = momentsOf([{ y: 1 }, { y: 4 }]);
    expect(mergeMoments(noMoments, moments)).toEqual(moments);
    expect(mergeMoments(moments, noMoments)).toEqual(moments);
  });

  test('sums about an origin become moments about the means', () => {
    fc.assert(
      fc.property(units, fc.record({ y: value, d: value, x: value, m: value }), (all, origin) => {
        const moments = momentsOf(all);
        const sum = (of: (unit: (typeof all)[number]) => number) =>
          all.map(of).reduce((total, part) => total + part, 0);
        const sums = {
          ...moments,
          yy: sum(({ y }) => (y - origin.y) ** 2),
          yd: sum(({ y, d }) => (y - origin.y) * (d - origin.d)),
          yx: sum(({ y, x }) => (y - origin.y) * (x - origin.x)),
          ym: sum(({ y, m }) => (y - origin.y) * (m - origin.m)),
          dd: sum(({ d }) => (d - origin.d) ** 2),
          dx: sum(({ d, x }) => (d - origin.d) * (x - origin.x)),
          dm: sum(({ d, m }) => (d - origin.d) * (m - origin.m)),
          xx: sum(({ x }) => (x - origin.x) ** 2),
          xm: sum(({ x, m }) => (x - origin.x) * (m - origin.m)),
          mm: sum(({ m }) => (m - origin.m) ** 2),
          yyy: sum(({ y }) => (y - origin.y) ** 3),
        };
        expectClose(momentsFromOrigin(sums, origin), moments);
      }),
      { seed: 7 },
    );
  });
});
