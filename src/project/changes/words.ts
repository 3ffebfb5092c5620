import { describe, describeRoutes } from '../../platform/openapi/words/describe.ts';
import type { changesRoutes } from './routes.ts';
import { change, changeResult, changesBody } from './schema.ts';

describe(change, {
  method: 'POST, PUT, PATCH or DELETE.',
  path: 'The path of the request, with a query if the operation takes one.',
  body: 'The body of the request.',
  ifMatch: 'The value of the If-Match header.',
  headers: 'The headers of the request; only If-Match is allowed.',
});

describe(changeResult, {
  status: 'The HTTP status of the response.',
  body: 'The body of the response.',
});

describe(changesBody, { changes: 'The changes, in order; all or none are stored.' });

describeRoutes<typeof changesRoutes>('changes', {
  operations: {
    'POST /':
      'Up to 50 changes, each with method, path, headers and body; later ones may refer to entities that earlier ones create. If one fails, its error is returned with its `index`, and nothing is stored.',
  },
});
