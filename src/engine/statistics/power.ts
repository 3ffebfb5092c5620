import { normalCdf, normalQuantile } from './distributions.ts';
import { finite } from './finite.ts';
import { sequentialCriticalValue } from './sequential.ts';

export interface Baseline {
  mean: number;
  /** The variance between units; for a metric of 0 and 1 it follows from the mean. */
  variance: number;
  isProportion: boolean;
}

export interface Design {
  alpha: number;
  power: number;
}

export interface GroupUnits {
  test: number;
  control: number;
}

interface Variances {
  effect: number;
  test: number;
  control: number;
}

/** Bounds of the units of a group: a variance needs two, and no experiment has 2^40. */
export const minUnits = 2;
const maxUnits = 2 ** 40;

function plannedVariances(
  { mean, variance, isProportion }: Baseline,
  relativeEffect: number,
): Variances | null {
  const effect = Math.abs(mean * relativeEffect);
  if (!(effect > 0) || finite(effect) === null) return null;
  if (!isProportion) return variance >= 0 ? { effect, test: variance, control: variance } : null;
  const rate = mean * (1 + relativeEffect);
  if (mean < 0 || mean > 1 || rate < 0 || rate > 1) return null;
  return { effect, test: rate * (1 - rate), control: mean * (1 - mean) };
}

const zOf = (probability: number): number => -normalQuantile(1 - probability);

/** Returns how many standard errors away an effect has to be, for a two-sided test of this power. */
const detectable = ({ alpha, power }: Design): number => zOf(power) - normalQuantile(alpha / 2);

/** Returns the units of a two-sided test, not rounded; null without effect, or above 10^12. `controlPerTest` is control by test size. */
export function sampleSize(
  baseline: Baseline,
  relativeEffect: number,
  design: Design,
  controlPerTest: number,
): GroupUnits | null {
  const plan = plannedVariances(baseline, relativeEffect);
  if (!plan) return null;
  const perEffect = detectable(design) / plan.effect;
  const test = perEffect * perEffect * (plan.test + plan.control / controlPerTest);
  const control = test * controlPerTest;
  return test <= maxUnits && control <= maxUnits ? { test, control } : null;
}

const errorOf = ({ test, control }: { test: number; control: number }, units: GroupUnits): number =>
  Math.sqrt(test / units.test + control / units.control);

/** Returns the smallest effect, as a share of the mean, that a test of this power finds; null if the mean is 0. */
export function minimumDetectableEffect(
  { mean, variance }: Pick<Baseline, 'mean' | 'variance'>,
  units: GroupUnits,
  design: Design,
): number | null {
  const error = errorOf({ test: variance, control: variance }, units);
  return finite((detectable(design) * error) / Math.abs(mean));
}

function powerAt(plan: Variances, units: GroupUnits, critical: number): number {
  const distance = plan.effect / errorOf(plan, units);
  return normalCdf(distance - critical) + normalCdf(-distance - critical);
}

/** Returns the probability that a two-sided test finds an effect; null without effect, units or variance. */
export function powerOf(
  baseline: Baseline,
  relativeEffect: number,
  alpha: number,
  units: GroupUnits,
): number | null {
  const plan = plannedVariances(baseline, relativeEffect);
  return plan && finite(powerAt(plan, units, -normalQuantile(alpha / 2)));
}

/** Enough to halve the largest number of units to a 10^18th of a unit. */
const bisections = 100;

/** Returns the units of an always-valid test at one look, not rounded; null without effect, or above 10^12 units. */
export function sequentialSampleSize(
  baseline: Baseline,
  relativeEffect: number,
  { alpha, power }: Design,
  controlPerTest: number,
  mixing: number,
): GroupUnits | null {
  const plan = plannedVariances(baseline, relativeEffect);
  if (!plan) return null;
  const groupsOf = (test: number): GroupUnits => ({ test, control: test * controlPerTest });
  const finds = (test: number): boolean => {
    const units = groupsOf(test);
    const critical = sequentialCriticalValue(units.test + units.control, mixing, alpha);
    return critical !== null && normalCdf(plan.effect / errorOf(plan, units) - critical) >= power;
  };
  if (!finds(maxUnits)) return null;
  let [tooFew, enough] = [0, maxUnits];
  for (let step = 0; step < bisections; step++) {
    const middle = (tooFew + enough) / 2;
    if (finds(middle)) enough = middle;
    else tooFew = middle;
  }
  return groupsOf(enough);
}

/** Returns the relative effect in percent that had a power of 80% to be found (Kohavi, Deng and Vermeer 2022). */
export const reversePower = (
  standardError: number,
  controlMean: number,
  critical: number,
): number | null => finite((100 * (critical + zOf(0.8)) * standardError) / Math.abs(controlMean));
