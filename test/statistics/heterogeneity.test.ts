import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareNormal } from '../../src/engine/statistics/compare.ts';
import { heterogeneityPValue } from '../../src/engine/statistics/heterogeneity.ts';

const slice = fc.record({
  change: fc.double({ min: -1000, max: 1000, noNaN: true }),
  standardError: fc.double({ min: 0.01, max: 1000, noNaN: true }),
});

describe("Cochran's Q over the changes of slices", () => {
  test('has the reference value of three slices', () => {
    // Q = 4 with weights 1, 1 and 1 around the mean 0; exp(-2) is its tail with two degrees of freedom.
    const changes = [-Math.SQRT2, 0, Math.SQRT2].map((change) => ({ change, standardError: 1 }));
    expect(heterogeneityPValue(changes)).toBeCloseTo(Math.exp(-2), 12);
  });

  test('is the square of the z-test of two slices', () => {
    fc.assert(
      fc.property(slice, slice, (one, other) => {
        const [control, treated] = [one, other].map(({ change, standardError }) => ({
          value: change,
          standardError,
        }));
        if (!control || !treated) return;
        const { pValue } = compareNormal(control, treated);
        expect(heterogeneityPValue([one, other])).toBeCloseTo(pValue ?? Number.NaN, 8);
      }),
    );
  });

  test('does not depend on the order, the unit or the level of the changes', () => {
    fc.assert(
      fc.property(
        fc.array(slice, { minLength: 2, maxLength: 20 }),
        fc.double({ min: 0.001, max: 1000, noNaN: true }),
        fc.double({ min: -100, max: 100, noNaN: true }),
        (slices, unit, level) => {
          const p = heterogeneityPValue(slices) ?? Number.NaN;
          expect(p).toBeGreaterThanOrEqual(0);
          expect(p).toBeLessThanOrEqual(1);
          expect(heterogeneityPValue(slices.toReversed())).toBeCloseTo(p, 8);
          const moved = slices.map(({ change, standardError }) => ({
            change: unit * (change + level),
            standardError: unit * standardError,
          }));
          expect(heterogeneityPValue(moved)).toBeCloseTo(p, 6);
        },
      ),
    );
  });

  test('is 1 for equal changes, and null below two slices with an error', () => {
    const same = { change: 3, standardError: 2 };
    expect(heterogeneityPValue([same, same, same])).toBe(1);
    expect(heterogeneityPValue([same])).toBeNull();
    expect(heterogeneityPValue([same, { change: 1, standardError: 0 }])).toBeNull();
    expect(
      heterogeneityPValue([
        { change: 1e300, standardError: 1e-300 },
        { change: -1e300, standardError: 1 },
      ]),
    ).toBeNull();
  });
});
