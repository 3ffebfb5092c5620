import type { Words } from '../../platform/openapi/words/words.ts';
import type { segmentRoutes } from './routes.ts';
import type {
  idListPatch,
  idListRead,
  idListResponse,
  segmentCreate,
  segmentPatch,
  segmentResponse,
} from './schema.ts';

export const words: Words<{
  routes: typeof segmentRoutes;
  schemas: {
    Segment: typeof segmentResponse | typeof segmentCreate | typeof segmentPatch;
    SegmentIDList: typeof idListResponse | typeof idListPatch;
    SegmentIDs: ReturnType<typeof idListRead>;
  };
  variants: {
    SegmentIDListPatch: typeof idListPatch;
  };
}> = {
  path: 'segments',
  schemas: {
    Segment: {
      type: 'Whether rules or an ID list decide.',
      count: 'The number of ids in an id_list segment.',
    },
    SegmentIDList: {
      add: 'The IDs to add.',
      remove: 'The IDs to remove.',
    },
    SegmentIDs: {
      message: 'The outcome, in a sentence.',
      warnings:
        'Parts of a change that take effect later, temporarily or not yet, and unknown fields of the body, which are ignored. Absent if there are none.',
    },
  },
  variants: {
    SegmentIDListPatch: {
      ids: 'Alias of `add`.',
    },
  },
  operations: {
    'GET /:id/id_list': 'All at once, or one page if `page` or `limit` is given.',
    'PATCH /:id/id_list': 'Adds `ids` and `add`; removes `remove`.',
  },
};
