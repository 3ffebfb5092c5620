import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { balanceOf } from '../../src/engine/statistics/balance.ts';
import { probabilitiesOfBest, rateArm, trafficShares } from '../../src/engine/statistics/bandit.ts';
import {
  chanceToBeat,
  credibleInterval,
  expectedLoss,
  posteriorOf,
} from '../../src/engine/statistics/bayesian.ts';
import { type Comparison, compare, compareNormal } from '../../src/engine/statistics/compare.ts';
import { corrected } from '../../src/engine/statistics/corrections.ts';
import {
  absoluteInterval,
  criticalValue,
  relativeInterval,
} from '../../src/engine/statistics/intervals.ts';
import {
  type Moments,
  mergeMoments,
  momentsFromOrigin,
  momentsOf,
  noMoments,
} from '../../src/engine/statistics/moments.ts';
import { percentileOf } from '../../src/engine/statistics/percentile.ts';
import {
  minimumDetectableEffect,
  powerOf,
  reversePower,
  sampleSize,
  sequentialSampleSize,
} from '../../src/engine/statistics/power.ts';
import { skewnessOfChange } from '../../src/engine/statistics/quality.ts';
import { linearized } from '../../src/engine/statistics/ratio.ts';
import {
  mixingVariance,
  sequentialCriticalValue,
  sequentialPValue,
} from '../../src/engine/statistics/sequential.ts';
import { cohensD, sprtOf } from '../../src/engine/statistics/sprt.ts';
import { toplineImpact } from '../../src/engine/statistics/topline.ts';

/** Numbers of any size from 1e-300 to 1e300, of both signs, and 0. */
const number = fc.oneof(
  fc.constantFrom(0, 1, -1, 0.1, 1e-300, -1e-300, 1e300, -1e300, 1e150, 1e-150),
  fc
    .tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.integer({ min: -300, max: 300 }))
    .map(([mantissa, exponent]) => mantissa * 10 ** exponent),
  fc.integer({ min: -20, max: 20 }),
);
const positive = number.map(Math.abs);
const units = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 1e9 }));
const share = fc.double({ min: 1e-12, max: 1 - 1e-12, noNaN: true });

/** Moments that no units need to have: negative squares, and products without bounds. */
const moments: fc.Arbitrary<Moments> = fc
  .tuple(units, fc.array(number, { minLength: 15, maxLength: 15 }))
  .map(([n, values]) => {
    const names = Object.keys(noMoments).filter((name) => name !== 'n');
    const parts = Object.fromEntries(names.map((name, place) => [name, values[place] ?? 0]));
    return n === 0 ? noMoments : { ...noMoments, ...parts, n };
  });

const runs = { seed: 7, numRuns: 1000 };

/** Expects that a result has no NaN and no infinite number, however deep. */
function expectFinite(value: unknown, path = 'result'): void {
  if (typeof value === 'number') expect(Number.isFinite(value), `${path} is ${value}`).toBe(true);
  else if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(value)) expectFinite(part, `${path}.${key}`);
}

/** Expects that a comparison without inference has its reason, and no number that would need one. */
function expectReason({
  reason,
  estimates,
  cuped,
  controlMean,
  testMean,
  absoluteChange,
  ...inference
}: Comparison) {
  const numbers = Object.values(inference).filter((value) => value !== null);
  if (reason === null) expect(inference.pValue).toBeLessThanOrEqual(1);
  else expect([estimates, cuped, ...numbers]).toEqual([null, null]);
}

function expectFewUnitsRefused({ pValue, reason }: Comparison, units: number) {
  if (units === 0) expect(reason).toBe('no_units');
  if (units < 2) expect(pValue).toBeNull();
}

