import { Hono } from 'hono';
import type * as z from 'zod';
import { Problem } from '../../base/problem.ts';
import type { Service } from '../../platform/env.ts';
import { listEnvelope, listing, pageQuery, requestedPage } from '../../platform/http/envelope.ts';
import { requires } from '../../platform/http/scope.ts';
import { openReads } from '../../platform/http/transact.ts';
import { doc, valid } from '../../platform/http/valid.ts';
import { importRows } from '../../platform/operations/importing.ts';
import { type EventRow, listEvents } from './listing.ts';
import { recordEvents } from './recording.ts';
import { eventResponse, eventsImport, nameParam, newEvent } from './schema.ts';

const view = ({ seq: _, unitIDs: _ids, ...event }: EventRow): z.infer<typeof eventResponse> => ({
  ...event,
  timestamp: String(event.timestamp),
});

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
      stage: (tx, { events }) => {
        const statements = recordEvents(events.map((event) => newEvent(event, tx.author.time)));
        tx.loggedRows.push({ kind: 'events', statements, summary: { accepted: events.length } });
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
