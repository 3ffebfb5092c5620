import { describe } from '../../platform/openapi/words/describe.ts';
import { powerBody, powerResponse } from './power_schema.ts';
import { experimentBaseline, metricPreview } from './preview_schema.ts';

const baseline = {
  mean: 'The mean.',
  variance: 'The variance between units.',
  isProportion: 'Whether a unit has the value 0 or 1.',
};

const preview = {
  from: 'The first day (UTC).',
  to: 'The last day (UTC), which is over.',
  unitsPerDay: 'New units a day: each counts once.',
  isPartial: 'Whether the numbers are from the first 10,000 units by ID, or 500,000 events.',
  reason: 'Why numbers are missing; null if none is.',
  reasonDetail: 'The reason in a sentence, of a metric that is not computed.',
};

describe(metricPreview, {
  ...preview,
  unitType: 'The first ID type of the metric, in lower case.',
  units: 'The units with an event of any name.',
  value: 'The mean, share, ratio or percentile of all days.',
  baseline: [
    'What a power analysis takes; null for percentiles and fewer than two units.',
    baseline,
  ],
  steps: [
    'What each step of a funnel reached; null for other metrics.',
    { event: 'The name of the events.' },
  ],
  skippedEvents: 'The events without a number.',
  days: [
    'Each day by itself; empty for a metric with a window.',
    {
      ds: 'The day (UTC).',
      units: 'The units with an event of any name on the day.',
      value: 'The value of the day; null without units.',
    },
  ],
  warnings: 'Fields that are not used.',
});

describe(experimentBaseline, {
  ...preview,
  metricID: 'The ID of the metric.',
  units: 'The targeted units with an event of any name; estimated if isPartial.',
  baseline: ['The metric among these units, as a power analysis takes it.', baseline],
});

describe(powerBody, {
  mean: 'The mean of the metric.',
  variance: 'The variance between units.',
  proportion: 'Instead of mean and variance: the share of units with 1.',
  baselineExperimentID: 'Instead: an experiment whose control group is the baseline.',
  metricID: 'The metric of that experiment.',
  groups: 'With the control group; 2 by default.',
  controlShare: 'The share of units in the control group; equal groups by default.',
  alpha: '0.05 by default; below power.',
  power: '0.8 by default.',
  sequential: 'Whether the test holds at all looks.',
  bonferroni: 'Whether alpha is divided by the test groups.',
  relativeEffect: 'As a share of the mean: 0.1 is 10%.',
  unitsPerDay: 'The units of all groups that are exposed in a day.',
  days: 'The planned duration.',
});

const units = {
  test: 'The units of a test group.',
  control: 'The units of the control group.',
  total: 'The units of all groups.',
};

describe(powerResponse, {
  baseline: ['The metric without the change.', baseline],
  alpha: 'The significance level of each comparison.',
  units: ['The units of a test group and of the control group; null without an effect.', units],
  days: 'Null without effect and units a day.',
  minimumDetectableEffects: [
    'For 1 to 8 weeks, or the given days; empty without unitsPerDay.',
    {
      days: 'The duration.',
      units: ['The units after that time.', units],
      relativeEffect: 'The smallest effect that is found, as a share.',
      reason: 'Why no effect that the baseline can have is found; null if one is.',
    },
  ],
  warnings: 'When the numbers are too small.',
});
