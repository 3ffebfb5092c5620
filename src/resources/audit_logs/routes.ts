import { Hono } from 'hono';
import * as z from 'zod';
import type { Service } from '../../env.ts';
import { listing, listOf, pageQuery, requestedPage } from '../../http/envelope.ts';
import { readCurrent } from '../../http/overdue.ts';
import { requires } from '../../http/scope.ts';
import { doc, valid } from '../../http/valid.ts';
import { revisionResponse } from '../../operations/history.ts';
import { day, endOfDay, startOfDay } from '../../shared/days.ts';
import { report } from '../../shared/report.ts';
import { listRevisions } from '../../store/history/audit_log.ts';
import { kinds } from '../kinds.ts';
import { loggedAction, loggedKind } from '../logged.ts';
import { allOverdue } from '../overdue.ts';

/** Kinds that only a key with the scope admin may read. */
const adminKinds = [
  ...kinds.filter(({ isAdministrative }) => isAdministrative).map(({ kind }) => kind),
  'webhook_delivery',
];

/** A query may contain only one name of each filter. */
const synonyms = [
  ['action', 'actionType'],
  ['actorID', 'updatedBy'],
] as const;

const auditQuery = pageQuery
  .extend({
    kind: loggedKind.optional().meta({ description: 'In singular or plural.' }),
    id: z.string().optional(),
    action: loggedAction.optional(),
    actionType: loggedAction.optional().meta({ description: 'Another name of `action`.' }),
    actorID: z
      .string()
      .optional()
      .meta({ description: 'The id of the API key that made the change.' }),
    updatedBy: z.string().optional().meta({ description: 'Another name of `actorID`.' }),
    actorName: z
      .string()
      .optional()
      .meta({ description: 'The name of the API key at the time of the change.' }),
    requestID: z
      .string()
      .optional()
      .meta({ description: 'Lists all changes of one request: the `requestID` of an entry.' }),
    startDate: day.optional(),
    endDate: day.optional().meta({ description: 'The last day (UTC), included.' }),
  })
  .superRefine((query, context) => {
    for (const [name, synonym] of synonyms)
      if (query[name] !== undefined && query[synonym] !== undefined)
        report(context, `must not be combined with ${name}, which has the same meaning`, synonym);
    const { startDate = '', endDate = startDate } = query;
    if (endDate < startDate) report(context, 'must not be before startDate', 'endDate');
  });

function filters(query: z.output<typeof auditQuery>) {
  const { kind, id, actorName, requestID, startDate, endDate } = query;
  return {
    kind,
    id,
    action: query.action ?? query.actionType,
    actorID: query.actorID ?? query.updatedBy,
    actorName,
    requestID,
    since: startDate === undefined ? undefined : startOfDay(startDate),
    before: endDate === undefined ? undefined : endOfDay(endDate),
  };
}

export const auditLogRoutes = new Hono<Service>()
  .use(requires('read'))
  .get(
    '/',
    doc(
      'List all changes of all entities, newest first',
      { title: 'Audit logs', done: 'listed' },
      listOf(revisionResponse),
    ),
    valid('query', auditQuery),
    async (c) => {
      const query = c.req.valid('query');
      const except = c.get('actor').scopes.includes('admin') ? [] : adminKinds;
      const filter = { ...filters(query), except };
      const page = await readCurrent(c, allOverdue, undefined, (tx) =>
        listRevisions(tx, requestedPage(query), filter),
      );
      return listing(c, page);
    },
  );
