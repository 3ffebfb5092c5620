import { describe, describeRoutes } from '../../platform/openapi/words/describe.ts';
import type { eventRoutes } from './routes.ts';
import { eventInput, eventResponse, eventsImport } from './schema.ts';

const event = {
  name: 'The name of the event.',
  source: 'The source.',
  unitIDs: 'The IDs of its user by ID type, in any case.',
  eventID: 'The ID that its sender gave it: an event of one ID counts once.',
};

describe(eventResponse, {
  ...event,
  timestamp: 'Epoch milliseconds, as text.',
  sender: 'The kind of key that it came with; unknown for events of before 1.3.0.',
});

describe(eventInput, { ...event, timestamp: 'The time of the event, in epoch milliseconds.' });

describe(eventsImport, { events: 'Up to 1,000 events.' });

describeRoutes<typeof eventRoutes>('events', {
  parameters: {
    'GET /:name': {
      name: 'The name of the events.',
    },
  },
  operations: {
    'POST /':
      'Up to 1,000 at once; returns the number accepted. An event with a time or an eventID counts once.',
  },
});
