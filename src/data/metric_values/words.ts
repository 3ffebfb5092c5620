import { describe, describeRoutes } from '../../platform/openapi/words/describe.ts';
import type { metricValueRoutes } from './routes.ts';
import { metricValueResponse, removedResponse, valueInput, valuesImport } from './schema.ts';

const unitType = 'The ID type, or overall.';

describe(metricValueResponse, { unitType, date: 'The day (UTC).' });

describe(valueInput, { unitType, date: 'As in lists; must be the date of the import.' });

describe(valuesImport, {
  date: 'The day, in UTC.',
  values: 'One row per metric and ID type; replaces an earlier one.',
});

describe(removedResponse, { removed: 'The number of removed items.' });

describeRoutes<typeof metricValueRoutes>('metrics/values', {
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
});
