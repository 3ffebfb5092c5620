import { distinct } from '../../base/distinct.ts';
export interface TestedMetric {
  metric: string;
  variant: string;
  role: 'primary' | 'secondary' | 'other';
  /** Null without inference. */
  pValue: number | null;
}

export interface Corrections {
  bonferroniPerVariant: boolean;
  bonferroniPerMetric: boolean;
  /** The share of α of all primary metrics together, 0 to 1; null for equal parts of all metrics. */
  primaryWeight: number | null;
  benjaminiPerMetric: boolean;
  benjaminiPerVariant: boolean;
  benjaminiPrimaryOnly: boolean;
}

export interface Corrected {
  /** The α at which the test is made; 0 if the weight leaves nothing. */
  adjustedAlpha: number;
  adjustedPValue: number | null;
}

/** Returns p-values multiplied by their number (R `p.adjust`). */
export const bonferroni = (pValues: readonly number[]): number[] =>
  pValues.map((p) => Math.min(1, p * pValues.length));

/**
 * Returns p-values that control the false discovery rate, and its α (Benjamini and Hochberg 1995; R `p.adjust`).
 * Intervals at 1 - `adjustedAlpha` control the false coverage rate (Benjamini and Yekutieli 2005).
 */
export function benjaminiHochberg(
  pValues: readonly number[],
  alpha: number,
): { adjustedPValues: number[]; adjustedAlpha: number } {
  const m = pValues.length;
  const ascending = pValues.map((p, place) => ({ p, place })).sort((a, b) => a.p - b.p);
  const adjustedPValues = [...pValues];
  let [least, rejected] = [1, 0];
  for (const [index, { p, place }] of [...ascending.entries()].reverse()) {
    const rank = index + 1;
    least = Math.min(least, (p * m) / rank);
    adjustedPValues[place] = least;
    if (rejected === 0 && p <= (rank * alpha) / m) rejected = rank;
  }
  return { adjustedPValues, adjustedAlpha: (Math.max(1, rejected) * alpha) / Math.max(1, m) };
}

function bonferroniAlpha(
  { role }: TestedMetric,
  family: readonly TestedMetric[],
  alpha: number,
  { bonferroniPerVariant, bonferroniPerMetric, primaryWeight }: Corrections,
): number {
  const variants = bonferroniPerVariant ? distinct(family.map(({ variant }) => variant)).length : 1;
  const metricsOf = (of: TestedMetric['role']) =>
    distinct(family.filter((test) => test.role === of).map(({ metric }) => metric)).length;
  const [primary, secondary] = [metricsOf('primary'), metricsOf('secondary')];
  if (!bonferroniPerMetric) return alpha / variants;
  if (primaryWeight === null || primary === 0 || secondary === 0)
    return alpha / variants / (primary + secondary);
  return role === 'primary'
    ? (alpha * primaryWeight) / variants / primary
    : (alpha * (1 - primaryWeight)) / variants / secondary;
}

function discoveryFamily(
  test: TestedMetric,
  family: readonly TestedMetric[],
  corrections: Corrections,
): TestedMetric[] {
  const { benjaminiPerMetric, benjaminiPerVariant, benjaminiPrimaryOnly } = corrections;
  return family.filter(
    ({ metric, variant, role, pValue }) =>
      pValue !== null &&
      (!benjaminiPrimaryOnly || role === 'primary') &&
      (benjaminiPerMetric || metric === test.metric) &&
      (benjaminiPerVariant || variant === test.variant),
  );
}

const uncorrected = ({ pValue }: TestedMetric, alpha: number): Corrected => ({
  adjustedAlpha: alpha,
  adjustedPValue: pValue,
});

function byBonferroni(
  test: TestedMetric,
  family: readonly TestedMetric[],
  alpha: number,
  settings: Corrections,
) {
  const { bonferroniPerMetric, bonferroniPerVariant } = settings;
  if (!bonferroniPerMetric && !bonferroniPerVariant) return uncorrected(test, alpha);
  const adjustedAlpha = bonferroniAlpha(test, family, alpha, settings);
  const factor = adjustedAlpha > 0 ? alpha / adjustedAlpha : Number.MAX_VALUE;
  const adjustedPValue = test.pValue === null ? null : Math.min(1, test.pValue * factor);
  return { adjustedAlpha, adjustedPValue };
}

function byBenjamini(
  test: TestedMetric,
  family: readonly TestedMetric[],
  alpha: number,
  settings: Corrections,
) {
  const { benjaminiPerMetric, benjaminiPerVariant, benjaminiPrimaryOnly } = settings;
  const isLeftOut = benjaminiPrimaryOnly && test.role !== 'primary';
  if (isLeftOut || (!benjaminiPerMetric && !benjaminiPerVariant)) return uncorrected(test, alpha);
  const together = discoveryFamily(test, family, settings);
  const pValues = together.map(({ pValue }) => pValue ?? 1);
  const { adjustedPValues, adjustedAlpha } = benjaminiHochberg(pValues, alpha);
  return { adjustedAlpha, adjustedPValue: adjustedPValues[together.indexOf(test)] ?? null };
}

/** Returns α and the adjusted p-value of each test, uncorrected for other metrics. The stricter correction holds. */
export function corrected(
  tests: readonly TestedMetric[],
  alpha: number,
  corrections: Corrections,
): Corrected[] {
  const family = tests.filter(({ role }) => role !== 'other');
  return tests.map((test) => {
    if (test.role === 'other') return uncorrected(test, alpha);
    const both = [
      byBonferroni(test, family, alpha, corrections),
      byBenjamini(test, family, alpha, corrections),
    ];
    return {
      adjustedAlpha: Math.min(...both.map(({ adjustedAlpha }) => adjustedAlpha)),
      adjustedPValue:
        test.pValue === null
          ? null
          : Math.max(...both.map(({ adjustedPValue }) => adjustedPValue ?? 0)),
    };
  });
}
