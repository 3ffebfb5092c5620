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
import { always, oneRow, orElse, unindexed, valuesIn } from '../sql/expressions.ts';
import { compile, once, query } from '../sql/statement.ts';
import { actors, revisions } from '../sql/tables.ts';
import { all, endOf, firstSince, type Numbered } from './ordinals.ts';

const { seq, nthOfKind, nthOfAction, nthOfActor } = revisions;

/** What the audit log can be asked for; times are epoch milliseconds. */
export interface AuditFilters {
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

/** The same, with what was read of it first: the ids of the actors that had the name, and the request that was found. */
export type Resolved = AuditFilters & {
  actorIDs?: readonly string[];
  found?: FoundRequest;
  /** The rows that the narrowest of several filters finds. */
  narrowest?: Numbered | undefined;
};

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
  const { actorName = '', actorID, ...rest } = filters;
  const [found] = await tx.read(named({ name: actorName }));
  const [only, another] = found;
  const isOne = only?.names === 1 && !another && (actorID ?? only.id) === only.id;
  return isOne
    ? { ...rest, actorID: only.id }
    : { ...filters, actorIDs: found.map(({ id }) => id) };
}

/** The filters by which rows are numbered, each as it numbers them. */
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

/** How the rows that pass the filters are numbered: by one filter, or those of an entity by their versions; unknown of others. */
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

/**
 * Of several filters by which rows are numbered the one that the fewest pass, of which SQLite knows nothing. Where an
 * entity or a request leads to the rows, none is asked for.
 */
async function narrowestOf(tx: Reads, filters: Resolved): Promise<Numbered | undefined> {
  const each = numberings(filters);
  if (filters.id !== undefined || filters.found || each.length < 2) return undefined;
  const ends = await Promise.all(each.map((numbered) => tx.read(once(endOf(numbered)))));
  const sizes = ends.map(([[row]]) => Number(row?.end));
  return each[sizes.indexOf(Math.min(...sizes))];
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
  const { requestID = '' } = filters;
  const [, id = '', digits] = /^([\da-f-]{36})\.(\d{1,16})$/.exec(requestID) ?? [];
  const time = Number(digits ?? -1);
  const first = firstSince(time, all).as('first');
  const [[row]] = await tx.read(once(query.select({ first }).from(oneRow)));
  return { ...filters, found: { id, time, from: row?.first ?? 1 } };
}

/** Whether filters say by themselves what they ask for. */
export const isResolved = (filters: AuditFilters): boolean =>
  filters.actorName === undefined &&
  filters.requestID === undefined &&
  (filters.id !== undefined || numberings(filters).length < 2);

/** Filters with what is to be read first: who had a name, where a request is, and which of several is the narrowest. */
export async function resolve(tx: Reads, asked: AuditFilters): Promise<Resolved> {
  // To wait for nothing would be a turn of the event loop, and a round trip of its own.
  const by = asked.actorName === undefined ? asked : await resolveActor(tx, asked);
  const filters = by.requestID === undefined ? by : await resolveRequest(tx, by);
  return { ...filters, narrowest: await narrowestOf(tx, filters) };
}

/** What leads to the rows that pass: where no entity or request does, a filter by which rows are numbered. */
export function leaderOf(filters: Resolved): Numbered | undefined {
  if (filters.id !== undefined || filters.found) return undefined;
  return filters.narrowest ?? numberings(filters)[0];
}

/** The condition that leads to them; that of an entity or a request is among the others. */
const leadingOf = (filters: Resolved): SQL | undefined =>
  filters.id !== undefined || filters.found ? always : leaderOf(filters)?.alike;

/** The condition of all filters; where one leads to the rows, those by which they are numbered are checked on these alone. */
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
