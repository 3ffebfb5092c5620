import { normalCdf, studentUpperTail } from './distributions.ts';
import {
  adjustedEstimates,
  type Cuped,
  type Estimates,
  plainEstimates,
  uncorrelated,
} from './estimates.ts';
import { finite } from './finite.ts';
import type { Moments } from './moments.ts';
import { linearized } from './ratio.ts';

export type NoResultReason =
  | 'no_units'
  | 'too_few_units'
  | 'zero_variance'
  | 'zero_denominator'
  | 'too_few_events'
  | 'not_computable';

export interface Comparison {
  controlMean: number | null;
  testMean: number | null;
  absoluteChange: number | null;
  /** The inputs of intervals. Without inference, they and the four numbers below are null. */
  estimates: Estimates | null;
  standardError: number | null;
  /** Null for the normal distribution. */
  degreesOfFreedom: number | null;
  t: number | null;
  pValue: number | null;
  cuped: Cuped | null;
  reason: NoResultReason | null;
}

/** Returns means and their change, with the reason why there is no inference. */
export function withoutInference(
  reason: NoResultReason,
  control = Number.NaN,
  test = Number.NaN,
): Comparison {
  return {
    controlMean: finite(control),
    testMean: finite(test),
    absoluteChange: finite(test - control),
    estimates: null,
    standardError: null,
    degreesOfFreedom: null,
    t: null,
    pValue: null,
    cuped: null,
    reason,
  };
}

/** Returns the degrees of freedom of Welch and Satterthwaite from shares of the variance, which cannot overflow. */
function welchDegrees(estimates: Estimates, controlUnits: number, testUnits: number): number {
  const share = estimates.fromTest / (estimates.fromTest + estimates.fromControl);
  return 1 / (share ** 2 / (testUnits - 1) + (1 - share) ** 2 / (controlUnits - 1));
}

function inferred(estimates: Estimates, degreesOfFreedom: number | null): Comparison {
  const { control, test, change, fromControl, fromTest } = estimates;
  const standardError = Math.sqrt(fromControl + fromTest);
  if (standardError === 0) return withoutInference('zero_variance', control, test);
  const t = change / standardError;
  const numbers = Object.values({ ...estimates, cuped: 0, t, standardError });
  if (numbers.some((number) => finite(number) === null))
    return withoutInference('not_computable', control, test);
  const tail =
    degreesOfFreedom === null
      ? normalCdf(-Math.abs(t))
      : studentUpperTail(Math.abs(t), degreesOfFreedom);
  return {
    controlMean: control,
    testMean: test,
    absoluteChange: change,
    estimates,
    standardError,
    degreesOfFreedom,
    t,
    pValue: 2 * tail,
    cuped: estimates.cuped,
    reason: null,
  };
}

const hasOverflown = ({ yyy, ...moments }: Moments): boolean =>
  Object.values(moments).some((value) => finite(value) === null);

function compareValues(control: Moments, test: Moments, withCuped: boolean): Comparison {
  const means = [control.meanY, test.meanY] as const;
  if (hasOverflown(control) || hasOverflown(test))
    return withoutInference('not_computable', ...means);
  if (control.n < 2 || test.n < 2) return withoutInference('too_few_units', ...means);
  const estimates = (withCuped ? adjustedEstimates : plainEstimates)(control, test);
  return inferred(estimates, welchDegrees(estimates, control.n, test.n));
}

function comparedValues(moments: Moments, isRatio: boolean): Moments | null {
  if (moments.n === 0) return null;
  return isRatio ? linearized(moments) : moments;
}

export interface CompareOptions {
  isRatio?: boolean;
  withCuped?: boolean;
}

/** Returns the change of a mean, or of a ratio of sums, from the control group to the test group. */
export function compare(
  control: Moments,
  test: Moments,
  { isRatio = false, withCuped = false }: CompareOptions = {},
): Comparison {
  const ofControl = comparedValues(control, isRatio);
  const ofTest = comparedValues(test, isRatio);
  if (!ofControl || !ofTest) {
    const reason = control.n > 0 && test.n > 0 ? 'zero_denominator' : 'no_units';
    return withoutInference(reason, ofControl?.meanY, ofTest?.meanY);
  }
  return compareValues(ofControl, ofTest, withCuped);
}

/** Returns the change of two uncorrelated estimates with standard errors, by the normal distribution. */
export function compareNormal(
  control: { value: number; standardError: number },
  test: { value: number; standardError: number },
): Comparison {
  return inferred(
    uncorrelated(
      { value: control.value, variance: control.standardError ** 2 },
      { value: test.value, variance: test.standardError ** 2 },
    ),
    null,
  );
}
