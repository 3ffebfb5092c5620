import { describe, describeRoutes } from '../../platform/openapi/words/describe.ts';
import type { holdoutRoutes } from './routes.ts';
import { holdoutCreate, holdoutPatch, holdoutResponse, holdoutUpdate } from './schema.ts';

describe([holdoutResponse, holdoutCreate, holdoutPatch, holdoutUpdate], {
  isGlobal: 'Whether each new gate joins it.',
  passPercentage: 'The percentage held out, 0 to 10.',
  gateIDs: 'The gates in the holdout.',
  experimentIDs: 'The experiments in the holdout.',
  layerIDs: 'The layers in the holdout.',
  dynamicConfigIDs: 'The dynamic configs in the holdout.',
  promptIDs: 'The prompts in the holdout.',
});

describeRoutes<typeof holdoutRoutes>('holdouts', {
  parameters: {
    'GET /': {
      isGlobal: 'Only global holdouts, or only others.',
    },
  },
});
