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

/** How often a kind that changes meanwhile is begun again. */
const maxAttempts = 5;

/** What follows from all entities of a kind, as the statements that insert it; of the anchors, their rows. */
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

/** The statement that forgets all words of a kind. */
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

/** Rows that are no entities, whose totals are kept. */
interface Imported {
  kind: string;
  /** Count them again. */
  recount: (() => Statement)[];
}

/** Makes the derived rows of a kind again, as one batch, which fails where the kind has changed meanwhile. */
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

/** Rebuilds a kind, again where it has changed meanwhile. */
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
 * What waits; nothing where the database was migrated for newer code, which is about to be deployed: this one would not
 * derive what that does.
 */
const waitingKinds = compile(query.select().from(pending).where(notExists(isNewer)));

/**
 * Makes the derived rows of those kinds again that wait for it: anchors, references, labels, totals and what is searched.
 * A migration that changes what is derived puts its kinds into `pending`; `npm run reindex` puts all there. A kind that
 * refers to parts which another is still to have waits for the next run.
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
