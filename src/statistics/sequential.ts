import { finite } from './finite.ts';

/** Before this number of units in each group, an always-valid result decides nothing. */
export const minUnitsToDecide = 100;

/**
 * The share of α at which the test with a fixed horizon is made on the planned end of a sequential test. With it, both
 * tests together raise false alarms in at most α of the experiments: 4.8% of 5% for 14 looks, 5.0% for 60.
 */
export const plannedEndShare = 0.9;

/**
 * Returns the mixing variance ρ² of an always-valid test, for which intervals are tightest at `tuningUnits` units
 * (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2024). A change of ρ² while the test runs voids its guarantee.
 */
export const mixingVariance = (designAlpha: number, tuningUnits: number): number => {
  const evidence = -2 * Math.log(designAlpha);
  return (evidence + Math.log1p(evidence)) / tuningUnits;
};

/**
 * Returns the critical value of the normal mixture confidence sequence, which holds at all looks at once (Robbins 1970;
 * Waudby-Smith et al. 2024); null without units.
 */
export function sequentialCriticalValue(
  units: number,
  mixing: number,
  alpha: number,
): number | null {
  const k = units * mixing;
  return finite(Math.sqrt(((k + 1) / k) * (Math.log1p(k) - 2 * Math.log(alpha))));
}

/** Returns the always-valid p-value of a change of z standard errors; null without units. */
export function sequentialPValue(z: number, units: number, mixing: number): number | null {
  const k = units * mixing;
  if (!(k > 0) || finite(z) === null) return null;
  return finite(Math.min(1, Math.exp((Math.log1p(k) - (k / (k + 1)) * z * z) / 2)));
}
