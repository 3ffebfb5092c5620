import { finite } from './finite.ts';

/** Returns a hypothesized effect in standard deviations (Cohen's d); null if the baseline has no mean or no spread. */
export function cohensD(relativeEffect: number, mean: number, variance: number): number | null {
  const effect = finite(Math.abs(relativeEffect * mean) / Math.sqrt(Math.max(0, variance)));
  return effect === 0 ? null : effect;
}

export interface SprtInput {
  z: number;
  controlUnits: number;
  testUnits: number;
  cohensD: number;
  alpha: number;
  power: number;
}

export interface Sprt {
  theta: number;
  logLikelihoodRatio: number;
  upper: number;
  lower: number;
  decision: 'alternative' | 'null' | 'continue';
}

/** Returns the sequential test of an effect of either sign (Wald 1945; Hajnal 1961). Null if a group has no units. */
export function sprtOf(input: SprtInput): Sprt | null {
  const { z, controlUnits, testUnits, alpha, power } = input;
  const theta = input.cohensD / Math.sqrt(1 / controlUnits + 1 / testUnits);
  const u = Math.abs(z * theta);
  const logCosh = u + Math.log1p(Math.exp(-2 * u)) - Math.LN2;
  const logLikelihoodRatio = finite(logCosh - (theta * theta) / 2);
  if (!(theta > 0) || logLikelihoodRatio === null) return null;
  const upper = Math.log(power / alpha);
  const lower = Math.log((1 - power) / (1 - alpha));
  const isDecided = logLikelihoodRatio >= upper ? 'alternative' : 'null';
  const isOpen = logLikelihoodRatio < upper && logLikelihoodRatio > lower;
  return {
    theta,
    logLikelihoodRatio,
    upper,
    lower,
    decision: isOpen ? 'continue' : isDecided,
  };
}
