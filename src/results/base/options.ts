import type { Corrections } from '../../engine/statistics/corrections.ts';
import type { Experiment } from '../../experiments/experiments/schema.ts';

export interface ResultOptions {
  alpha: number;
  withCuped: boolean;
  isSequential: boolean;
  method: 'frequentist' | 'bayesian' | 'sprt';
  corrections: Corrections;
  chanceToBeatThreshold: number;
  sprtPower: number;
}

export interface Switches {
  cuped?: boolean | undefined;
  confidence?: number | undefined;
  sequential?: boolean | undefined;
  applyBonferroniPerVariant?: boolean | undefined;
  applyBonferroniPerMetric?: boolean | undefined;
  bonferroniPrimaryMetricWeight?: number | undefined;
  applyBenjaminiHochbergPerMetric?: boolean | undefined;
  applyBenjaminiHochbergPerVariant?: boolean | undefined;
}

const noCorrections: Corrections = {
  bonferroniPerVariant: false,
  bonferroniPerMetric: false,
  primaryWeight: null,
  benjaminiPerMetric: false,
  benjaminiPerVariant: false,
  benjaminiPrimaryOnly: false,
};

const defaultOptions: ResultOptions = {
  alpha: 0.05,
  withCuped: true,
  isSequential: false,
  method: 'frequentist',
  corrections: noCorrections,
  chanceToBeatThreshold: 95,
  sprtPower: 0.8,
};

/** Returns a share of a number that may be in percent; undefined unless it lies between 0 and 1. */
function shareOf(given: number | null | undefined): number | undefined {
  if (!given) return undefined;
  const share = given > 1 ? given / 100 : given;
  return share > 0 && share < 1 ? share : undefined;
}

function settingsOf(experiment: Experiment): ResultOptions {
  return {
    alpha: (100 - Number(experiment.defaultConfidenceInterval)) / 100,
    withCuped: true,
    isSequential: experiment.sequentialTesting ?? false,
    method: experiment.analyticsType ?? 'frequentist',
    corrections: {
      bonferroniPerVariant: experiment.bonferroniCorrection,
      bonferroniPerMetric: experiment.bonferroniCorrectionPerMetric ?? false,
      primaryWeight: null,
      benjaminiPerMetric: experiment.benjaminiHochbergPerMetric ?? false,
      benjaminiPerVariant: experiment.benjaminiHochbergPerVariant ?? false,
      benjaminiPrimaryOnly: experiment.benjaminiPrimaryMetricsOnly ?? false,
    },
    chanceToBeatThreshold: 100 * (shareOf(experiment.defaultChanceToBeatThreshold) ?? 0.95),
    sprtPower: shareOf(experiment.defaultSPRTPowerParam) ?? 0.8,
  };
}

/** Returns the options of a request: its switches, else the settings of the experiment, if it is one. */
export function optionsOf(given: Switches, experiment?: Experiment): ResultOptions {
  const settings = experiment ? settingsOf(experiment) : defaultOptions;
  const { corrections } = settings;
  return {
    ...settings,
    alpha: given.confidence === undefined ? settings.alpha : (100 - given.confidence) / 100,
    withCuped: given.cuped ?? settings.withCuped,
    isSequential: given.sequential ?? settings.isSequential,
    corrections: {
      bonferroniPerVariant: given.applyBonferroniPerVariant ?? corrections.bonferroniPerVariant,
      bonferroniPerMetric: given.applyBonferroniPerMetric ?? corrections.bonferroniPerMetric,
      primaryWeight: given.bonferroniPrimaryMetricWeight ?? corrections.primaryWeight,
      benjaminiPerMetric: given.applyBenjaminiHochbergPerMetric ?? corrections.benjaminiPerMetric,
      benjaminiPerVariant:
        given.applyBenjaminiHochbergPerVariant ?? corrections.benjaminiPerVariant,
      benjaminiPrimaryOnly: corrections.benjaminiPrimaryOnly,
    },
  };
}
