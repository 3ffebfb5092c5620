import { describe } from '../../platform/openapi/words/describe.ts';
import { exposureCount, exposureCounts } from './exposure_count_schema.ts';
import { unitValuesImport } from './unit_values.ts';

describe(exposureCount, {
  pastDay: 'Exposures of the last whole day (UTC).',
  past7Days: 'Exposures of the last 7 whole days (UTC).',
});

describe(exposureCounts, {
  experiments: 'Exposures of experiments, by day.',
  gates: 'Gates whose rules are measured have exposures.',
  dynamicConfigs: 'Exposures of dynamic configs are not recorded: their counts are null.',
});

describe(unitValuesImport, {
  date: 'The day (UTC) of the values.',
  values: [
    'The values of units.',
    {
      metricName: 'The name of the metric.',
      metricType: 'The type of the metric.',
      unitType: 'The ID type of the unit.',
      unitID: 'The ID of the unit.',
      value: 'The value of the day.',
      numerator: 'The numerator of the day, for a ratio or a mean.',
      denominator: 'The denominator of the day, for a ratio or a mean.',
    },
  ],
});
