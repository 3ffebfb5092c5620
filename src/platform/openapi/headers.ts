import type { Json } from './components.ts';

const text = { type: 'string' };

export const headers: Record<string, Json> = {
  ETag: {
    description: 'The version of the entity, for If-Match and If-None-Match.',
    schema: text,
    example: '"3"',
  },
  Location: {
    description: 'The path of the new entity.',
    schema: { type: 'string', format: 'uri-reference' },
    example: '/console/v1/gates/new_checkout',
  },
  'Retry-After': {
    description: 'The seconds to wait before sending the request again.',
    schema: { type: 'integer' },
    example: 60,
  },
  'D1-Bookmark': {
    description:
      'The database state of the response. A request that sends it in this header reads that state or a later one.',
    schema: text,
    example: '00000001-00000002-00004e2f-0a8b3c5d7e9f1a2b3c4d5e6f7a8b9c0d',
  },
  'Server-Timing': {
    description:
      'The cost: round trips to the database, rows read and written, and milliseconds there.',
    schema: text,
    example: 'trips;desc="1", rows_read;desc="3", rows_written;desc="0", db;dur=1.2',
  },
};
