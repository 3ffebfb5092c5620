import type { Words } from '../../platform/openapi/words/words.ts';
import type { metricValueRoutes } from './routes.ts';
import type { metricValueResponse, valueInput, valuesImport } from './schema.ts';

export const words: Words<{
  routes: typeof metricValueRoutes;
  schemas: {
    MetricValue: typeof metricValueResponse | typeof valueInput;
    MetricValues: typeof valuesImport;
  };
  variants: {
    MetricValueInput: typeof valueInput;
  };
}> = {
  path: 'metrics/values',
  schemas: {
    MetricValue: {
      unitType: 'The ID type, or overall.',
      date: 'The day (UTC).',
    },
    MetricValues: {
      date: 'The day, in UTC.',
      values: 'One row per metric and ID type; replaces an earlier one.',
    },
  },
  variants: {
    MetricValueInput: {
      date: 'As in lists; must be the date of the import.',
    },
  },
  parameters: {
    'GET /': {
      date: 'The day (UTC) of the values.',
      startDate: 'Instead of `date`: the first day (UTC).',
      metricName: 'Only values of this metric.',
      metricType: 'Only values of metrics of this type.',
    },
    'DELETE /': {
      date: 'The day (UTC) of the values.',
      metricName: 'Only values of this metric.',
      metricType: 'Only values of metrics of this type.',
    },
  },
  operations: {
    'GET /': 'For a `date`, or from `startDate` to `endDate`: the newest day first.',
    'POST /':
      'Up to 1,000 rows of a day; a row with the same metric and ID type replaces the earlier one.',
    'DELETE /': 'Removes the rows of all ID types; returns their number.',
  },
};
