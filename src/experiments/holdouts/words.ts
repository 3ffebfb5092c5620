import type { Words } from '../../platform/openapi/words/words.ts';
import type { holdoutRoutes } from './routes.ts';
import type { holdoutCreate, holdoutPatch, holdoutResponse, holdoutUpdate } from './schema.ts';

export const words: Words<{
  routes: typeof holdoutRoutes;
  schemas: {
    Holdout:
      | typeof holdoutResponse
      | typeof holdoutCreate
      | typeof holdoutPatch
      | typeof holdoutUpdate;
  };
}> = {
  path: 'holdouts',
  schemas: {
    Holdout: {
      isGlobal: 'Whether each new gate joins it.',
      passPercentage: 'The percentage held out, 0 to 10.',
      gateIDs: 'The gates in the holdout.',
      experimentIDs: 'The experiments in the holdout.',
      layerIDs: 'The layers in the holdout.',
      dynamicConfigIDs: 'The dynamic configs in the holdout.',
      promptIDs: 'The prompts in the holdout.',
    },
  },
  parameters: {
    'GET /': {
      isGlobal: 'Only global holdouts, or only others.',
    },
  },
};
