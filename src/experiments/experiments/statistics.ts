import type * as z from 'zod';
import { show } from '../../base/fields.ts';
import { type Experiment, storedExperiment } from './schema.ts';

const resultSettings = storedExperiment.pick({
  allocation: true,
  controlGroupID: true,
  groups: true,
  primaryMetrics: true,
  secondaryMetrics: true,
  otherMetrics: true,
  analyticsType: true,
  bayesianPriors: true,
  defaultRollupWindow: true,
  benjaminiHochbergPerMetric: true,
  benjaminiHochbergPerVariant: true,
  benjaminiPrimaryMetricsOnly: true,
  bonferroniCorrection: true,
  bonferroniCorrectionPerMetric: true,
  defaultChanceToBeatThreshold: true,
  defaultConfidenceInterval: true,
  defaultSPRTPowerParam: true,
  sequentialTesting: true,
  secondaryIDType: true,
  identifierMappingMode: true,
  identityResolutionSource: true,
  stratifiedSampling: true,
  cureCovariates: true,
  primaryMetricTags: true,
  secondaryMetricTags: true,
  assignmentSourceFilters: true,
  turboMode: true,
  scheduledReloadType: true,
  scheduledReloadHour: true,
  scheduledReloadDays: true,
});

export type ResultSettings = z.infer<typeof resultSettings>;

/** Returns the settings with which results are read; absent ones are undefined, so that they hide others. */
export const resultSettingsOf = (from: Experiment | ResultSettings): ResultSettings =>
  show(resultSettings, from);
