import { Hono } from 'hono';
import * as z from 'zod';
import { report } from '../../base/report.ts';
import { endOfDay, startOfDay } from '../../base/time.ts';
import { day } from '../../base/time_fields.ts';
import { allOverdue } from '../../experiments/overdue.ts';
import type { Service } from '../../platform/env.ts';
import { listEnvelope, listing, pageQuery, requestedPage } from '../../platform/http/envelope.ts';
import { readCurrent } from '../../platform/http/overdue.ts';
import { requires } from '../../platform/http/scope.ts';
import { doc, valid } from '../../platform/http/valid.ts';
import { revisionResponse } from '../../platform/operations/history.ts';
import { loggedAction, loggedKind } from '../../platform/resource/logged.ts';
import { kindsOf, type Resource } from '../../platform/resource/resource.ts';
import { type LoggedRevision, listRevisions } from '../../platform/store/history/audit_log.ts';

const adminKinds = (registry: readonly Resource[]) => [
  ...kindsOf(registry)
    .filter(({ isAdministrative }) => isAdministrative)
    .map(({ kind }) => kind),
  'webhook_delivery',
];

const synonyms = [
  ['action', 'actionType'],
  ['actorID', 'updatedBy'],
] as const;

const auditQuery = (registry: readonly Resource[]) =>
  pageQuery
    .extend({
      kind: loggedKind(kindsOf(registry)).optional(),
      id: z.string().optional(),
      action: loggedAction.optional(),
      actionType: loggedAction.optional(),
      actorID: z.string().optional(),
      updatedBy: z.string().optional(),
      actorName: z.string().optional(),
      requestID: z.string().optional(),
      startDate: day.optional(),
      endDate: day.optional(),
    })
    .superRefine((query, context) => {
      for (const [name, synonym] of synonyms)
        if (query[name] !== undefined && query[synonym] !== undefined)
          report(context, `must not be combined with ${name}, which has the same meaning`, synonym);
      const { startDate = '', endDate = startDate } = query;
      if (endDate < startDate) report(context, 'must not be before startDate', 'endDate');
    });

function filters(query: z.output<ReturnType<typeof auditQuery>>) {
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

const jsonOf = ({ changes, ...revision }: LoggedRevision) =>
  `${JSON.stringify(revision).slice(0, -1)},"changes":${changes}}`;

/** Returns the routes of the history of all resources. */
export function auditLogRoutes(registry: readonly Resource[]) {
  const hiddenKinds = adminKinds(registry);
  return new Hono<Service>()
    .use(requires('read'))
    .get(
      '/',
      doc(
        'List all changes of all entities, newest first',
        { title: 'Audit logs', done: 'listed' },
        listEnvelope(revisionResponse),
      ),
      valid('query', auditQuery(registry)),
      async (c) => {
        const query = c.req.valid('query');
        const except = c.get('actor').scopes.includes('admin') ? [] : hiddenKinds;
        const filter = { ...filters(query), except };
        const page = await readCurrent(c, allOverdue, undefined, (tx) =>
          listRevisions(tx, requestedPage(query), filter),
        );
        return listing(c, page, jsonOf);
      },
    );
}
