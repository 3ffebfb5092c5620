import { describe, describeRoutes } from '../../platform/openapi/words/describe.ts';
import type { autotuneRoutes } from './routes.ts';
import {
  autotuneCreate,
  autotunePatch,
  autotuneResponse,
  autotuneUpdate,
  decisionBody,
  startBody,
  variant,
  variantInput,
} from './schema.ts';

describe([autotuneResponse, autotuneCreate, autotunePatch, autotuneUpdate], {
  isStarted: 'Whether it is running.',
  status: 'The stage: setup, active or decision_made.',
  variants: 'The variants, at least two; locked while it runs.',
  successEvent: 'The event to optimize.',
  successEventValue: 'The value that the event must carry to count.',
  explorationWindow: 'How long traffic is split evenly at the start.',
  attributionWindow: 'The longest gap between exposure and success.',
  winnerThreshold: 'The probability of being best that wins all traffic.',
  metadataField: 'The metadata number to optimize; null for whether the event follows.',
  higherIsBetter: 'Whether higher is better.',
  isContextual: 'Whether it learns per user context.',
  metricSourceID: 'The metric source of the success.',
  linkedExperimentName: 'The linked experiment.',
  goalRichText: 'The goal.',
  featureList: 'The user properties it learns from.',
  explorationWindowRate: 'The share that explores at first, 0.001 to 1.',
  longtermExplorationAllocation: 'The share that explores later, 0.001 to 1.',
  attributionWindowUnit: 'The unit of that gap.',
  optimizationParameter: 'Whether to optimize the occurrence or the value.',
  decidedVariant: 'The chosen variant; null before a decision.',
});

describe(decisionBody, { id: 'The name of the variant.' });

describe(startBody, {
  startTime:
    'When an autotune began elsewhere: epoch milliseconds, or a time such as 2026-01-01T09:00:00Z, from 2000 until now. Now by default.',
});

describe([variant, variantInput], {
  name: 'The name of the variant.',
  json: 'The value of the variant.',
  size: 'The share of the first requests, in percent.',
});

describeRoutes<typeof autotuneRoutes>('autotunes', {
  operations: {
    'PUT /:id/start':
      'From setup to active; its variants are then locked. Sets `startTime` to now or to an earlier time.',
    'PUT /:id/reset': 'Back to setup: learned results and the decision are cleared.',
    'PUT /:id/make_decision': 'Sets `decidedVariant`, the reason and the time, until a reset.',
  },
});
