import { finite } from './finite.ts';

/** Before this number of units in each group, an always-valid result decides nothing. */
export const minUnitsOfVerdict = 100;

/** The share of α for the test at the planned end: both tests raise 4.8% (14 looks) to 5.0% (60) false alarms at 5%. */
export const plannedEndShare = 0.9;

/** Returns ρ² with the tightest intervals at `tuningUnits` (Waudby-Smith et al. 2024); a change voids the guarantee. */
export const mixingVariance = (designAlpha: number, tuningUnits: number): number => {
  const evidence = -2 * Math.log(designAlpha);
  return (evidence + Math.log1p(evidence)) / tuningUnits;
};

/** Returns the critical value for all looks at once; null without units (Robbins 1970; Waudby-Smith et al. 2024). */
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
