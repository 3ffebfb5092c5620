import { describe, describeRoutes } from '../../platform/openapi/words/describe.ts';
import { includeArchived } from '../rules/words.ts';
import type { segmentRoutes } from './routes.ts';
import { idListPatch, segmentCreate, segmentPatch, segmentResponse } from './schema.ts';

describe([segmentResponse, segmentCreate, segmentPatch], {
  type: 'Whether rules or an ID list decide.',
  count: 'The number of ids in an id_list segment.',
});

describe(idListPatch, {
  add: 'The IDs to add.',
  remove: 'The IDs to remove.',
  ids: 'Alias of `add`.',
});

describeRoutes<typeof segmentRoutes>('segments', {
  parameters: { 'GET /': { includeArchived } },
  operations: {
    'GET /:id/id_list': 'All at once, or one page if `page` or `limit` is given.',
    'PATCH /:id/id_list': 'Adds `ids` and `add`; removes `remove`.',
  },
});
