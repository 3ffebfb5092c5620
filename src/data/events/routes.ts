import { Hono } from 'hono';
import type * as z from 'zod';
import { Problem } from '../../base/problem.ts';
import type { Service } from '../../platform/env.ts';
import { listEnvelope, listing, pageQuery, requestedPage } from '../../platform/http/envelope.ts';
import { requires } from '../../platform/http/scope.ts';
import { openReads } from '../../platform/http/transact.ts';
import { doc, valid } from '../../platform/http/valid.ts';
import { importRows } from '../../platform/operations/importing.ts';
import { eventIdentity, inOneOrder } from './identity.ts';
import { type EventRow, listEvents } from './listing.ts';
import { identitiesOf, type RecordedEvent, recordEvents, unstored } from './recording.ts';
import { type EventInput, eventResponse, eventsImport, nameParam } from './schema.ts';
import { idsByType } from './unit_ids.ts';

const view = ({ seq: _, unitIDs: _ids, ...event }: EventRow): z.infer<typeof eventResponse> => ({
  ...event,
  timestamp: String(event.timestamp),
});

const sender = 'management';

/** Returns an event in stored form. `now` in epoch milliseconds is the time of an event without one. */
function toRecorded(input: EventInput, now: number): RecordedEvent {
  const { eventID: givenID, ...given } = input;
  const eventID = givenID ?? null;
  const filled = { source: '', value: '', userID: '', metadata: {}, unitIDs: {}, ...given };
  const { name, timestamp: time, value, userID, metadata, unitIDs } = filled;
  const units = inOneOrder(Object.fromEntries(idsByType(userID, unitIDs)));
  const identity = eventIdentity(sender, { eventID, name, units, time, value, metadata });
  return { ...filled, timestamp: given.timestamp ?? now, sender, eventID, identity };
}

export const eventRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get(
    '/',
    doc(
      'List recorded events, newest first',
      { title: 'Events', done: 'listed' },
      listEnvelope(eventResponse),
    ),
    valid('query', pageQuery),
    async (c) => {
      const page = await listEvents(openReads(c), requestedPage(c.req.valid('query')));
      return listing(c, page, view);
    },
  )
  .post(
    '/',
    ...importRows({
      summary: 'Record events',
      success: { title: 'Events', done: 'recorded' },
      body: eventsImport,
      rows: ({ events }) => events,
      async stage(tx, { events }) {
        const given = events.map((event) => toRecorded(event, tx.author.time));
        const staged = new Set(tx.loggedRows.flatMap(({ keys = [] }) => keys));
        const found = await unstored(tx.read, given);
        const fresh = found.filter(({ identity }) => identity === null || !staged.has(identity));
        tx.loggedRows.push({
          kind: 'events',
          statements: recordEvents(fresh),
          keys: identitiesOf(fresh),
          summary: { accepted: events.length },
        });
      },
    }),
  )
  .get(
    '/:name',
    doc(
      'List the recorded events of a name, newest first',
      { title: 'Events', done: 'listed' },
      listEnvelope(eventResponse),
    ),
    valid('param', nameParam),
    valid('query', pageQuery),
    async (c) => {
      const { name } = c.req.valid('param');
      const page = await listEvents(openReads(c), requestedPage(c.req.valid('query')), name);
      if (page.totalItems === 0)
        throw new Problem('not_found', `No event with the name ${name} was recorded.`);
      return listing(c, page, view);
    },
  );
