import {
  and,
  type Column,
  count,
  eq,
  getTableColumns,
  inArray,
  max,
  not,
  type SQL,
  sql,
} from 'drizzle-orm';
import { Problem } from '../problem.ts';
import type { Entity } from './columns.ts';
import { type Order, type Page, type PageRequest, pageOf, reading } from './pages.ts';
import { difference } from './revisions.ts';
import { compile, once, query } from './statement.ts';
import { fromRow } from './stored.ts';
import { revisions } from './tables.ts';
import type { Kind, Reads } from './terms.ts';

const {
  seq,
  snapshot: _,
  nthOfKind,
  nthOfAction,
  nthOfActor,
  ...shown
} = getTableColumns(revisions);

/** One change of one entity, as it is answered: secrets show as changed, never with their value. */
export type Revision = Omit<
  typeof revisions.$inferSelect,
  'seq' | 'snapshot' | 'nthOfKind' | 'nthOfAction' | 'nthOfActor'
>;

/** What the audit log can be asked for; times are epoch milliseconds. */
export interface AuditFilters {
  kind?: string | undefined;
  id?: string | undefined;
  action?: string | undefined;
  actorID?: string | undefined;
  /** From, included. */
  since?: number | undefined;
  /** To, not included. */
  before?: number | undefined;
  /** Kinds that are left out, and not counted. */
  except?: readonly string[];
}

/** The newest first, by a number that no two rows share. */
const newestBy = (number: Column): Order => ({
  key: sql`${number}`,
  keyFalls: true,
  positions: { key: 'number', id: 'number' },
});

/** Rows of the log that are numbered without gaps: all of them, or those alike in one column. */
interface Numbered {
  number: Column;
  /** The rows that are numbered; all where absent. */
  alike?: SQL | undefined;
}

const all: Numbered = { number: seq };

/** How the rows that pass a filter are numbered; unknown of more than one filter. */
function numberedBy({ kind, action, actorID, id }: AuditFilters): Numbered | undefined {
  const given = [kind, action, actorID].filter((value) => value !== undefined);
  if (id !== undefined || given.length > 1) return undefined;
  if (kind !== undefined) return { number: nthOfKind, alike: eq(revisions.kind, kind) };
  if (action !== undefined) return { number: nthOfAction, alike: eq(revisions.action, action) };
  if (actorID !== undefined) return { number: nthOfActor, alike: eq(revisions.actorID, actorID) };
  return all;
}

/** The number after the last. */
const endOf = ({ number, alike = sql`true` }: Numbered) =>
  sql`(select coalesce(max(${number}), 0) + 1 from ${revisions} where ${alike})`;

/**
 * The first number at or after a time, found by halving: times never fall, so that no index is needed for them.
 * Drizzle's builder has no recursion.
 */
const firstSince = (time: number, { number, alike = sql`true` }: Numbered) => sql`(
  with recursive halving (low, high) as (
    select 1, ${endOf({ number, alike })} union all
    select iif(time < ${time}, (low + high) / 2 + 1, low), iif(time < ${time}, high, (low + high) / 2)
    from halving cross join ${revisions} on ${number} = (low + high) / 2 and ${alike} where low < high)
  select low from halving where low = high)`;

function conditionOf({ kind, id, action, actorID }: AuditFilters) {
  const equal = (column: Column, value: string | undefined) =>
    value === undefined ? undefined : eq(column, value);
  return and(
    equal(revisions.kind, kind),
    equal(revisions.id, id),
    equal(revisions.action, action),
    equal(revisions.actorID, actorID),
  );
}

/** What the days that are asked for come to, as numbers of rows. */
const boundsOf = ({ since, before }: AuditFilters, numbered: Numbered) => ({
  from: since === undefined ? undefined : firstSince(since, numbered),
  to: before === undefined ? undefined : firstSince(before, numbered),
});

/** The query for how many rows pass: what is numbered without gaps need not be counted. */
function totalQuery(filters: AuditFilters, numbered: Numbered | undefined, where: SQL | undefined) {
  if (!numbered)
    return query
      .select({ total: count().as('total') })
      .from(revisions)
      .where(where);
  const { from = sql`1`, to = endOf(numbered) } = boundsOf(filters, numbered);
  const total = sql<number>`max(0, ${to} - ${from})`.as('total');
  return query.select({ total }).from(sql`(select 1)`);
}

