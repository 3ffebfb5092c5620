import { gte, lt } from 'drizzle-orm';
import { Hono } from 'hono';
import * as z from 'zod';
import type { Resource } from '../../env.ts';
import { listing, listOf, pageQuery } from '../../http/envelope.ts';
import { doc, valid } from '../../http/valid.ts';
import { revisionResponse } from '../../operations/history.ts';
import { day, endOfDay, startOfDay } from '../../shared/fields.ts';
import { match } from '../../shared/filters.ts';
import { listRevisions } from '../../store/revisions.ts';
import { revisions } from '../../store/tables.ts';

const auditQuery = pageQuery.extend({
  kind: z.string().optional(),
  id: z.string().optional(),
  actionType: z.string().optional(),
  updatedBy: z.string().optional().meta({ description: 'The id of the API key that made it.' }),
  startDate: day.optional(),
  endDate: day.optional().meta({ description: 'The last day (UTC), included.' }),
});

export const auditLogRoutes = new Hono<Resource>().get(
  '/',
  doc('List all changes of all entities, newest first', listOf(revisionResponse)),
  valid('query', auditQuery),
  async (c) => {
    const { kind, id, actionType, updatedBy, startDate, endDate, ...page } = c.req.valid('query');
    const filters = [
      match(revisions.kind, kind),
      match(revisions.id, id),
      match(revisions.action, actionType),
      match(revisions.actorID, updatedBy),
      startDate ? gte(revisions.time, startOfDay(startDate)) : undefined,
      endDate ? lt(revisions.time, endOfDay(endDate)) : undefined,
    ];
    const found = await listRevisions(c.env.tx, page, filters);
    return listing(c, 'Audit logs listed successfully.', found, (revision) => revision);
  },
);
