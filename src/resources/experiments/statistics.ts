import type { Experiment } from './schema.ts';

/** Returns the settings of an experiment that decide how its results are tested. */
export const statisticsOf = (experiment: Experiment) => ({
  analyticsType: experiment.analyticsType ?? 'frequentist',
  benjaminiHochbergPerMetric: experiment.benjaminiHochbergPerMetric ?? false,
  benjaminiHochbergPerVariant: experiment.benjaminiHochbergPerVariant ?? false,
  benjaminiPrimaryMetricsOnly: experiment.benjaminiPrimaryMetricsOnly ?? false,
  bonferroniCorrection: experiment.bonferroniCorrection,
  bonferroniCorrectionPerMetric: experiment.bonferroniCorrectionPerMetric ?? false,
  defaultChanceToBeatThreshold: experiment.defaultChanceToBeatThreshold ?? 95,
  defaultConfidenceInterval: experiment.defaultConfidenceInterval,
  defaultSPRTPowerParam: experiment.defaultSPRTPowerParam ?? 0.8,
  sequentialTesting: experiment.sequentialTesting ?? false,
});

export type Statistics = ReturnType<typeof statisticsOf>;
