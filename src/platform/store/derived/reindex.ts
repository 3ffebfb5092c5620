import { and, eq, exists, gt, inArray, notExists } from 'drizzle-orm';
import { lastOfEach } from '../../../base/distinct.ts';
import { retrying } from '../../../base/retrying.ts';
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
import { compileQuery, once, query, type Statement } from '../sql/statement.ts';
import { anchors, labels, pending, refs, revisions, totals } from '../sql/tables.ts';
import { anchorsOf, difference, labelsOf, refsOf } from './derived_rows.ts';
import { searchStatements } from './search_rows.ts';
import { totalStatements } from './totals.ts';

const maxAttempts = 5;

async function derive(db: Database, kind: Kind<Entity>) {
  const anchored: (typeof anchors.$inferInsert)[] = [];
  const referring: (typeof refs.$inferInsert)[] = [];
  const labelled: (typeof labels.$inferInsert)[] = [];
  const counts: Statement[] = [];
  const words: Statement[] = [];
  const folds: Statement[] = [];
  for await (const page of pagesOf(db, kind)) {
    for (const entity of page) {
      anchored.push(...anchorsOf.of(kind, entity));
      referring.push(...refsOf.of(kind, entity));
      labelled.push(...labelsOf.of(kind, entity));
    }
    const made = page.map((after) => ({ kind, before: undefined, after }));
    counts.push(...totalStatements(made));
    words.push(...searchStatements(made));
    folds.push(...foldStatements(kind, page));
  }
  return {
    anchored: lastOfEach(anchored),
    referring: lastOfEach(referring),
    labelled,
    counts,
    words,
    folds,
  };
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

interface Imported {
  kind: string;
  recount: (() => Statement)[];
}

/** Each batch has one statement, so that none is too large, and fails if the kind has changed meanwhile. */
async function rebuild(db: Database, of: Kind<Entity>): Promise<void> {
  const { kind } = of;
  const [[revised]] = await db.batch(countOf({ kind }));
  const unchanged = refuseStale({ kind, count: revised?.count ?? 0 });
  const { anchored, referring, labelled, counts, words, folds } = await derive(db, of);
  const ofKinds = inArray(anchors.kind, [kind, ...new Set(anchored.map((row) => row.kind))]);
  const [anchorsHere, refsHere, labelsHere] = await db.batch(
    once(query.select().from(anchors).where(ofKinds)),
    once(query.select().from(refs).where(eq(refs.fromKind, kind))),
    once(query.select().from(labels).where(eq(labels.kind, kind))),
  );
  const [anchor, ref, label] = [
    difference(anchorsHere, anchored),
    difference(refsHere, referring),
    difference(labelsHere, labelled),
  ];
  const inTurn = [
    ...insertInto(anchors, anchor.added),
    ...insertInto(refs, ref.added),
    ...deleteFrom(refs, ref.removed),
    ...insertInto(labels, label.added),
    ...deleteFrom(labels, label.removed),
    ...deleteFrom(anchors, anchor.removed),
  ];
  for (const statement of inTurn) await db.batch(unchanged, statement);
  await db.batch(unchanged, forgetWords(kind), ...words.slice(0, 1));
  for (const statement of [...words.slice(1), ...folds]) await db.batch(unchanged, statement);
  await db.batch(
    unchanged,
    once(query.delete(totals).where(eq(totals.kind, kind))),
    ...counts,
    done(kind),
  );
}

const rebuildUnchanged = (db: Database, kind: Kind<Entity>): Promise<true> =>
  retrying(
    (attempt) => attempt <= maxAttempts,
    async () => {
      try {
        await rebuild(db, kind);
        return true;
      } catch (error) {
        if (classify(error) !== 'conflict') throw error;
        return undefined;
      }
    },
  );

const isNewer = query
  .select({ name: migrations.name })
  .from(migrations)
  .where(gt(migrations.name, newestMigration));

/** Selects nothing if newer code is about to be deployed: this code would not derive its rows. */
const selectWaiting = query.select().from(pending).where(notExists(isNewer));

const waitingKinds = compileQuery(selectWaiting);

export const hasPendingKinds = exists(selectWaiting);

/**
 * Rebuilds the derived rows of pending kinds. A migration that changes such rows adds its kinds to `pending`.
 * A kind whose references need parts of another pending kind waits for the next run.
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
