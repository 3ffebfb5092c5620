import { expect, test } from 'vitest';
import {
  chanceToBeat,
  credibleInterval,
  expectedLoss,
  posteriorOf,
} from '../../src/engine/statistics/bayesian.ts';
import table from './golden/bayesian.json';
import { expectGolden } from './golden.ts';

test.each(table.cases)('the posterior of $name has the reference values', ({ input, expected }) => {
  const prior =
    input.priorMean === null || input.priorStdDev === null
      ? null
      : { mean: input.priorMean, standardDeviation: input.priorStdDev };
  const posterior = posteriorOf(input, prior);
  if (!posterior) throw new Error('no posterior');
  const losses = expectedLoss(posterior, 'increase');
  expectGolden(
    {
      posteriorMean: posterior.mean,
      posteriorStdDev: posterior.standardDeviation,
      chanceToBeat: chanceToBeat(posterior, 'increase'),
      chanceToBeatDecrease: chanceToBeat(posterior, 'decrease'),
      ...credibleInterval(posterior, 1 - input.level),
      expectedLossTest: losses.test,
      expectedLossControl: losses.control,
    },
    expected,
  );
  const decrease = expectedLoss(posterior, 'decrease');
  expect([decrease.test, decrease.control]).toEqual([losses.control, losses.test]);
});

test('a prior on the relative change needs a control mean', () => {
  const change = { absoluteChange: 1, standardError: 0.5, controlMean: 0 };
  expect(posteriorOf(change, { mean: 0, standardDeviation: 0.1 })).toBeNull();
  expect(posteriorOf(change, null)).toEqual({ mean: 1, standardDeviation: 0.5 });
});

test('the expected loss is smooth where its two forms meet', () => {
  const lossAt = (mean: number) => expectedLoss({ mean, standardDeviation: 1 }, 'increase').test;
  expectGolden(lossAt(5 - 1e-12), lossAt(5 + 1e-12), 1e-10);
});
