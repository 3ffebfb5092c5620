import { minUnitsOfVerdict } from '../../../engine/statistics/sequential.ts';
import type { Sprt } from '../../../engine/statistics/sprt.ts';
import type { Basis } from './decision.ts';
import type { Measured } from './measured.ts';

interface Evidence {
  basis: Basis;
  pValue: number | null;
  alwaysValidPValue: number | null;
  chance: number | undefined;
  sprt: Sprt | null;
}

/** Whether a result counts, by the test that decides; `threshold` is a chance in percent. */
export function isSignificant(
  { basis, pValue, alwaysValidPValue, chance, sprt }: Evidence,
  { pair, corrected, wasDecided }: Measured,
  threshold: number,
): boolean {
  const below = (p: number | null) => p !== null && p < corrected.adjustedAlpha;
  switch (basis) {
    case 'bayesian':
      return chance !== undefined && Math.abs(100 * chance - 50) >= threshold - 50;
    case 'sprt':
      return sprt?.decision === 'alternative';
    case 'sequential': {
      const units = Math.min(pair.control?.n ?? 0, pair.test?.n ?? 0);
      return wasDecided || (units >= minUnitsOfVerdict && below(alwaysValidPValue));
    }
    default:
      return below(pValue);
  }
}
