import { Problem } from '../../problem.ts';
import { codePoints } from '../../shared/fields.ts';
import { sumOf } from '../../shared/numbers.ts';
import { type Counted, healthOf, unitsSeen, worstOf } from './health.ts';
import {
  type DefaultCheck,
  mostScores,
  type QualityScore,
  type ShownScore,
} from './quality_schema.ts';
import type { Experiment } from './schema.ts';

type Finding = Pick<ShownScore, 'status' | 'criteriaDescription'>;

const [shortest, mostMetrics] = [20, 4];

const finding = (status: Finding['status'], criteriaDescription: string): Finding => ({
  status,
  criteriaDescription,
});

const passedIf = (passed: boolean, yes: string, no: string): Finding =>
  passed ? finding('PASSED', yes) : finding('FAILED', no);

function hypothesisLength({ hypothesis }: Experiment): Finding {
  const length = codePoints(hypothesis.trim());
  if (length === 0) return finding('FAILED', 'There is no hypothesis.');
  return length < shortest
    ? finding('WARNING', `The hypothesis has less than ${shortest} characters.`)
    : finding('PASSED', 'The hypothesis says what is expected.');
}

function primaryMetricsLength({ primaryMetrics: { length } }: Experiment): Finding {
  if (length === 0) return finding('FAILED', 'There is no primary metric.');
  return length > mostMetrics
    ? finding('WARNING', `There are more than ${mostMetrics} primary metrics.`)
    : finding('PASSED', 'The primary metrics are few.');
}

/** Each further comparison makes a chance difference more likely. */
function comparisonCorrection(experiment: Experiment): Finding {
  const { groups, primaryMetrics } = experiment;
  const isCorrected =
    experiment.bonferroniCorrection ||
    experiment.bonferroniCorrectionPerMetric ||
    experiment.benjaminiHochbergPerVariant ||
    experiment.benjaminiHochbergPerMetric;
  const isSingle = (groups.length - 1) * Math.max(1, primaryMetrics.length) <= 1;
  return passedIf(
    isCorrected || isSingle,
    isCorrected ? 'Multiple comparisons are corrected for.' : 'There is but one comparison.',
    'There are several comparisons, and no correction for them.',
  );
}

const guardrailTags = ({ primaryMetricTags, secondaryMetricTags }: Experiment): Finding =>
  passedIf(
    [...primaryMetricTags, ...secondaryMetricTags].some((tag) => /guardrail/i.test(tag)),
    'Guardrail metrics are watched.',
    'No metric tag is one of guardrails.',
  );

const sequentialTesting = ({ sequentialTesting, analyticsType }: Experiment): Finding =>
  passedIf(
    sequentialTesting === true || analyticsType === 'sprt',
    'Results can be looked at early.',
    'Sequential testing is off, so that early looks at the results mislead.',
  );

const balances = {
  PASSED: 'Groups have the sizes that they should.',
  WARNING: 'Groups hardly have the sizes that they should.',
  FAILED: 'Groups do not have the sizes that they should.',
  WAITING: 'Too few exposures have been recorded.',
};

function balancedExposure(experiment: Counted): Finding {
  const status = worstOf(healthOf(experiment));
  return finding(status, balances[status]);
}

/** Whether the target number of units was exposed. */
export function isSampled(experiment: Counted): boolean {
  return sumOf(unitsSeen(experiment)) >= (experiment.targetExposures ?? Number.POSITIVE_INFINITY);
}

const sufficientSample = (experiment: Counted): Finding =>
  isSampled(experiment)
    ? finding('PASSED', 'As many units were exposed as are aimed at.')
    : finding('WAITING', 'Fewer units were exposed than are aimed at, or none are aimed at.');

/** The default checks of the console. */
const checks: Record<DefaultCheck, (experiment: Counted) => Finding> = {
  HYPOTHESIS_LENGTH: hypothesisLength,
  BALANCED_EXPOSURE: balancedExposure,
  PRIMARY_METRICS_LENGTH: primaryMetricsLength,
  COMPARISON_CORRECTION: comparisonCorrection,
  GUARDRAIL_METRIC_TAGS: guardrailTags,
  SUFFICIENT_SAMPLE: sufficientSample,
  POWER_ANALYSIS: () => finding('WAITING', 'No power analysis has been made.'),
  SEQUENTIAL_TESTING: sequentialTesting,
};

const scores = { PASSED: 100, WARNING: 50, FAILED: 0, WAITING: null };

/** Returns the quality scores for a response; default checks are computed at read time. */
export const shownScores = (experiment: Counted): ShownScore[] =>
  (experiment.manualQualityScores ?? []).map((kept) => {
    if ('status' in kept) return kept;
    const { criteriaName, weight } = kept;
    const { status, criteriaDescription } = checks[criteriaName](experiment);
    return { criteriaName, status, criteriaDescription, score: scores[status], weight };
  });

/**
 * Adds scores: a known name replaces its score, and a default check with weight 0 is removed. Weights are
 * renormalized to 100.
 * @throws Problem 400 if there would be too many scores
 */
export function addQualityScores(
  existing: readonly QualityScore[],
  given: readonly QualityScore[],
): QualityScore[] {
  const byName = new Map(
    [...existing, ...given].map((score): [string, QualityScore] => [score.criteriaName, score]),
  );
  const kept = [...byName.values()].filter((score) => 'status' in score || score.weight > 0);
  if (kept.length > mostScores)
    throw Problem.property(
      'manualQualityScores',
      `must be at most ${mostScores} in all, with those that the experiment has`,
    );
  const total = sumOf(kept.map(({ weight }) => weight));
  // Weights that sum to 100 except for rounding noise stay unchanged.
  if (total === 0 || Math.abs(total - 100) < 1e-9) return kept;
  // Rounding could raise a single weight above 100.
  return kept.map((score) => ({ ...score, weight: Math.min(100, (score.weight * 100) / total) }));
}
