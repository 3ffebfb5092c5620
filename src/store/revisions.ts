import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { Problem } from '../problem.ts';
import type { Page, PageRequest } from './collection.ts';
import { changedProperties } from './columns.ts';
import { hideSecrets } from './secrets.ts';
import { revisions } from './tables.ts';
import type { Transaction } from './transaction.ts';

/** One change of one entity, as it is answered. */
export interface Revision {
  kind: string;
  id: string;
  version: number;
  action: string;
  actorID: string;
  actorName: string;
  /** Epoch milliseconds. */
  time: number;
  requestID: string;
  /** What changed, property by property; secrets show as changed, never with their value. */
  changes: PropertyChange[];
}

/** A property and its two values; one that is absent on a side was not there. */
export interface PropertyChange {
  property: string;
  old?: unknown;
  new?: unknown;
}

type Snapshot = Record<string, unknown>;
type Row = Omit<Revision, 'changes'> & { snapshot: string; earlier: string | null };

/** What differs between two states of an entity, property by property. */
function difference(old: Snapshot, current: Snapshot): PropertyChange[] {
  return changedProperties(old, current).map((property) => ({
    property,
    old: hideSecrets(old[property]),
    new: hideSecrets(current[property]),
  }));
}

/** The state a revision left behind; none after a removal. */
const stateOf = (action: string, snapshot: string): Snapshot =>
  action === 'delete' ? {} : JSON.parse(snapshot);

function toRevision({ snapshot, earlier, ...revision }: Row): Revision {
  const before: Snapshot = earlier === null ? {} : JSON.parse(earlier);
  return { ...revision, changes: difference(before, stateOf(revision.action, snapshot)) };
}

/** The columns of a revision, with the state that version `than` (an expression) left behind. */
const columns = (than: SQL) =>
  sql`kind, id, version, action, actorID, actorName, time, requestID, snapshot,
      (select e.snapshot from revisions e where e.kind = ${revisions.kind} and e.id = ${revisions.id}
       and e.version = ${than} and e.action <> 'delete') as earlier`;

/** Reads a page of revisions, newest first, in one round trip. */
export async function listRevisions(
  tx: Transaction,
  { page, limit }: PageRequest,
  filters: (SQL | undefined)[],
  newestFirst = desc(revisions.seq),
): Promise<Page<Revision>> {
  const where = and(...filters) ?? sql`true`;
  const [counts, rows] = await tx.read<[{ total: number }, Row]>(
    sql`select count(*) as total from ${revisions} where ${where}`,
    sql`select ${columns(sql`${revisions.version} - 1`)} from ${revisions} where ${where}
        order by ${newestFirst} limit ${limit} offset ${(page - 1) * limit}`,
  );
  return { items: rows.map(toRevision), totalItems: counts[0]?.total ?? 0, page, limit };
}

/** The revisions of one entity, whether it still exists or not; 404 where it never did. */
export async function listHistory(
  tx: Transaction,
  kind: string,
  id: string,
  page: PageRequest,
): Promise<Page<Revision>> {
  const own = [eq(revisions.kind, kind), eq(revisions.id, id)];
  const found = await listRevisions(tx, page, own, desc(revisions.version));
  if (found.totalItems === 0) throw new Problem('not_found', `There never was a ${kind} ${id}.`);
  return found;
}

/**
 * Reads one revision with its state, in one round trip.
 * @param compareTo the version that `changes` are counted from; the one before where absent
 * @throws Problem 404 where there is no such version
 */
export async function readRevision(
  tx: Transaction,
  kind: string,
  id: string,
  version: number,
  compareTo: number = version - 1,
): Promise<Revision & { snapshot: Snapshot }> {
  const [[row]] = await tx.read<[Row]>(
    sql`select ${columns(sql`${compareTo}`)} from ${revisions}
        where kind = ${kind} and id = ${id} and version = ${version}`,
  );
  if (!row) throw new Problem('not_found', `The ${kind} ${id} has no version ${version}.`);
  if (row.earlier === null && compareTo !== version - 1)
    throw new Problem('not_found', `The ${kind} ${id} has no version ${compareTo} to compare to.`);
  return { ...toRevision(row), snapshot: JSON.parse(row.snapshot) };
}
