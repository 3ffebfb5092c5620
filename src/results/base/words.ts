import { describe } from '../../platform/openapi/words/describe.ts';
import {
  groupExposures,
  health,
  lifts,
  metricResult,
  pulse,
  series,
  spark,
  summary,
  table,
} from './responses.ts';
import { interval, result, twoNumbers } from './schema.ts';

const ds = 'The day (UTC) of the results; null if nothing is loaded.';
const warnings = 'Reasons to doubt the results, and settings that are not used.';

describe(table, 'A table (RFC 4180).');

describe(health, {
  healthCheckStatus: 'The worst of the checks.',
  healthChecks: [
    'The checks and their results.',
    {
      name: 'The name of the check.',
      status: 'The result; WAITING if nothing is counted yet.',
      description: 'The finding of the check.',
    },
  ],
  exposures: [
    'The exposed units.',
    {
      units: 'The units in one group only.',
      perDay: 'Units per loaded day; null before the first.',
      lastTime: 'The end of the last day with new units, or the time of the load.',
    },
  ],
  balance: [
    'How the units are spread over the groups.',
    {
      pValue: 'The probability of such sizes by chance.',
      alwaysValidPValue: 'Valid at any number of looks.',
      groups: [
        'The sizes of the groups.',
        {
          groupID: 'The ID of the group.',
          groupName: 'The name of the group.',
          units: 'The number of units.',
          expectedShare: 'In percent.',
          observedShare: 'In percent.',
        },
      ],
      days: [
        'The sizes at the end of each day.',
        {
          ds: 'The day (UTC).',
          groups: [
            'The sizes of the groups.',
            { groupID: 'The ID of the group.', units: 'The number of units.' },
          ],
        },
      ],
      dimensions: [
        'The sizes in each slice, also by `sdkType` and `appVersion` of the client.',
        {
          dimension: 'The dimension.',
          dimension_value:
            'Its value; empty for units without one, `(other values)` for all but the largest.',
          pValue: 'The probability of such sizes by chance.',
          groups: [
            'The sizes of the groups.',
            { groupID: 'The ID of the group.', units: 'The number of units.' },
          ],
        },
      ],
    },
  ],
  crossovers: [
    'Units that were exposed to several groups, and left out.',
    { units: 'The number of units.', share: 'In percent.' },
  ],
  metrics: [
    'The state of each metric.',
    {
      metricID: 'The ID of the metric.',
      metricName: 'The name of the metric.',
      upTo: 'The end of the last day with results.',
      problem: 'Why the metric is not computed.',
      lateEvents:
        'Events since the start that arrived after their day was loaded, counted once an hour; null before a load.',
    },
  ],
});

describe(groupExposures, {
  groupID: 'The ID of the group.',
  groupName: 'The name of the group.',
  dimension: 'The dimension, if one was requested.',
  dimension_value:
    'The value; empty for units without one, `(other values)` for all but the largest.',
  results: [
    'The units of each day.',
    { date: 'The day (UTC).', exposures: 'The units that were exposed up to its end.' },
  ],
});

describe(interval.unwrap(), { lower: 'The lower end.', upper: 'The upper end.' });

describe(lifts, {
  ds,
  startTime: 'The start of the analyzed phase, in epoch milliseconds; null before it.',
  monitoringMetrics: 'The results of the metrics.',
});

describe(metricResult, {
  ds,
  heterogeneityPValue:
    "The probability that the absolute changes of the dimension's values differ this much by chance (Cochran's Q); null without a dimension, or below two values with inference.",
  dimensionResults: [
    'One result, or one for each value of the dimension.',
    {
      dimension: 'The dimension; null for all units.',
      dimension_value:
        'The value; empty for units without one, `(other values)` for all but the largest, null for all units.',
      metric: 'The result.',
    },
  ],
});

describe(pulse, {
  ds,
  preliminary: 'Whether the day is not over.',
  warnings,
  loadedTime: 'The time of the last load; null before the first.',
  primaryMetrics: 'The results of the primary metrics.',
  secondaryMetrics: 'The results of the secondary metrics.',
  otherMetrics: 'The results of the other metrics, which are not corrected.',
});

describe(summary, {
  ds,
  metric: 'The first primary metric.',
  controlGroupID: 'The control group.',
  testGroupID: 'The first test group.',
  healthCheckStatus: 'The worst of the health checks.',
});

describe(result, {
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
  percentSequentialTestingConfidenceInterval: 'The interval in percent that holds at all looks.',
  cuped: [
    'The adjustment by values before the exposure; null without inference.',
    {
      applied: 'Whether the result is adjusted.',
      theta: 'The slope of the values on those before the exposure.',
      varianceReduction: 'The share of the variance that the adjustment removes.',
      reason: 'Why the result is not adjusted.',
    },
  ],
  bayesian: [
    'The posterior of the change; null without inference.',
    {
      chanceToBeat: 'The probability of a change in the desired direction.',
      lower: 'The lower end of the credible interval.',
      upper: 'The upper end of the credible interval.',
      expectedLoss: 'What is lost on average by the choice of the test group.',
    },
  ],
  sprt: [
    'The sequential probability ratio test, of experiments with that method.',
    {
      theta: 'The hypothesized change in standard errors.',
      logLikelihoodRatio: 'The evidence for the change.',
      upper: 'From here on the change is accepted.',
      lower: 'Down from here no change is accepted.',
      decision: 'The present decision.',
    },
  ],
  funnel: [
    'The steps of a funnel; null for other metrics.',
    {
      stepRates: 'The shares that go on from each step to the next.',
      timeToConvert: 'Mean seconds from the first step to the last, if they are measured.',
    },
  ],
  significant: 'Whether the change counts, by the test that decides.',
  significanceBasis: 'The test that decides.',
  warnings:
    'Doubts: `skewed`, `low_counts`, `pre_experiment_bias`, `peeking`, `preliminary`, `only_converters`, and fields that are not used.',
  reason: 'Why numbers are missing; null if none is.',
  reasonDetail: 'The reason in a sentence, of a metric that is not computed.',
});

describe(series, {
  warnings,
  metricID: 'The ID of the metric.',
  view: 'What a point counts.',
  points: 'The results by day, or by days since the exposure.',
  reason: 'Why there are no points for this metric; null if nothing prevents them.',
  reasonDetail: 'The reason in a sentence, if there is more to say.',
});

describe(spark, {
  metricID: 'The ID of the metric.',
  points: [
    'The changes by day.',
    { ds: 'The day (UTC).', percentChange: 'The change in percent of the control mean.' },
  ],
});

describe(twoNumbers, {
  test: 'The number of the test group.',
  control: 'The number of the control group.',
});
