import { and, type Column, count, eq, getTableColumns, inArray, max, not, sql } from 'drizzle-orm';
import { Problem } from '../problem.ts';
import type { Entity } from './columns.ts';
import type { Kind } from './kind.ts';
import { type Page, type PageRequest, pageOf, reading } from './pages.ts';
import type { Reads } from './reads.ts';
import { difference } from './revisions.ts';
import { compile, once, query } from './statement.ts';
import { fromRow } from './stored.ts';
import { revisions } from './tables.ts';

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

/**
 * The first `seq` at or after a time, found by halving: times never fall, so that no index is needed for them.
 * Drizzle's builder has no recursion.
 */
const firstSince = (time: number) => sql`(with recursive halving (low, high) as (
    select 1, coalesce((select max(seq) from ${revisions}), 0) + 1 union all
    select iif(time < ${time}, (low + high) / 2 + 1, low), iif(time < ${time}, high, (low + high) / 2)
    from halving join ${revisions} on seq = (low + high) / 2 where low < high)
  select low from halving where low = high)`;

/** The number by which the rows that pass one filter are counted and ordered, without gaps. */
function numberOf({ kind, action, actorID, id, since, before }: AuditFilters) {
  const given = [kind, action, actorID].filter((value) => value !== undefined);
  if (id !== undefined || since !== undefined || before !== undefined || given.length > 1)
    return undefined;
  if (kind !== undefined) return nthOfKind;
  if (action !== undefined) return nthOfAction;
  return actorID !== undefined ? nthOfActor : seq;
}

function conditionOf({ kind, id, action, actorID, since, before }: AuditFilters) {
  const equal = (column: Column, value: string | undefined) =>
    value === undefined ? undefined : eq(column, value);
  return and(
    equal(revisions.kind, kind),
    equal(revisions.id, id),
    equal(revisions.action, action),
    equal(revisions.actorID, actorID),
    since === undefined ? undefined : sql`seq >= ${firstSince(since)}`,
    before === undefined ? undefined : sql`seq < ${firstSince(before)}`,
  );
}

/** Reads a page of the audit log, newest first, in one round trip. */
export async function listRevisions(
  tx: Reads,
  request: PageRequest,
  filters: AuditFilters,
): Promise<Page<Revision>> {
  const { page, limit, position } = request;
  const number = numberOf(filters);
  const where = conditionOf(filters);
  const leftOut = inArray(revisions.kind, [...(filters.except ?? [])]);
  const key = sql`${number ?? seq}`;
  const {
    orderBy,
    where: beyond,
    values,
  } = reading({ key, keyFalls: true, id: key, idFalls: true }, request);
  const rows = query
    .select({ ...shown, number: sql<number>`${number ?? seq}`.as('number') })
    .from(revisions)
    .where(and(where, not(leftOut), beyond))
    .orderBy(...orderBy.slice(0, 1))
    .limit(limit + 1)
    .offset(position ? 0 : (page - 1) * limit);
  const total = query
    .select({ total: number ? max(number).as('total') : count().as('total') })
    .from(revisions)
    .where(where);
  // These are few, whatever else there is: the total stays one step away.
  const hidden = query
    .select({ total: count().as('total') })
    .from(revisions)
    .where(and(where, leftOut));
  const [found, [counted], [less]] = await tx.read(
    compile(rows)(values),
    once(total),
    once(hidden),
  );
  const positionOf = (row: { number: number }) => ({ key: row.number, id: row.number });
  const { items, ...links } = pageOf(
    request,
    found,
    Number(counted?.total ?? 0) - (less?.total ?? 0),
    positionOf,
  );
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
  const key = sql`${revisions.version}`;
  const { orderBy, where, values } = reading(
    { key, keyFalls: true, id: key, idFalls: true },
    request,
  );
  const rows = query
    .select(shown)
    .from(revisions)
    .where(and(ofOne, where))
    .orderBy(...orderBy.slice(0, 1))
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
    revision && revision.action !== 'delete' ? fromRow(kind, revision.snapshot) : undefined;
  const earlier = state(than);
  if (!earlier && compareTo !== version - 1)
    throw new Problem(
      'not_found',
      `The ${kind.kind} ${id} has no version ${compareTo} to compare to.`,
    );
  const changes = difference(kind, earlier, state(row));
  return { ...row, changes, snapshot: kind.concealed(fromRow(kind, row.snapshot)) };
}
