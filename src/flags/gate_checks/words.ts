import { describe, describeRoutes } from '../../platform/openapi/words/describe.ts';
import type { checksOfGateRoutes, gateCheckRoutes } from './routes.ts';
import { allChecksResponse, gateChecksResponse } from './schema.ts';

const startTime = 'The beginning of the first hour, in epoch milliseconds.';

const hour = {
  time: 'The beginning of the hour, in epoch milliseconds.',
  checks: 'The checks of the hour.',
  passes: 'The checks that passed.',
  fails: 'The checks that did not pass. Some SDKs report checks without outcome.',
};

describe(gateChecksResponse, {
  startTime,
  hours: [
    'The hours with checks, oldest first, by rule.',
    {
      ...hour,
      ruleID:
        'The ID of the rule, or `override`, `holdout`, `launched`, `default` or `disabled`; null if it was not reported.',
    },
  ],
});

describe(allChecksResponse, {
  startTime,
  hours: ['The hours with checks, oldest first.', hour],
});

const days = 'How many times 24 hours, up to the running hour.';

describeRoutes<typeof checksOfGateRoutes>('gates', { parameters: { 'GET /:id/checks': { days } } });

describeRoutes<typeof gateCheckRoutes>('gate_checks', { parameters: { 'GET /': { days } } });
