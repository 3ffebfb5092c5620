import { Hono } from 'hono';
import * as z from 'zod';
import type { Service } from '../../env.ts';
import { listing, listOf, pageQuery, requestedPage } from '../../http/envelope.ts';
import { requires } from '../../http/scope.ts';
import { open } from '../../http/transact.ts';
import { doc, valid } from '../../http/valid.ts';
import { revisionResponse } from '../../operations/history.ts';
import { day, endOfDay, startOfDay } from '../../shared/fields.ts';
import { listRevisions } from '../../store/history.ts';
import { keys } from '../keys/table.ts';
import { users } from '../users/table.ts';
import { webhooks } from '../webhooks/table.ts';
import { connections } from '../wh_connections/table.ts';

/** The kinds that only a key with the scope admin may read. */
const administrative = [keys.kind, connections.kind, users.kind, webhooks.kind];

const auditQuery = pageQuery.extend({
  kind: z.string().optional(),
  id: z.string().optional(),
  actionType: z.string().optional(),
  updatedBy: z.string().optional().meta({ description: 'The id of the API key that made it.' }),
  startDate: day.optional(),
  endDate: day.optional().meta({ description: 'The last day (UTC), included.' }),
});

export const auditLogRoutes = new Hono<Service>()
  .use(requires('read'))
  .get(
    '/',
    doc('List all changes of all entities, newest first', listOf(revisionResponse)),
    valid('query', auditQuery),
    async (c) => {
      const { kind, id, actionType, updatedBy, startDate, endDate, ...page } = c.req.valid('query');
      const found = await listRevisions(open(c), requestedPage(page), {
        kind,
        id,
        action: actionType,
        actorID: updatedBy,
        since: startDate === undefined ? undefined : startOfDay(startDate),
        before: endDate === undefined ? undefined : endOfDay(endDate),
        except: c.get('actor').scopes.includes('admin') ? [] : administrative,
      });
      return listing(c, 'Audit logs listed successfully.', found, (revision) => revision);
    },
  );