describe('extreme moments', () => {
  test('a comparison of any moments has finite numbers, or null with a reason', () => {
    fc.assert(
      fc.property(
        moments,
        moments,
        fc.boolean(),
        fc.boolean(),
        share,
        (a, b, isRatio, withCuped, alpha) => {
          const comparison = compare(a, b, { isRatio, withCuped });
          expectFinite(comparison);
          expectReason(comparison);
          expectFewUnitsRefused(comparison, Math.min(a.n, b.n));
          const { controlMean, standardError, t } = comparison;
          const critical = criticalValue(comparison, alpha);
          const mixing = mixingVariance(0.05, 5000);
          const always = sequentialCriticalValue(a.n + b.n, mixing, alpha);
          expectFinite([
            absoluteInterval(comparison, critical),
            relativeInterval(comparison, critical),
          ]);
          expectFinite([
            always,
            absoluteInterval(comparison, always),
            relativeInterval(comparison, always),
          ]);
          expectFinite(t === null ? null : sequentialPValue(t, a.n + b.n, mixing));
          expectFinite([
            linearized(a),
            mergeMoments(a, b),
            skewnessOfChange(a, b, standardError ?? 0),
          ]);
          expectFinite(reversePower(standardError ?? 0, controlMean ?? 0, critical ?? 0));
        },
      ),
      runs,
    );
  });

  test('the interval of a relative change excludes 0 exactly if the absolute one does', () => {
    const value = fc.integer({ min: -100, max: 100 });
    const group = fc.array(fc.record({ y: value, x: value }), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(group.map(momentsOf), group.map(momentsOf), fc.boolean(), (a, b, withCuped) => {
        const comparison = compare(a, b, { withCuped });
        const critical = criticalValue(comparison, 0.05);
        const absolute = absoluteInterval(comparison, critical).interval;
        const relative = relativeInterval(comparison, critical).interval;
        const { t } = comparison;
        fc.pre(absolute !== null && relative !== null && t !== null && critical !== null);
        fc.pre(Math.abs(Math.abs(t) / critical - 1) > 1e-6);
        const excludesZero = ({ lower, upper }: typeof absolute) => lower > 0 || upper < 0;
        expect(excludesZero(relative)).toBe(excludesZero(absolute));
      }),
      runs,
    );
  });

  test('moments of any values are finite', () => {
    const values = fc.array(fc.record({ y: number, d: number, x: number, m: number }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(
        values,
        moments,
        fc.record({ y: number, d: number, x: number, m: number }),
        (all, sums, origin) => {
          expectFinite([momentsOf(all), momentsFromOrigin(sums, origin)]);
          expectFinite(
            percentileOf(
              all.map(({ y, d }) => [y, d]),
              0.5,
            ),
          );
        },
      ),
      runs,
    );
  });
});

describe('beliefs about extreme moments', () => {
  test('beliefs and likelihood ratios of any change are finite or null', () => {
    fc.assert(
      fc.property(
        number,
        positive,
        number,
        number,
        positive,
        share,
        share,
        units,
        units,
        (...all) => {
          const [
            absoluteChange,
            standardError,
            controlMean,
            mean,
            standardDeviation,
            alpha,
            power,
          ] = all;
          const [controlUnits, testUnits] = [all[7], all[8]];
          const change = { absoluteChange, standardError, controlMean };
          for (const prior of [null, { mean, standardDeviation }]) {
            const posterior = posteriorOf(change, prior);
            if (!posterior) continue;
            for (const direction of ['increase', 'decrease'] as const)
              expectFinite([
                chanceToBeat(posterior, direction),
                expectedLoss(posterior, direction),
              ]);
            expectFinite(credibleInterval(posterior, alpha));
          }
          const effect = cohensD(mean, controlMean, standardDeviation);
          expectFinite(effect);
          expectFinite(
            sprtOf({
              z: absoluteChange,
              controlUnits,
              testUnits,
              cohensD: effect ?? 1,
              alpha,
              power,
            }),
          );
          const groups = [
            { value: mean, standardError },
            { value: controlMean, standardError: standardDeviation },
          ] as const;
          expectFinite(compareNormal(...groups));
          const input = { absoluteChange, delta: standardError, testUnits, days: controlUnits };
          expectFinite(toplineImpact({ ...input, dailyTotal: mean, testShare: alpha }));
        },
      ),
      runs,
    );
  });

  test('the chances of being best of any rates are finite and add up to 1', () => {
    const arm = fc
      .tuple(fc.integer({ min: 0, max: 1e6 }), share)
      .map(([all, rate]) => rateArm(Math.floor(all * rate), all));
    fc.assert(
      fc.property(fc.array(arm, { minLength: 1, maxLength: 4 }), (arms) => {
        const chances = probabilitiesOfBest(arms, true);
        expectFinite([chances, trafficShares(chances, 0.1)]);
        expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 9);
      }),
      { ...runs, numRuns: 100 },
    );
  });
});

describe('plans and corrections of extreme numbers', () => {
  test('plans, balances and shares of any numbers are finite or null', () => {
    fc.assert(
      fc.property(
        number,
        positive,
        number,
        fc.boolean(),
        share,
        share,
        positive,
        units,
        units,
        (...all) => {
          const [
            mean,
            variance,
            effect,
            isProportion,
            alpha,
            power,
            controlPerTest,
            test,
            control,
          ] = all;
          const baseline = { mean, variance, isProportion };
          const design = { alpha, power };
          expectFinite([
            sampleSize(baseline, effect, design, controlPerTest),
            sequentialSampleSize(
              baseline,
              effect,
              design,
              controlPerTest,
              mixingVariance(0.05, 5000),
            ),
            minimumDetectableEffect(baseline, { test, control }, design),
            powerOf(baseline, effect, alpha, { test, control }),
            balanceOf([test, control], [power, 1 - power]),
            balanceOf([test, control], [variance, controlPerTest]),
          ]);
        },
      ),
      { ...runs, numRuns: 1000 },
    );
  });

  test('corrected p-values of any tests are finite or null', () => {
    const tested = fc.record({
      metric: fc.constantFrom('a', 'b', 'c'),
      variant: fc.constantFrom('x', 'y'),
      role: fc.constantFrom('primary', 'secondary', 'other'),
      pValue: fc.oneof(fc.constantFrom(null, 0, 1, 1e-300), share),
    });
    const settings = fc.record({
      bonferroniPerVariant: fc.boolean(),
      bonferroniPerMetric: fc.boolean(),
      primaryWeight: fc.constantFrom(null, 0, 0.3, 1),
      benjaminiPerMetric: fc.boolean(),
      benjaminiPerVariant: fc.boolean(),
      benjaminiPrimaryOnly: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(tested, { maxLength: 8 }), settings, (tests, corrections) => {
        const results = corrected(tests, 0.05, corrections);
        expectFinite(results);
        for (const [place, { adjustedPValue }] of results.entries())
          expect(adjustedPValue === null).toBe(tests[place]?.pValue === null);
      }),
      runs,
    );
  });
});
