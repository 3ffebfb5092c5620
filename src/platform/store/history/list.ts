import { and, getTableColumns, sql } from 'drizzle-orm';
import { Problem } from '../../../base/problem.ts';
import { inSentence, missingVersion } from '../core/define_kind.ts';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import { newestBy, type Page, type PageRequest, pageOf } from '../core/page.ts';
import { pageRows } from '../core/page_query.ts';
import type { Reads } from '../core/reads.ts';
import { fromRow } from '../entities/mapping.ts';
import { compileQuery, query } from '../sql/statement.ts';
import { type RowNumber, revisions } from '../sql/tables.ts';
import { history, newestOf, oneVersion } from './queries.ts';
import { changesBetween } from './record.ts';

const {
  nthOfKind: _kind,
  nthOfAction: _action,
  nthOfActor: _actor,
  ...columns
} = getTableColumns(revisions);

export const ownColumns = columns;

const { seq: _seq, snapshot: _snapshot, ...shown } = columns;

/** The columns in responses. The request ID ends with the time, by which it is found; the name is as of that time. */
export const shownColumns = {
  ...shown,
  requestID: sql<string>`${revisions.requestID} || '.' || ${revisions.time}`.as('requestID'),
  name: sql<string | null>`${revisions.snapshot}->>'name'`.as('name'),
};

/** A revision in a response. Secrets appear as changed, without their value. */
export type Revision = Omit<typeof revisions.$inferSelect, RowNumber | 'snapshot'> & {
  name: string | null;
};

/** Lists the revisions of an entity, newest first, even if it is gone. @throws Problem 404 if it never existed */
export async function listHistory(
  tx: Reads,
  { kind, title }: Pick<Kind<Entity>, 'kind' | 'title'>,
  id: string,
  request: PageRequest,
): Promise<Page<Revision>> {
  const of = { kind, id };
  const rows = pageRows(
    newestBy(revisions.version),
    request,
    (beyond) => query.select(shownColumns).from(revisions).where(and(history, beyond)),
    of,
  );
  const [found, [newest]] = await tx.read(rows, newestOf(of));
  if (!newest)
    throw new Problem(
      'not_found',
      `There is no ${inSentence(title)} with the id ${id}, nor ever was.`,
    );
  const positionOf = ({ version }: Revision) => ({ key: version, id: version });
  return pageOf(request, found, newest.version, positionOf);
}

const revisionOf = compileQuery(
  query
    .select({ ...shownColumns, snapshot: revisions.snapshot })
    .from(revisions)
    .where(oneVersion),
);

/**
 * Reads a revision and its difference from `compareTo`, by default the previous one. One round trip.
 * @throws Problem 404 if the version does not exist
 */
export async function readRevision<E extends Entity>(
  tx: Reads,
  kind: Kind<E>,
  id: string,
  version: number,
  compareTo: number = version - 1,
): Promise<Revision & { snapshot: E }> {
  const [[row], [than]] = await tx.read(
    revisionOf({ kind: kind.kind, id, version }),
    revisionOf({ kind: kind.kind, id, version: compareTo }),
  );
  if (!row) throw missingVersion(kind.title, id, version);
  const state = (of: typeof row | undefined) =>
    of && of.snapshot.version === of.version ? fromRow(kind, of.snapshot) : undefined;
  const earlier = state(than);
  if (!earlier && compareTo !== version - 1)
    throw new Problem(
      'not_found',
      `The ${inSentence(kind.title)} ${id} has no version ${compareTo} to compare to.`,
    );
  const changes =
    compareTo === version - 1 ? row.changes : changesBetween(kind, earlier, state(row));
  return { ...row, changes, snapshot: kind.redact(fromRow(kind, row.snapshot)) };
}
