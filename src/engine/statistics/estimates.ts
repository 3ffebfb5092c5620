import type { Moments } from './moments.ts';

export interface Cuped {
  applied: boolean;
  theta: number | null;
  varianceReduction: number | null;
  reason: 'no_past' | 'no_gain' | 'zero_variance' | null;
}

export interface Estimates {
  control: number;
  test: number;
  change: number;
  varianceOfControl: number;
  varianceOfTest: number;
  covariance: number;
  fromControl: number;
  fromTest: number;
  cuped: Cuped;
}

const notApplied = (reason: Cuped['reason']): Cuped => ({
  applied: false,
  theta: null,
  varianceReduction: null,
  reason,
});

/** A group whose standard deviation is below this share of its mean is constant except for rounding. */
const constantShare = 1e-14;

function varianceOfMean({ n, meanY, yy }: Moments): number {
  const variance = Math.max(0, yy) / (n - 1);
  return Math.sqrt(variance) > constantShare * Math.abs(meanY) ? variance / n : 0;
}

/** Returns the estimates of two uncorrelated groups. */
export function uncorrelated(
  control: { value: number; variance: number },
  test: { value: number; variance: number },
): Estimates {
  return {
    control: control.value,
    test: test.value,
    change: test.value - control.value,
    varianceOfControl: control.variance,
    varianceOfTest: test.variance,
    covariance: 0,
    fromControl: control.variance,
    fromTest: test.variance,
    cuped: notApplied(null),
  };
}

/** Returns the means of two groups of at least two units, without adjustment. */
export const plainEstimates = (control: Moments, test: Moments): Estimates =>
  uncorrelated(
    { value: control.meanY, variance: varianceOfMean(control) },
    { value: test.meanY, variance: varianceOfMean(test) },
  );

/** Below this share of the variance without the adjustment, the adjusted one consists of rounding errors. */
const explainedShare = 1e-12;

const adjustedVariance = ({ n, yy, yx, xx }: Moments, theta: number): number =>
  Math.max(0, yy - 2 * theta * yx + theta * theta * xx) / (n - 1) / n;

/** Returns two means, after CUPED if it applies (Deng, Xu, Kohavi and Walker 2013); θ is of `lm(y ~ group + x)`. */
export function adjustedEstimates(control: Moments, test: Moments): Estimates {
  const plain = plainEstimates(control, test);
  const without = (reason: Cuped['reason']) => ({ ...plain, cuped: notApplied(reason) });
  const squares = control.xx + test.xx;
  if (!(squares > 0)) return without('no_past');
  const theta = (control.yx + test.yx) / squares;
  const fromControl = adjustedVariance(control, theta);
  const fromTest = adjustedVariance(test, theta);
  const left = (fromControl + fromTest) / (plain.fromControl + plain.fromTest);
  if (left <= explainedShare) return without('zero_variance');
  if (!(left < 1)) return without('no_gain');
  const shift = theta * (test.meanX - control.meanX);
  return {
    ...plain,
    test: test.meanY - shift,
    change: plain.change - shift,
    varianceOfTest: fromTest + (theta * theta * control.xx) / (control.n - 1) / control.n,
    covariance: (theta * control.yx) / (control.n - 1) / control.n,
    fromControl,
    fromTest,
    cuped: { applied: true, theta, varianceReduction: 1 - left, reason: null },
  };
}
