/** The numbers of a metric that is not computed. */
export const noNumbers = {
  ...{ testMean: null, controlMean: null, testStd: null, controlStd: null },
  ...{ testUnits: null, controlUnits: null, testTotal: null, controlTotal: null },
  ...{ absoluteChange: null, confidenceInterval: null, confidenceIntervalDelta: null },
  ...{ percentChange: null, percentConfidenceInterval: null, percentConfidenceIntervalDelta: null },
  ...{ degreesOfFreedom: null, pValue: null, adjustedPValue: null, reversePower: null },
  sequentialTestingPValue: null,
  sequentialTestingConfidenceInterval: null,
  sequentialTestingConfidenceIntervalDelta: null,
  percentSequentialTestingConfidenceInterval: null,
  percentSequentialTestingConfidenceIntervalDelta: null,
  ...{ absoluteToplineImpact: null, absoluteToplineImpactDelta: null },
  ...{ relativeToplineImpact: null, relativeToplineImpactDelta: null },
  ...{ projectedAbsoluteToplineImpact: null, projectedAbsoluteToplineImpactDelta: null },
  ...{ projectedRelativeToplineImpact: null, projectedRelativeToplineImpactDelta: null },
  ...{ winsorizationThreshold: null, winsorizationThresholdDenominator: null, skippedEvents: null },
  ...{ cuped: null, bayesian: null, sprt: null, funnel: null, significant: false, warnings: [] },
};
