import type { Words } from '../../platform/openapi/words/words.ts';
import type { eventRoutes } from './routes.ts';
import type { eventInput, eventResponse, eventsImport } from './schema.ts';

export const words: Words<{
  routes: typeof eventRoutes;
  schemas: {
    Event: typeof eventResponse | typeof eventInput;
    Events: typeof eventsImport;
  };
  variants: {
    EventInput: typeof eventInput;
  };
}> = {
  path: 'events',
  schemas: {
    Event: {
      timestamp: 'Epoch milliseconds, as text.',
      name: 'The name of the event.',
      source: 'The source.',
      unitIDs: 'The IDs of its user by ID type, in any case.',
      sender: 'Who sent it: a key of a type, an import, or unknown for events of before 1.3.0.',
      eventID: 'The ID that its sender gave it: an event of one ID counts once.',
    },
    Events: {
      events: 'Up to 1,000 events.',
    },
  },
  variants: {
    EventInput: {
      timestamp: 'The time of the event, in epoch milliseconds.',
    },
  },
  parameters: {
    'GET /:name': {
      name: 'The name of the events.',
    },
  },
  operations: {
    'POST /':
      'Up to 1,000 at once; returns the number accepted. An event with a time or an eventID counts once.',
  },
};
