import { describe, describeRoutes } from '../../platform/openapi/words/describe.ts';
import type { environmentRoutes } from './routes.ts';
import {
  environment,
  environmentInput,
  environmentsRead,
  environmentsResponse,
  environmentsUpdate,
  usedEnvironment,
} from './schema.ts';

describe([environment, environmentInput, usedEnvironment], {
  name: 'The name that rules refer to.',
  isProduction: 'Whether it serves real users.',
  requiresReview: 'Whether changes there need a review; not enforced yet.',
  requiresReleasePipeline: 'Whether changes there need a release pipeline; not enforced yet.',
  uses: 'How many entities use it.',
});

describe([environmentsResponse, environmentsRead, environmentsUpdate], {
  environments: 'All environments.',
});

describeRoutes<typeof environmentRoutes>('environments', {
  operations: {
    'GET /':
      'Three by default. Each with its number of uses; includes environments that are only used.',
    'POST /': 'Replaces all environments; 409 if this would remove one in use.',
  },
});
