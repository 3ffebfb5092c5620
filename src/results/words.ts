import type { PropertySchema, Words } from '../platform/openapi/words/words.ts';
import type {
  groupExposures,
  health,
  lifts,
  metricResult,
  pulse,
  series,
  spark,
  summary,
} from './base/responses.ts';
import type { interval, result, twoNumbers } from './base/schema.ts';
import type { unitValuesImport } from './exposures/unit_values.ts';
import type { pulseLoad } from './loads/loading_schema.ts';
import type { powerBody, powerResponse } from './power/power_schema.ts';
import type { experimentBaseline, metricPreview } from './power/preview_schema.ts';

export const words: Words<{
  variants: {
    ExperimentBaseline: typeof experimentBaseline;
    'ExperimentBaseline.baseline': PropertySchema<typeof experimentBaseline, 'baseline'>;
    'MetricPreview.baseline': PropertySchema<typeof metricPreview, 'baseline'>;
    'MetricPreview.days': PropertySchema<typeof metricPreview, 'days'>;
    'MetricPreview.steps': PropertySchema<typeof metricPreview, 'steps'>;
    ExperimentHealth: typeof health;
    'ExperimentHealth.healthChecks': PropertySchema<typeof health, 'healthChecks'>;
    'ExperimentHealth.exposures': PropertySchema<typeof health, 'exposures'>;
    'ExperimentHealth.balance': PropertySchema<typeof health, 'balance'>;
    'ExperimentHealth.balance.groups': PropertySchema<
      PropertySchema<typeof health, 'balance'>,
      'groups'
    >;
    'ExperimentHealth.balance.days': PropertySchema<
      PropertySchema<typeof health, 'balance'>,
      'days'
    >;
    'ExperimentHealth.balance.days.groups': PropertySchema<
      PropertySchema<PropertySchema<typeof health, 'balance'>, 'days'>,
      'groups'
    >;
    'ExperimentHealth.balance.dimensions': PropertySchema<
      PropertySchema<typeof health, 'balance'>,
      'dimensions'
    >;
    'ExperimentHealth.balance.dimensions.groups': PropertySchema<
      PropertySchema<PropertySchema<typeof health, 'balance'>, 'dimensions'>,
      'groups'
    >;
    'ExperimentHealth.crossovers': PropertySchema<typeof health, 'crossovers'>;
    'ExperimentHealth.metrics': PropertySchema<typeof health, 'metrics'>;
    GroupExposures: typeof groupExposures;
    'GroupExposures.results': PropertySchema<typeof groupExposures, 'results'>;
    Interval: typeof interval;
    Lifts: typeof lifts;
    MetricResult: typeof metricResult;
    'MetricResult.dimensionResults': PropertySchema<typeof metricResult, 'dimensionResults'>;
    Power: typeof powerResponse;
    'Power.baseline': PropertySchema<typeof powerResponse, 'baseline'>;
    'Power.units': PropertySchema<typeof powerResponse, 'units'>;
    'Power.minimumDetectableEffects': PropertySchema<
      typeof powerResponse,
      'minimumDetectableEffects'
    >;
    'Power.minimumDetectableEffects.units': PropertySchema<
      PropertySchema<typeof powerResponse, 'minimumDetectableEffects'>,
      'units'
    >;
    PowerAnalysis: typeof powerBody;
    Pulse: typeof pulse;
    PulseLoad: typeof pulseLoad;
    PulseSummary: typeof summary;
    Result: typeof result;
    'Result.cuped': PropertySchema<typeof result, 'cuped'>;
    'Result.bayesian': PropertySchema<typeof result, 'bayesian'>;
    'Result.sprt': PropertySchema<typeof result, 'sprt'>;
    'Result.funnel': PropertySchema<typeof result, 'funnel'>;
    Series: typeof series;
    Spark: typeof spark;
    'Spark.points': PropertySchema<typeof spark, 'points'>;
    TwoGroups: typeof twoNumbers;
    UnitValues: typeof unitValuesImport;
    'UnitValues.values': PropertySchema<typeof unitValuesImport, 'values'>;
  };
}> = {
  variants: {
    ExperimentBaseline: {
      metricID: 'The ID of the metric.',
    },
    'ExperimentBaseline.baseline': {
      mean: 'The mean.',
      variance: 'The variance between units.',
      isProportion: 'Whether a unit has the value 0 or 1.',
    },
    'MetricPreview.baseline': {
      mean: 'The mean.',
      variance: 'The variance between units.',
      isProportion: 'Whether a unit has the value 0 or 1.',
    },
    'MetricPreview.days': {
      ds: 'The day (UTC).',
    },
    'MetricPreview.steps': {
      event: 'The name of the events.',
    },
    ExperimentHealth: {
      healthCheckStatus: 'The worst of the checks.',
      healthChecks: 'The checks and their results.',
      exposures: 'The exposed units.',
      balance: 'How the units are spread over the groups.',
      crossovers: 'Units that were exposed to several groups, and left out.',
      metrics: 'The state of each metric.',
    },
    'ExperimentHealth.healthChecks': {
      name: 'The name of the check.',
      status: 'The result; WAITING if nothing is counted yet.',
      description: 'The finding of the check.',
    },
    'ExperimentHealth.exposures': {
      units: 'The units in one group only.',
      perDay: 'Units per loaded day; null before the first.',
    },
    'ExperimentHealth.balance': {
      pValue: 'The probability of such sizes by chance.',
      groups: 'The sizes of the groups.',
      days: 'The sizes at the end of each day.',
      dimensions: 'The sizes in each slice, also by `sdkType` and `appVersion` of the client.',
    },
    'ExperimentHealth.balance.groups': {
      groupID: 'The ID of the group.',
      groupName: 'The name of the group.',
      units: 'The number of units.',
    },
    'ExperimentHealth.balance.days': {
      ds: 'The day (UTC).',
      groups: 'The sizes of the groups.',
    },
    'ExperimentHealth.balance.days.groups': {
      groupID: 'The ID of the group.',
      units: 'The number of units.',
    },
    'ExperimentHealth.balance.dimensions': {
      dimension: 'The dimension.',
      dimension_value:
        'Its value; empty for units without one, `(other values)` for all but the largest.',
      pValue: 'The probability of such sizes by chance.',
      groups: 'The sizes of the groups.',
    },
    'ExperimentHealth.balance.dimensions.groups': {
      groupID: 'The ID of the group.',
      units: 'The number of units.',
    },
    'ExperimentHealth.crossovers': {
      units: 'The number of units.',
    },
    'ExperimentHealth.metrics': {
      metricID: 'The ID of the metric.',
      metricName: 'The name of the metric.',
      lateEvents:
        'Events since the start that arrived after their day was loaded, counted once an hour; null before a load.',
    },
    GroupExposures: {
      groupID: 'The ID of the group.',
      groupName: 'The name of the group.',
      dimension: 'The dimension, if one was requested.',
      dimension_value:
        'The value; empty for units without one, `(other values)` for all but the largest.',
      results: 'The units of each day.',
    },
    'GroupExposures.results': {
      date: 'The day (UTC).',
      exposures: 'The units that were exposed up to its end.',
    },
    Interval: {
      lower: 'The lower end.',
      upper: 'The upper end.',
    },
    Lifts: {
      monitoringMetrics: 'The results of the metrics.',
    },
    MetricResult: {
      dimensionResults: 'One result, or one for each value of the dimension.',
    },
    'MetricResult.dimensionResults': {
      dimension: 'The dimension; null for all units.',
      dimension_value:
        'The value; empty for units without one, `(other values)` for all but the largest, null for all units.',
      metric: 'The result.',
    },
    Power: {
      baseline: 'The metric without the change.',
      warnings: 'When the numbers are too small.',
    },
    'Power.baseline': {
      mean: 'The mean.',
      variance: 'The variance between units.',
      isProportion: 'Whether a unit has the value 0 or 1.',
    },
    'Power.units': {
      test: 'The units of a test group.',
      control: 'The units of the control group.',
      total: 'The units of all groups.',
    },
    'Power.minimumDetectableEffects': {
      days: 'The duration.',
      units: 'The units after that time.',
      relativeEffect: 'The smallest effect that is found, as a share.',
    },
    'Power.minimumDetectableEffects.units': {
      test: 'The units of a test group.',
      control: 'The units of the control group.',
      total: 'The units of all groups.',
    },
    PowerAnalysis: {
      mean: 'The mean of the metric.',
      variance: 'The variance between units.',
      sequential: 'Whether the test holds at all looks.',
      unitsPerDay: 'The units of all groups that are exposed in a day.',
      days: 'The planned duration.',
    },
    Pulse: {
      loadedTime: 'The time of the last load; null before the first.',
      primaryMetrics: 'The results of the primary metrics.',
      secondaryMetrics: 'The results of the secondary metrics.',
      otherMetrics: 'The results of the other metrics, which are not corrected.',
    },
    PulseLoad: {
      creatorName: 'Who started the load.',
      createdTime: 'When it was started, in epoch milliseconds.',
      finishedState: 'How it ended; null while it is under way.',
      reloadType: 'All days, days without results, or some metrics.',
      turboMode: 'The setting of the experiment.',
    },
    PulseSummary: {
      controlGroupID: 'The control group.',
      testGroupID: 'The first test group.',
      healthCheckStatus: 'The worst of the health checks.',
    },
    Result: {
      ds: 'In a series by day: the day (UTC).',
      day: 'In a series by days since the exposure: how many; 0 is the day of the exposure.',
      metricID: 'The ID of the metric.',
      metricName: 'The name of the metric.',
      directionality: 'The desired direction.',
      testMean: 'The mean of the test group, adjusted by CUPED if that is applied.',
      controlMean: 'The mean of the control group.',
      testStd: 'The standard error of the mean of the test group.',
      controlStd: 'The standard error of the mean of the control group.',
      testUnits: 'The units of the test group that take part.',
      controlUnits: 'The units of the control group that take part.',
      testTotal: 'The total of the test group.',
      controlTotal: 'The total of the control group.',
      absoluteChange: 'The change of the mean.',
      confidenceIntervalDelta: 'Half of the interval of the change.',
      percentChange: 'The change in percent of the control mean.',
      percentConfidenceIntervalDelta: 'Half of a symmetric interval, in percent.',
      degreesOfFreedom: 'Of the t-test; null for the normal distribution.',
      pValue: 'The p-value of a single look.',
      adjustedAlpha: 'The error rate of this result after corrections.',
      adjustedPValue: 'The p-value that decides, after corrections.',
      reversePower: 'The change in percent that had a power of 80% to be found.',
      sequentialTestingPValue: 'The p-value that holds at all looks.',
      sequentialTestingConfidenceIntervalDelta: 'Half of the interval that holds at all looks.',
      percentSequentialTestingConfidenceIntervalDelta:
        'Half of a symmetric interval in percent that holds at all looks.',
      absoluteToplineImpact: 'What the test group adds to the total of a day.',
      absoluteToplineImpactDelta: 'Half of the interval of that impact.',
      relativeToplineImpact: 'That impact in percent of the total; null if unknown.',
      relativeToplineImpactDelta: 'Half of the interval of the relative impact.',
      projectedAbsoluteToplineImpact: 'The impact if all users were in the test group.',
      projectedAbsoluteToplineImpactDelta: 'Half of the interval of the projected impact.',
      projectedRelativeToplineImpact: 'The projected impact in percent; null if unknown.',
      projectedRelativeToplineImpactDelta: 'Half of the interval of the projected relative impact.',
      winsorizationThreshold: 'The value of a unit to which larger ones are lowered.',
      winsorizationThresholdDenominator: 'The same for the denominator of a ratio.',
      skippedEvents: 'The events without a number.',
      confidenceInterval: 'The interval of the change, at 1 - adjustedAlpha.',
      percentConfidenceInterval:
        'The interval of the change in percent; null if the control mean may be 0.',
      sequentialTestingConfidenceInterval: 'The interval that holds at all looks.',
      percentSequentialTestingConfidenceInterval:
        'The interval in percent that holds at all looks.',
      cuped: 'The adjustment by values before the exposure; null without inference.',
      bayesian: 'The posterior of the change; null without inference.',
      sprt: 'The sequential probability ratio test, of experiments with that method.',
      funnel: 'The steps of a funnel; null for other metrics.',
      significant: 'Whether the change counts, by the test that decides.',
      significanceBasis: 'The test that decides.',
      warnings:
        'Doubts: `skewed`, `low_counts`, `pre_experiment_bias`, `peeking`, `preliminary`, `only_converters`, and fields that are not used.',
      reason: 'Why numbers are missing; null if none is.',
      reasonDetail: 'The reason in a sentence, of a metric that is not computed.',
    },
    'Result.cuped': {
      applied: 'Whether the result is adjusted.',
      theta: 'The slope of the values on those before the exposure.',
      varianceReduction: 'The share of the variance that the adjustment removes.',
      reason: 'Why the result is not adjusted.',
    },
    'Result.bayesian': {
      chanceToBeat: 'The probability of a change in the desired direction.',
      lower: 'The lower end of the credible interval.',
      upper: 'The upper end of the credible interval.',
      expectedLoss: 'What is lost on average by the choice of the test group.',
    },
    'Result.sprt': {
      theta: 'The hypothesized change in standard errors.',
      logLikelihoodRatio: 'The evidence for the change.',
      upper: 'From here on the change is accepted.',
      lower: 'Down from here no change is accepted.',
      decision: 'The present decision.',
    },
    'Result.funnel': {
      stepRates: 'The shares that go on from each step to the next.',
      timeToConvert: 'Mean seconds from the first step to the last, if they are measured.',
    },
    Series: {
      metricID: 'The ID of the metric.',
      view: 'What a point counts.',
      points: 'The results by day, or by days since the exposure.',
      reason: 'Why there are no points for this metric; null if nothing prevents them.',
      reasonDetail: 'The reason in a sentence, if there is more to say.',
    },
    Spark: {
      metricID: 'The ID of the metric.',
      points: 'The changes by day.',
    },
    'Spark.points': {
      ds: 'The day (UTC).',
      percentChange: 'The change in percent of the control mean.',
    },
    TwoGroups: {
      test: 'The number of the test group.',
      control: 'The number of the control group.',
    },
    UnitValues: {
      date: 'The day (UTC) of the values.',
      values: 'The values of units.',
    },
    'UnitValues.values': {
      metricName: 'The name of the metric.',
      metricType: 'The type of the metric.',
      unitType: 'The ID type of the unit.',
      unitID: 'The ID of the unit.',
      value: 'The value of the day.',
      numerator: 'The numerator of the day, for a ratio or a mean.',
      denominator: 'The denominator of the day, for a ratio or a mean.',
    },
  },
};
