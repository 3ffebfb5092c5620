import {
  and,
  type Column,
  count,
  eq,
  gt,
  gte,
  inArray,
  lt,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Reads } from '../core/reads.ts';
import { always, unindexed, valuesIn } from '../sql/expressions.ts';
import { compileQuery, once, query } from '../sql/statement.ts';
import { actors, revisions } from '../sql/tables.ts';
import { all, endOfNumbers, firstSince, type Numbered } from './ordinals.ts';

const { seq, nthOfKind, nthOfAction, nthOfActor } = revisions;

/** The filters of the audit log. `since` (inclusive) and `before` (exclusive) are epoch milliseconds. */
export interface AuditFilters {
  kind?: string | undefined;
  id?: string | undefined;
  action?: string | undefined;
  actorID?: string | undefined;
  actorName?: string | undefined;
  requestID?: string | undefined;
  since?: number | undefined;
  before?: number | undefined;
  except?: readonly string[];
}

interface FoundRequest {
  id: string;
  time: number;
  from: number;
}

export type Resolved = AuditFilters & {
  actorIDs?: readonly string[];
  found?: FoundRequest;
  narrowest?: Numbered | undefined;
};

const every = alias(actors, 'every');
const namesOf = query
  .select({ names: count().as('names') })
  .from(every)
  .where(eq(every.id, actors.id));

const named = compileQuery(
  query
    .select({ id: actors.id, names: namesOf.as('names') })
    .from(actors)
    .where(eq(actors.name, sql.placeholder('name'))),
);

/** Resolves an actor's name to actor IDs. If the name belongs to one actor who had no other name, its ID is enough. */
async function resolveActor(tx: Reads, filters: AuditFilters): Promise<Resolved> {
  const { actorName = '', actorID, ...rest } = filters;
  const [found] = await tx.read(named({ name: actorName }));
  const [only, another] = found;
  const isOne = only?.names === 1 && !another && (actorID ?? only.id) === only.id;
  return isOne
    ? { ...rest, actorID: only.id }
    : { ...filters, actorIDs: found.map(({ id }) => id) };
}

function numberings({ kind, action, actorID }: Resolved): Numbered[] {
  const given = [
    [nthOfKind, revisions.kind, kind],
    [nthOfAction, revisions.action, action],
    [nthOfActor, revisions.actorID, actorID],
  ] as const;
  return given.flatMap(([number, column, value]) =>
    value === undefined ? [] : [{ number, alike: eq(column, value) }],
  );
}

/** Returns the numbering of rows filtered by one filter or by one entity; undefined for other combinations. */
export function numberedBy(filters: Resolved): Numbered | undefined {
  const { kind, id, action, actorID, actorIDs, requestID } = filters;
  const others = [action, actorID, actorIDs, requestID].filter((value) => value !== undefined);
  if (kind !== undefined && id !== undefined && others.length === 0)
    return {
      number: revisions.version,
      alike: and(eq(revisions.kind, kind), eq(revisions.id, id)),
    };
  const given = [kind, id, ...others].filter((value) => value !== undefined);
  if (given.length === 0) return all;
  return given.length === 1 ? numberings(filters)[0] : undefined;
}

/** Finds the most selective filter, which SQLite cannot know. An entity or a request needs none. */
async function narrowestNumbering(tx: Reads, filters: Resolved): Promise<Numbered | undefined> {
  const each = numberings(filters);
  if (filters.id !== undefined || filters.found || each.length < 2) return undefined;
  const ends = await Promise.all(each.map((numbered) => tx.read(once(endOfNumbers(numbered)))));
  const sizes = ends.map(([[row]]) => Number(row?.end));
  return each[sizes.indexOf(Math.min(...sizes))];
}

const ofRequest = ({ id, time, from }: FoundRequest) => {
  const next = query
    .select({ seq })
    .from(revisions)
    .where(and(gte(seq, from), gt(revisions.time, time)))
    .orderBy(seq)
    .limit(1);
  return and(
    gte(seq, from),
    lt(seq, sql`coalesce(${next}, ${endOfNumbers(all)})`),
    eq(revisions.requestID, id),
  );
};

/** Finds a request by the time at the end of its ID. A text that is not an ID gets a place before all rows. */
async function findRequest(tx: Reads, requestID: string): Promise<FoundRequest> {
  const [, id = '', digits] = /^([\da-f-]{36})\.(\d{1,16})$/.exec(requestID) ?? [];
  const time = Number(digits ?? -1);
  const first = firstSince(time, all).as('first');
  const [[row]] = await tx.read(once(query.select({ first }).from(sql`(select 1)`)));
  return { id, time, from: row?.first ?? 1 };
}

/** Whether the filters need no query first. */
export const isResolved = (filters: AuditFilters): boolean =>
  filters.actorName === undefined &&
  filters.requestID === undefined &&
  (filters.id !== undefined || numberings(filters).length < 2);

/** Resolves the filters that need a query first: the name of an actor, a request, and the most selective filter. */
export async function resolve(tx: Reads, asked: AuditFilters): Promise<Resolved> {
  const { actorName, requestID } = asked;
  const acting = actorName === undefined ? undefined : resolveActor(tx, asked);
  const finding = requestID === undefined ? undefined : findRequest(tx, requestID);
  // Awaiting nothing would cost a turn of the event loop, and so a round trip.
  const [by, found] = acting || finding ? await Promise.all([acting, finding]) : [];
  const filters: Resolved = { ...(by ?? asked), ...(found && { found }) };
  return { ...filters, narrowest: await narrowestNumbering(tx, filters) };
}

/** Returns the numbered filter that selects the rows, unless an entity or a request does. */
export function leaderOf(filters: Resolved): Numbered | undefined {
  if (filters.id !== undefined || filters.found) return undefined;
  return filters.narrowest ?? numberings(filters)[0];
}

const leadingOf = (filters: Resolved): SQL | undefined =>
  filters.id !== undefined || filters.found ? always : leaderOf(filters)?.alike;

/** Returns the condition of all filters. Numbered filters are checked only on the rows that the leading one selects. */
export function conditionOf(filters: Resolved, leading: SQL | undefined = leadingOf(filters)) {
  const { kind, id, action, actorID, actorName, actorIDs, found } = filters;
  const checked = (column: Column): SQLWrapper => (leading ? unindexed(column) : column);
  const equal = (column: SQLWrapper, value: string | undefined) =>
    value === undefined ? undefined : eq(column, value);
  return and(
    leading,
    equal(revisions.id, id),
    equal(id === undefined ? checked(revisions.kind) : revisions.kind, kind),
    equal(checked(revisions.action), action),
    equal(checked(revisions.actorID), actorID),
    actorIDs && inArray(checked(revisions.actorID), valuesIn(JSON.stringify(actorIDs))),
    equal(revisions.actorName, actorName),
    found && ofRequest(found),
  );
}
