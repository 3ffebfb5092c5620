import { codePoints } from '../../../base/fields.ts';
import { sumOf } from '../../../base/numbers.ts';
import { Problem } from '../../../base/problem.ts';
import {
  type DefaultCheck,
  maxScores,
  type QualityScore,
  type QualityScoreResponse,
} from '../schema/quality.ts';
import type { Experiment } from '../schema.ts';
import { type ExperimentWithCounts, unitChecksOf, unitsSeen, worstOf } from './health.ts';

type Finding = Pick<QualityScoreResponse, 'status' | 'criteriaDescription'>;

const [minHypothesisLength, maxPrimaryMetrics] = [20, 4];

const finding = (status: Finding['status'], criteriaDescription: string): Finding => ({
  status,
  criteriaDescription,
});

const passedIf = (passed: boolean, yes: string, no: string): Finding =>
  passed ? finding('PASSED', yes) : finding('FAILED', no);

function hypothesisLength({ hypothesis }: Experiment): Finding {
  const length = codePoints(hypothesis.trim());
  if (length === 0) return finding('FAILED', 'There is no hypothesis.');
  return length < minHypothesisLength
    ? finding('WARNING', `The hypothesis has fewer than ${minHypothesisLength} characters.`)
    : finding('PASSED', 'The hypothesis is long enough.');
}

function primaryMetricsLength({ primaryMetrics: { length } }: Experiment): Finding {
  if (length === 0) return finding('FAILED', 'There is no primary metric.');
  return length > maxPrimaryMetrics
    ? finding('WARNING', `There are more than ${maxPrimaryMetrics} primary metrics.`)
    : finding('PASSED', `There are at most ${maxPrimaryMetrics} primary metrics.`);
}

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
    isCorrected ? 'Multiple comparisons are corrected for.' : 'There is only one comparison.',
    'There are several comparisons without a correction.',
  );
}

const guardrailTags = ({ primaryMetricTags, secondaryMetricTags }: Experiment): Finding =>
  passedIf(
    [...primaryMetricTags, ...secondaryMetricTags].some((tag) => /guardrail/i.test(tag)),
    'A metric tag marks guardrails.',
    'No metric tag marks guardrails.',
  );

const sequentialTesting = ({ sequentialTesting, analyticsType }: Experiment): Finding =>
  passedIf(
    sequentialTesting === true || analyticsType === 'sprt',
    'Results can be read early.',
    'Sequential testing is off; results read early are misleading.',
  );

const balanceDescriptions = {
  PASSED: 'Group sizes match the planned split.',
  WARNING: 'Group sizes may not match the planned split (p < 0.01).',
  FAILED: 'Group sizes do not match the planned split (p < 0.001).',
  WAITING: 'Too few exposures have been recorded.',
};

function balancedExposure(experiment: ExperimentWithCounts): Finding {
  const status = worstOf(unitChecksOf(experiment));
  return finding(status, balanceDescriptions[status]);
}

/** Whether the experiment has reached `targetExposures`. */
export function isSampled(experiment: ExperimentWithCounts): boolean {
  return sumOf(unitsSeen(experiment)) >= (experiment.targetExposures ?? Number.POSITIVE_INFINITY);
}

const sufficientSample = (experiment: ExperimentWithCounts): Finding =>
  isSampled(experiment)
    ? finding('PASSED', 'The target number of exposed units is reached.')
    : finding('WAITING', 'The target number of exposed units is not reached, or not set.');

const wantedPower = 0.8;

/** Whether the planned units find the hypothesized change with a power of 80%; undefined if that is not known. */
export const isPowered = ({ power }: ExperimentWithCounts): boolean | undefined =>
  typeof power === 'number' ? power >= wantedPower : undefined;

function powerFinding(experiment: ExperimentWithCounts): Finding {
  const passed = isPowered(experiment);
  if (passed === undefined)
    return finding(
      'WAITING',
      'The first primary metric has no hypothesized value, or no results in the control group.',
    );
  const percent = Math.floor(100 * (experiment.power ?? 0));
  return finding(
    passed ? 'PASSED' : 'WARNING',
    `The planned units find the hypothesized change with a power of ${percent}%.`,
  );
}

const checks: Record<DefaultCheck, (experiment: ExperimentWithCounts) => Finding> = {
  HYPOTHESIS_LENGTH: hypothesisLength,
  BALANCED_EXPOSURE: balancedExposure,
  PRIMARY_METRICS_LENGTH: primaryMetricsLength,
  COMPARISON_CORRECTION: comparisonCorrection,
  GUARDRAIL_METRIC_TAGS: guardrailTags,
  SUFFICIENT_SAMPLE: sufficientSample,
  POWER_ANALYSIS: powerFinding,
  SEQUENTIAL_TESTING: sequentialTesting,
};

const scores = { PASSED: 100, WARNING: 50, FAILED: 0, WAITING: null };

/** Returns the quality scores of an experiment, with the current results of default checks. */
export const qualityScoresOf = (experiment: ExperimentWithCounts): QualityScoreResponse[] =>
  (experiment.manualQualityScores ?? []).map((stored) => {
    if ('status' in stored) return stored;
    const { criteriaName, weight } = stored;
    const { status, criteriaDescription } = checks[criteriaName](experiment);
    return { criteriaName, status, criteriaDescription, score: scores[status], weight };
  });

/** Replaces scores by name, drops default checks of weight 0, scales weights to 100. @throws Problem 400 beyond 10. */
export function addQualityScores(
  existing: readonly QualityScore[],
  given: readonly QualityScore[],
): QualityScore[] {
  const byName = new Map(
    [...existing, ...given].map((score): [string, QualityScore] => [score.criteriaName, score]),
  );
  const stored = [...byName.values()].filter((score) => 'status' in score || score.weight > 0);
  if (stored.length > maxScores)
    throw Problem.property(
      'manualQualityScores',
      `must have at most ${maxScores} scores, including the existing ones`,
    );
  const total = sumOf(stored.map(({ weight }) => weight));
  if (total === 0 || Math.abs(total - 100) < 1e-9) return stored;
  // Rounding can lift a single weight above 100.
  return stored.map((score) => ({ ...score, weight: Math.min(100, (score.weight * 100) / total) }));
}
