import type { Words } from '../../platform/openapi/words/words.ts';
import type { environmentRoutes } from './routes.ts';
import type {
  environment,
  environmentInput,
  environmentsRead,
  environmentsResponse,
  environmentsUpdate,
  usedEnvironment,
} from './schema.ts';

export const words: Words<{
  routes: typeof environmentRoutes;
  schemas: {
    Environment: typeof environment | typeof environmentInput | typeof usedEnvironment;
    Environments: typeof environmentsResponse | typeof environmentsRead | typeof environmentsUpdate;
  };
}> = {
  path: 'environments',
  schemas: {
    Environment: {
      name: 'The name that rules refer to.',
      isProduction: 'Whether it serves real users.',
      requiresReview: 'Whether changes there need a review; not enforced yet.',
      requiresReleasePipeline: 'Whether changes there need a release pipeline; not enforced yet.',
      uses: 'How many entities use it.',
    },
    Environments: {
      environments: 'All environments.',
    },
  },
  operations: {
    'GET /':
      'Three by default. Each with its number of uses; includes environments that are only used.',
    'POST /': 'Replaces all environments; 409 if this would remove one in use.',
  },
};
