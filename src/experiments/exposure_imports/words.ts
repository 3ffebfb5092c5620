import { describe, describeRoutes } from '../../platform/openapi/words/describe.ts';
import type { exposureRoutes } from './routes.ts';
import { exposureInput, exposuresImport } from './schema.ts';

describe(exposureInput, {
  kind: 'The kind of the exposed entity.',
  id: 'The ID of the exposed entity.',
  group: 'For an experiment, the id or name of a group; for an autotune, the name of a variant.',
  unit: 'The ID of the exposed unit.',
  time: 'Epoch milliseconds, at most a day in the future.',
  attributes: 'Properties of the unit; those that results are split by are stored.',
});

describe(exposuresImport, { exposures: 'Up to 1,000 exposures.' });

describeRoutes<typeof exposureRoutes>('exposures', {
  operations: {
    'POST /': 'Up to 1,000 at once, counted like exposures of SDKs: each unit once.',
  },
});
