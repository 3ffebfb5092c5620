import type { QualityScore } from './schema.ts';

/** Scores that the console computes itself; only their weight can be set (contract, manualQualityScores). */
const defaultScores = new Set([
  'HYPOTHESIS_LENGTH',
  'BALANCED_EXPOSURE',
  'PRIMARY_METRICS_LENGTH',
  'COMPARISON_CORRECTION',
  'GUARDRAIL_METRIC_TAGS',
  'SUFFICIENT_SAMPLE',
  'POWER_ANALYSIS',
  'SEQUENTIAL_TESTING',
]);

/**
 * Adds scores to those an experiment has: one of a known name replaces it, a default score takes the new weight
 * alone, and goes with weight 0. The weights of the result are renormalized to 100.
 */
export function addQualityScores(
  existing: readonly QualityScore[],
  given: readonly QualityScore[],
): QualityScore[] {
  const byName = new Map(existing.map((score) => [score.criteriaName, score]));
  for (const score of given) {
    const old = byName.get(score.criteriaName);
    const isDefault = defaultScores.has(score.criteriaName);
    byName.set(score.criteriaName, isDefault && old ? { ...old, weight: score.weight } : score);
    if (isDefault && score.weight === 0) byName.delete(score.criteriaName);
  }
  const scores = [...byName.values()];
  const total = scores.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0 || total === 100) return scores;
  return scores.map((score) => ({ ...score, weight: (score.weight * 100) / total }));
}
