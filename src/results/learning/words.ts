import { describe, describeRoutes } from '../../platform/openapi/words/describe.ts';
import type { autotuneResultRoutes } from './routes.ts';
import { autotuneResults } from './schema.ts';

const learned = {
  units: 'Units whose attribution window is over.',
  successes: 'Units with a success event within the window.',
  probabilityOfBest: 'From 0 to 1; null while the values of units do not vary.',
  allocation: 'The share of units from then on, in percent.',
};

describe(autotuneResults, {
  time: 'The hour until which trials count, in epoch milliseconds; null before the first.',
  explorationEndTime: 'When exploration ends, in epoch milliseconds.',
  variants: {
    ...learned,
    rate: 'The share of units with a success, from 0 to 1.',
    mean: 'The mean value of a unit, if values are optimized.',
    interval: [
      'The 95% interval of the rate, or of the mean if that is optimized.',
      { lower: 'The lower bound.', upper: 'The upper bound.' },
    ],
  },
  hours: ['The hours of the day.', { variants: learned }],
  warnings: 'Settings that are not used.',
});

describeRoutes<typeof autotuneResultRoutes>('autotunes', {
  parameters: {
    'GET /:id/results': {
      date: 'The day (UTC); the latest with results if absent.',
      start: 'The start of an earlier run, in epoch milliseconds.',
    },
  },
});
