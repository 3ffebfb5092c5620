import { expect, test } from 'vitest';
import {
  type Arm,
  probabilitiesOfBest,
  rateArm,
  trafficShares,
  valueArm,
} from '../../src/engine/statistics/bandit.ts';
import { normalCdf } from '../../src/engine/statistics/distributions.ts';
import table from './golden/autotune.json';
import { expectGolden } from './golden.ts';

test.each(table.cases)('the chances of being best of $name have the reference values', (row) => {
  const rates = row.input.arms.flatMap((arm) =>
    'units' in arm ? [rateArm(arm.successes, arm.units)] : [],
  );
  const values = row.input.arms.flatMap((arm) =>
    'mean' in arm ? [valueArm(arm.mean, arm.standardError)] : [],
  );
  const { probabilityOfBest, sum, ...expected } = row.expected;
  const chances = probabilitiesOfBest(rates.length > 0 ? rates : values, true);
  for (const [place, chance] of chances.entries())
    expect(Math.abs(chance - (probabilityOfBest[place] ?? 0))).toBeLessThanOrEqual(1e-9);
  const actual = {
    mean: rates.map(({ mean }) => mean),
    lower95: rates.map(({ interval }) => interval.lower),
    upper95: rates.map(({ interval }) => interval.upper),
  };
  expectGolden(actual, expected);
});

test('the chances are exact for two normal values of very different precision', () => {
  const [first, second] = probabilitiesOfBest([valueArm(1, 1000), valueArm(1.5, 0.001)], true);
  const exact = normalCdf(0.5 / Math.hypot(1000, 0.001));
  expect(first).toBeCloseTo(1 - exact, 12);
  expect(second).toBeCloseTo(exact, 12);
});

test.each([
  { arms: [rateArm(0, 100), rateArm(1, 100)], isHigher: false, exact: 0.7512437810945274 },
  { arms: [rateArm(0, 0), rateArm(10, 20)], isHigher: true, exact: 0.5 },
  { arms: [rateArm(0, 40), rateArm(2, 40)], isHigher: false, exact: 0.8796296296296297 },
])('the chances of rates at the ends of their range are exact: $exact', (given) => {
  const [first] = probabilitiesOfBest(given.arms, given.isHigher);
  expect(first).toBeCloseTo(given.exact, 9);
});

test('the smallest value is best if a lower one is', () => {
  const arms: Arm[] = [rateArm(49, 100), rateArm(51, 100)];
  const [highest] = probabilitiesOfBest(arms, true);
  const [lowest] = probabilitiesOfBest(arms, false);
  expect((highest ?? 0) + (lowest ?? 0)).toBeCloseTo(1, 12);
});

test('the shares of traffic explore at a floor, and add up to 1', () => {
  expect(trafficShares([0.9, 0.1, 0], 0.3)).toEqual(
    [0.73, 0.17, 0.1].map((n) => expect.closeTo(n)),
  );
  expect(trafficShares([0.9, 0.1], 0)).toEqual([0.9, 0.1]);
});
