import { and, eq, gt, inArray, notExists } from 'drizzle-orm';
import { lastOfEach } from '../../shared/distinct.ts';
import { refuseStale } from '../changes/conflicts.ts';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import { foldStatements } from '../entities/mapping.ts';
import { countOf } from '../history/queries.ts';
import { pagesOf } from '../history/scans.ts';
import { classify, type Database } from '../sql/database.ts';
import { migrations, newestMigration } from '../sql/migrations.ts';
import { deleteFrom, insertInto } from '../sql/rows.ts';
import { search } from '../sql/search_table.ts';
import { compile, once, query, type Statement } from '../sql/statement.ts';
import { anchors, labels, pending, refs, revisions, totals } from '../sql/tables.ts';
import { anchorsOf, difference, labelsOf, refsOf } from './derived_rows.ts';
import { searchStatements } from './search_rows.ts';
import { totalStatements } from './totals.ts';

/** How often the rebuild of a kind restarts if the kind changes meanwhile. */
const maxAttempts = 5;

/** Returns the statements that insert the derived rows of all entities of a kind, and the rows of the anchors. */
async function derive(db: Database, kind: Kind<Entity>) {
  const anchored: (typeof anchors.$inferInsert)[] = [];
  const inserts: Statement[] = [];
  for await (const page of pagesOf(db, kind)) {
    anchored.push(...page.flatMap((entity) => anchorsOf.of(kind, entity)));
    const rows = page.flatMap((entity) => refsOf.of(kind, entity));
    const labelled = page.flatMap((entity) => labelsOf.of(kind, entity));
    inserts.push(...insertInto(refs, lastOfEach(rows)), ...insertInto(labels, labelled));
    const made = page.map((after) => ({ kind, before: undefined, after }));
    inserts.push(
      ...totalStatements(made),
      ...searchStatements(made),
      ...foldStatements(kind, page),
    );
  }
  return { anchored: lastOfEach(anchored), inserts };
}

const forgetWords = (kind: string) =>
  once(
    query.delete(search).where(
      inArray(
        search.rowid,
        query
          .select({ seq: revisions.seq })
          .from(revisions)
          .where(and(eq(revisions.kind, kind), eq(revisions.version, 1))),
      ),
    ),
  );

const done = (kind: string) => once(query.delete(pending).where(eq(pending.kind, kind)));

/** Rows that are not entities but have totals. */
interface Imported {
  kind: string;
  recount: (() => Statement)[];
}

/** Rebuilds the derived rows of a kind as one batch, which fails if the kind has changed meanwhile. */
async function rebuild(db: Database, kind: Kind<Entity>): Promise<void> {
  const [[revised]] = await db.batch(countOf({ kind: kind.kind }));
  const { anchored, inserts } = await derive(db, kind);
  const ofKinds = inArray(anchors.kind, [kind.kind, ...new Set(anchored.map((row) => row.kind))]);
  const [existing] = await db.batch(once(query.select().from(anchors).where(ofKinds)));
  const { removed, added } = difference(existing, anchored);
  await db.batch(
    refuseStale({ kind: kind.kind, count: revised?.count ?? 0 }),
    once(query.delete(refs).where(eq(refs.fromKind, kind.kind))),
    once(query.delete(labels).where(eq(labels.kind, kind.kind))),
    once(query.delete(totals).where(eq(totals.kind, kind.kind))),
    ...deleteFrom(anchors, removed),
    ...insertInto(anchors, added),
    forgetWords(kind.kind),
    ...inserts,
    done(kind.kind),
  );
}

async function rebuildUnchanged(db: Database, kind: Kind<Entity>): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      return await rebuild(db, kind);
    } catch (error) {
      if (classify(error) !== 'conflict' || attempt === maxAttempts) throw error;
    }
}

const isNewer = query
  .select({ name: migrations.name })
  .from(migrations)
  .where(gt(migrations.name, newestMigration));

/**
 * Returns nothing if the database was migrated for newer code that is about to be deployed: this code would not
 * derive its rows.
 */
const waitingKinds = compile(query.select().from(pending).where(notExists(isNewer)));

/**
 * Rebuilds the derived rows of pending kinds: anchors, references, labels, totals and search rows. A migration that
 * changes derived rows adds its kinds to `pending`; `npm run reindex` adds all. A kind whose references need parts of
 * another pending kind waits for the next run.
 */
export async function reindex(
  db: Database,
  kinds: readonly Kind<Entity>[],
  imported: readonly Imported[],
): Promise<void> {
  const [waiting] = await db.batch(waitingKinds({}));
  const names = new Set(waiting.map(({ kind }) => kind));
  for (const name of names)
    if (!kinds.some(({ kind }) => kind === name)) {
      const own = imported.filter(({ kind }) => kind === name);
      const recounts = own.flatMap(({ recount }) => recount.map((statement) => statement()));
      await db.batch(...recounts, done(name));
    }
  for (const kind of kinds.filter((candidate) => names.has(candidate.kind)))
    await rebuildUnchanged(db, kind).catch(({ message }: Error) =>
      console.error(`The kind ${kind.kind} was not reindexed: ${message}`),
    );
}
