import { and, type Column, count, eq, gt, gte, inArray, lt, not, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { type Revision, shownColumns } from './history.ts';
import { all, endOf, firstSince, type Numbered } from './numbered.ts';
import { pageRows } from './page_rows.ts';
import { newestBy, type Page, type PageRequest, pageOf } from './pages.ts';
import { aliased, constant, larger, minus, oneRow, orElse, valuesIn } from './sqlite.ts';
import { compile, once, query } from './statement.ts';
import { actors, revisions } from './tables.ts';
import type { Reads } from './terms.ts';

const { seq, nthOfKind, nthOfAction, nthOfActor } = revisions;

/** What the audit log can be asked for; times are epoch milliseconds. */
interface AuditFilters {
  kind?: string | undefined;
  id?: string | undefined;
  action?: string | undefined;
  actorID?: string | undefined;
  /** The name that the actor had. */
  actorName?: string | undefined;
  requestID?: string | undefined;
  /** From, included. */
  since?: number | undefined;
  /** To, not included. */
  before?: number | undefined;
  /** Kinds that are left out, and not counted. */
  except?: readonly string[];
}

/** What tells the rows of a request: they are at a time, from a `seq` on. */
interface FoundRequest {
  id: string;
  time: number;
  from: number;
}

/** The same, with the ids of the actors that had the name, and the request that was found. */
type Resolved = AuditFilters & { actorIDs?: readonly string[]; found?: FoundRequest };

const every = alias(actors, 'every');
const namesOf = query
  .select({ names: count().as('names') })
  .from(every)
  .where(eq(every.id, actors.id));

const named = compile(
  query
    .select({ id: actors.id, names: namesOf.as('names') })
    .from(actors)
    .where(eq(actors.name, sql.placeholder('name'))),
);

/** Finds the actors of a name. One that had no other name, and shares it with none, is as good as its id. */
async function resolveActor(tx: Reads, filters: AuditFilters): Promise<Resolved> {
  const { actorName, actorID, ...rest } = filters;
  if (actorName === undefined) return filters;
  const [found] = await tx.read(named({ name: actorName }));
  const [only, another] = found;
  const isOne = only?.names === 1 && !another && (actorID ?? only.id) === only.id;
  return isOne
    ? { ...rest, actorID: only.id }
    : { ...filters, actorIDs: found.map(({ id }) => id) };
}

/** How the rows that pass a filter are numbered; unknown of more than one filter. */
function numberedBy(filters: Resolved): Numbered | undefined {
  const { kind, id, action, actorID, actorIDs, requestID } = filters;
  const [only, another] = Object.entries({ kind, id, action, actorID, actorIDs, requestID }).filter(
    ([, value]) => value !== undefined,
  );
  if (another) return undefined;
  if (!only) return all;
  if (kind !== undefined) return { number: nthOfKind, alike: eq(revisions.kind, kind) };
  if (action !== undefined) return { number: nthOfAction, alike: eq(revisions.action, action) };
  if (actorID !== undefined) return { number: nthOfActor, alike: eq(revisions.actorID, actorID) };
  return undefined;
}

/** The rows of a request; of an unknown one there are none. */
const ofRequest = ({ id, time, from }: FoundRequest) => {
  const next = query
    .select({ seq })
    .from(revisions)
    .where(and(gte(seq, from), gt(revisions.time, time)))
    .orderBy(seq)
    .limit(1);
  return and(gte(seq, from), lt(seq, orElse(next, endOf(all))), eq(revisions.requestID, id));
};

/** Finds a request by the time that its id ends with; a text that cannot be an id is placed before all rows. */
async function resolveRequest(tx: Reads, filters: AuditFilters): Promise<Resolved> {
  const { requestID } = filters;
  if (requestID === undefined) return filters;
  const [, id = '', digits] = /^([\da-f-]{36})\.(\d{1,16})$/.exec(requestID) ?? [];
  const time = Number(digits ?? -1);
  const first = firstSince(time, all).as('first');
  const [[row]] = await tx.read(once(query.select({ first }).from(oneRow)));
  return { ...filters, found: { id, time, from: row?.first ?? 1 } };
}

function conditionOf({ kind, id, action, actorID, actorName, actorIDs, found }: Resolved) {
  const equal = (column: Column, value: string | undefined) =>
    value === undefined ? undefined : eq(column, value);
  return and(
    equal(revisions.kind, kind),
    equal(revisions.id, id),
    equal(revisions.action, action),
    equal(revisions.actorID, actorID),
    actorIDs && inArray(revisions.actorID, valuesIn(JSON.stringify(actorIDs))),
    equal(revisions.actorName, actorName),
    found && ofRequest(found),
  );
}

/** What the days that are asked for come to, as numbers of rows. */
const boundsOf = ({ since, before }: AuditFilters, numbered: Numbered) => ({
  from: since === undefined ? undefined : firstSince(since, numbered),
  to: before === undefined ? undefined : firstSince(before, numbered),
});

/** How many rows pass, counted one by one: where no numbers tell it, and of the kinds that are left out, which have few. */
const countQuery = (where: SQL | undefined) =>
  query
    .select({ total: count().as('total') })
    .from(revisions)
    .where(where);

/** The query for how many rows pass: what is numbered without gaps need not be counted. */
function totalQuery(filters: Resolved, numbered: Numbered | undefined, where: SQL | undefined) {
  if (!numbered) return countQuery(where);
  const { from = constant(1), to = endOf(numbered) } = boundsOf(filters, numbered);
  const total = larger<number>(constant(0), minus(to, from)).as('total');
  return query.select({ total }).from(oneRow);
}

/** Reads a page of the audit log, newest first, in one round trip, and one before it for the name of an actor, or a request. */
export async function listRevisions(
  tx: Reads,
  request: PageRequest,
  asked: AuditFilters,
): Promise<Page<Revision>> {
  // To wait for nothing would be a turn of the event loop, and a round trip of its own.
  const isResolved = asked.actorName === undefined && asked.requestID === undefined;
  const filters = isResolved ? asked : await resolveRequest(tx, await resolveActor(tx, asked));
  const numbered = numberedBy(filters);
  const { number } = numbered ?? all;
  const { from, to } = boundsOf(filters, numbered ?? all);
  const where = and(conditionOf(filters), from && gte(number, from), to && lt(number, to));
  const leftOut = filters.except?.length ? inArray(revisions.kind, [...filters.except]) : undefined;
  const rows = pageRows(newestBy(number), request, (beyond) =>
    query
      .select({ ...shownColumns, number: aliased(number, 'number') })
      .from(revisions)
      .where(and(where, leftOut && not(leftOut), beyond)),
  );
  const total = totalQuery(filters, numbered, where);
  const [[found, [counted]], [[less]]] = await Promise.all([
    tx.read(rows, once(total)),
    leftOut ? tx.read(once(countQuery(and(where, leftOut)))) : [[]],
  ]);
  const positionOf = (row: { number: number }) => ({ key: row.number, id: row.number });
  const totalItems = (counted?.total ?? 0) - (less?.total ?? 0);
  const { items, ...links } = pageOf(request, found, totalItems, positionOf);
  return { ...links, items: items.map(({ number: _number, ...revision }) => revision) };
}
