import { describe, describeRoutes } from '../../platform/openapi/words/describe.ts';
import type { keyRoutes } from './routes.ts';
import { keyCreate, keyPatch, keyResponse, newKeyResponse } from './schema.ts';

describe([keyResponse, newKeyResponse, keyCreate, keyPatch], {
  type: 'Who uses it: CONSOLE, SERVER or CLIENT.',
  scopes: 'Its permissions.',
  environments: 'The environments it evaluates in; null for all.',
  targetAppID: 'The app it evaluates for; null for all.',
  reports: [
    'What is recorded of applications that use it.',
    {
      events: 'Whether events that are sent with it are stored.',
      exposures: 'Whether exposures are recorded: those reported, and those of evaluations.',
    },
  ],
  expiresTime: 'The expiry, in epoch milliseconds; null for never.',
  key: 'The key itself, returned only once.',
});

describeRoutes<typeof keyRoutes>('keys', {
  operations: {
    'GET /': 'Newest first, without the keys themselves, which are stored as hashes.',
    'POST /':
      'A key cannot grant scopes that its creator lacks. Returns the key, which is not stored.',
    'PATCH /:id/rotate':
      'The old key ends at once; name, scopes and expiry stay. Returns the new key, which is not stored.',
    'PATCH /:id/deactivate': 'It is refused from now on (401).',
    'DELETE /:id': 'It is refused from now on (401), and cannot be restored.',
    'PUT /:id/versions/:version/restore':
      'Restores name, owner, scopes and expiry, but not the key itself or its activation.',
  },
});
