import type { Json } from './components.ts';

const text = { type: 'string' };

/** The headers of answers. */
export const headers: Record<string, Json> = {
  ETag: {
    description: 'The version of what the answer shows, for If-Match and If-None-Match.',
    schema: text,
    example: '"3"',
  },
  Location: {
    description: 'The path of what was made.',
    schema: { type: 'string', format: 'uri-reference' },
    example: '/console/v1/gates/new_checkout',
  },
  'Retry-After': {
    description: 'How many seconds to wait before the request is sent again.',
    schema: { type: 'integer' },
    example: 60,
  },
  'D1-Bookmark': {
    description:
      'How far the answer has seen. A request that sends it in a header of the same name sees at least as much.',
    schema: text,
    example: '00000001-00000002-00004e2f-0a8b3c5d7e9f1a2b3c4d5e6f7a8b9c0d',
  },
  'Server-Timing': {
    description:
      'What the answer cost: trips to the database, rows read and written, and milliseconds there.',
    schema: text,
    example: 'trips;desc="1", rows_read;desc="3", rows_written;desc="0", db;dur=1.2',
  },
};
