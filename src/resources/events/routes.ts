import { Hono } from 'hono';
import type * as z from 'zod';
import type { Service } from '../../env.ts';
import {
  imported,
  importOf,
  listing,
  listOf,
  pageQuery,
  requestedPage,
} from '../../http/envelope.ts';
import { countRows } from '../../http/rate_limit.ts';
import { requires } from '../../http/scope.ts';
import { said } from '../../http/success.ts';
import { open, transact } from '../../http/transact.ts';
import { doc, valid } from '../../http/valid.ts';
import { Problem } from '../../problem.ts';
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
      listOf(eventResponse),
    ),
    valid('query', pageQuery),
    async (c) => {
      const page = await listEvents(open(c), requestedPage(c.req.valid('query')));
      return listing(c, page, view);
    },
  )
  .post(
    '/',
    doc('Record events', { title: 'Events', done: 'recorded' }, importOf, 201, {
      isUnversioned: true,
    }),
    valid('json', eventsImport),
    async (c) => {
      const given = c.req.valid('json').events;
      await countRows(c, given);
      return transact(c, async (tx) => {
        const events = given.map((event) => newEvent(event, tx.author.time));
        const summary = { accepted: events.length };
        tx.imports.push({ kind: 'events', statements: recordEvents(events), summary });
        return imported(c, said(c, tx), events);
      });
    },
  )
  .get(
    '/:name',
    doc(
      'List the recorded events of a name, newest first',
      { title: 'Events', done: 'listed' },
      listOf(eventResponse),
    ),
    valid('param', nameParam),
    valid('query', pageQuery),
    async (c) => {
      const { name } = c.req.valid('param');
      const page = await listEvents(open(c), requestedPage(c.req.valid('query')), name);
      if (page.totalItems === 0)
        throw new Problem('not_found', `No event with the name ${name} was recorded.`);
      return listing(c, page, view);
    },
  );
