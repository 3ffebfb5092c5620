import type { Words } from '../../platform/openapi/words/words.ts';
import type { exposureRoutes } from './routes.ts';
import type { exposureInput, exposuresImport } from './schema.ts';

export const words: Words<{
  routes: typeof exposureRoutes;
  schemas: {
    Exposure: typeof exposureInput;
    Exposures: typeof exposuresImport;
  };
}> = {
  path: 'exposures',
  schemas: {
    Exposure: {
      kind: 'The kind of the exposed entity.',
      id: 'The ID of the exposed entity.',
      group:
        'For an experiment, the id or name of a group; for an autotune, the name of a variant.',
      unit: 'The ID of the exposed unit.',
      time: 'Epoch milliseconds, at most a day in the future.',
      attributes: 'Properties of the unit; those that results are split by are stored.',
    },
    Exposures: {
      exposures: 'Up to 1,000 exposures.',
    },
  },
  operations: {
    'POST /': 'Up to 1,000 at once, counted like exposures of SDKs: each unit once.',
  },
};
