import * as z from 'zod';
import { report } from '../../../base/report.ts';

const defaultCheck = z.enum([
  'HYPOTHESIS_LENGTH',
  'BALANCED_EXPOSURE',
  'PRIMARY_METRICS_LENGTH',
  'COMPARISON_CORRECTION',
  'GUARDRAIL_METRIC_TAGS',
  'SUFFICIENT_SAMPLE',
  'POWER_ANALYSIS',
  'SEQUENTIAL_TESTING',
]);
export type DefaultCheck = z.infer<typeof defaultCheck>;

const weight = z.number().min(0).max(100);

const manualScore = z.object({
  criteriaName: z.string().min(1),
  status: z.enum(['PASSED', 'FAILED', 'WARNING']),
  criteriaDescription: z.string(),
  score: z.number().min(0).max(100),
  weight,
});

export const storedScore = z.union([manualScore, z.object({ criteriaName: defaultCheck, weight })]);
export type QualityScore = z.infer<typeof storedScore>;

export const qualityScore = manualScore
  .extend({
    status: z.enum(['PASSED', 'FAILED', 'WARNING', 'WAITING']),
    score: z.number().min(0).max(100).nullable(),
  })
  .meta({ id: 'QualityScore' });
export type QualityScoreResponse = z.infer<typeof qualityScore>;

export const qualityScoreInput = qualityScore
  .partial({ status: true, criteriaDescription: true, score: true })
  .meta({ id: 'QualityScoreInput' })
  .transform((given, context): QualityScore => {
    const check = defaultCheck.safeParse(given.criteriaName);
    if (check.success) return { criteriaName: check.data, weight: given.weight };
    const manual = manualScore.safeParse(given);
    if (manual.success) return manual.data;
    const message = 'must be given unless the score is a default check';
    for (const { path } of manual.error.issues) report(context, message, ...path);
    return z.NEVER;
  });

export const maxScores = 10;

export const qualityScoresInput = z.array(qualityScoreInput).max(maxScores);