/** How many rows pass; of those that are left out there are few, so that the total stays one step away. */
const countQuery = (where: SQL | undefined) =>
  query
    .select({ total: count().as('total') })
    .from(revisions)
    .where(where);

/** Reads a page of the audit log, newest first, in one round trip. */
export async function listRevisions(
  tx: Reads,
  request: PageRequest,
  filters: AuditFilters,
): Promise<Page<Revision>> {
  const { page, limit, position } = request;
  const numbered = numberedBy(filters);
  const { number } = numbered ?? all;
  const { from, to } = boundsOf(filters, numbered ?? all);
  const where = and(
    conditionOf(filters),
    from && sql`${number} >= ${from}`,
    to && sql`${number} < ${to}`,
  );
  const { orderBy, beyond, values } = reading(newestBy(number), request);
  const leftOut = filters.except?.length ? inArray(revisions.kind, [...filters.except]) : undefined;
  const rows = query
    .select({ ...shown, number: sql<number>`${number}`.as('number') })
    .from(revisions)
    .where(and(where, leftOut && not(leftOut), beyond))
    .orderBy(...orderBy)
    .limit(limit + 1)
    .offset(position ? 0 : (page - 1) * limit);
  const total = totalQuery(filters, numbered, where);
  const [[found, [counted]], [[less]]] = await Promise.all([
    tx.read(compile(rows)(values), once(total)),
    leftOut ? tx.read(once(countQuery(and(where, leftOut)))) : [[]],
  ]);
  const positionOf = (row: { number: number }) => ({ key: row.number, id: row.number });
  const totalItems = (counted?.total ?? 0) - (less?.total ?? 0);
  const { items, ...links } = pageOf(request, found, totalItems, positionOf);
  return { ...links, items: items.map(({ number: _number, ...revision }) => revision) };
}

const ofOne = and(
  eq(revisions.kind, sql.placeholder('kind')),
  eq(revisions.id, sql.placeholder('id')),
);

const newestVersion = compile(
  query
    .select({ version: max(revisions.version).as('version') })
    .from(revisions)
    .where(ofOne),
);

/** The revisions of one entity, newest first, whether it still exists or not; 404 where it never did. */
export async function listHistory(
  tx: Reads,
  { kind }: Pick<Kind<Entity>, 'kind'>,
  id: string,
  request: PageRequest,
): Promise<Page<Revision>> {
  const { page, limit, position } = request;
  const { orderBy, beyond, values } = reading(newestBy(revisions.version), request);
  const rows = query
    .select(shown)
    .from(revisions)
    .where(and(ofOne, beyond))
    .orderBy(...orderBy)
    .limit(limit + 1)
    .offset(position ? 0 : (page - 1) * limit);
  const of = { kind, id };
  const [found, [newest]] = await tx.read(compile(rows)({ ...of, ...values }), newestVersion(of));
  if (!newest?.version) throw new Problem('not_found', `There never was a ${kind} ${id}.`);
  const positionOf = ({ version }: Revision) => ({ key: version, id: version });
  return pageOf(request, found, newest.version, positionOf);
}

const oneVersion = compile(
  query
    .select({ ...shown, snapshot: revisions.snapshot })
    .from(revisions)
    .where(and(ofOne, eq(revisions.version, sql.placeholder('version')))),
);

/**
 * Reads one revision with its state, in one round trip.
 * @param compareTo the version that `changes` are counted from; the one before where absent
 * @throws Problem 404 where there is no such version
 */
export async function readRevision<E extends Entity>(
  tx: Reads,
  kind: Kind<E>,
  id: string,
  version: number,
  compareTo: number = version - 1,
): Promise<Revision & { snapshot: E }> {
  const of = { kind: kind.kind, id };
  const [[row], [than]] = await tx.read(
    oneVersion({ ...of, version }),
    oneVersion({ ...of, version: compareTo }),
  );
  if (!row) throw new Problem('not_found', `The ${kind.kind} ${id} has no version ${version}.`);
  const state = (revision: typeof row | undefined) =>
    revision?.snapshot.version === revision?.version
      ? revision && fromRow(kind, revision.snapshot)
      : undefined;
  const earlier = state(than);
  if (!earlier && compareTo !== version - 1)
    throw new Problem(
      'not_found',
      `The ${kind.kind} ${id} has no version ${compareTo} to compare to.`,
    );
  const changes = compareTo === version - 1 ? row.changes : difference(kind, earlier, state(row));
  return { ...row, changes, snapshot: kind.concealed(fromRow(kind, row.snapshot)) };
}
