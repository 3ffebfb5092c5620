import { and, inArray, lte } from 'drizzle-orm';
import { isObject } from '../../shared/value_types.ts';
import type { Entity } from '../../store/core/entity.ts';
import type { Kind } from '../../store/core/kind.ts';
import { newestRevision } from '../../store/history/queries.ts';
import { historyPagesOf, pagesAt } from '../../store/history/scans.ts';
import type { Database } from '../../store/sql/database.ts';
import { unindexed } from '../../store/sql/expressions.ts';
import { revisions } from '../../store/sql/tables.ts';
import { portableOf, portables } from './portable.ts';
import type { Line } from './schema.ts';

/** A value without those parts that differ from what may be shown: its secrets. */
function shownPart(value: unknown, shown: unknown): unknown {
  if (!isObject(value)) return value;
  const concealed = new Map(Object.entries(Object(shown)));
  const parts = Object.entries(value).filter(
    ([key, part]) => typeof part === 'object' || part === concealed.get(key),
  );
  return Object.fromEntries(parts.map(([key, part]) => [key, shownPart(part, concealed.get(key))]));
}

/** An entity without its secrets, as it can be compared with what comes from elsewhere. */
export const withoutSecrets = (kind: Kind<Entity>, entity: Entity): object =>
  Object(shownPart(entity, kind.concealed(entity)));

/** An entity as it goes elsewhere, where its versions begin anew unless its history comes along. */
function carried(kind: Kind<Entity>, entity: Entity): object {
  const { version: _, ...state } = Object(withoutSecrets(kind, entity));
  return state;
}

/** The number of the newest change there is. */
export async function newestChange(db: Pick<Database, 'read'>): Promise<number> {
  const [[row]] = await db.read(newestRevision());
  return row?.seq ?? 0;
}

/** The history of all that is exported, up to a change, oldest first, page by page. */
async function* historyOf(db: Database, seq: number) {
  const names = portables.map(({ kind }) => kind.kind);
  // By their numbers: the index of their kinds would lead to all of them for each page.
  const ofThem = and(inArray(unindexed(revisions.kind), names), lte(revisions.seq, seq));
  for await (const page of historyPagesOf(db, ofThem))
    yield page.map(({ seq: _seq, snapshot, ...row }) => {
      const of = portableOf(row.kind);
      const state: Entity = Object(snapshot);
      return { ...row, snapshot: of ? withoutSecrets(of.kind, state) : {} };
    });
}

type Exported = Line | { revision: object } | { kind: string; entity: object };

const textOf = (lines: Exported[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** The lines of an export, page by page: all as it was when a change had been stored, whatever is changed meanwhile. */
async function* pagesOfLines(db: Database, withHistory: boolean, seq: number) {
  const count = { entities: 0, revisions: 0 };
  if (withHistory)
    for await (const page of historyOf(db, seq)) {
      count.revisions += page.length;
      yield textOf(page.map((revision) => ({ revision })));
    }
  for (const { kind } of portables)
    for await (const page of pagesAt(db, kind, seq)) {
      count.entities += page.length;
      yield textOf(page.map((entity) => ({ kind: kind.kind, entity: carried(kind, entity) })));
    }
  yield textOf([{ end: count }]);
}

/**
 * A project as a stream of JSON lines: its history where wanted, then its entities, then the end.
 * @param seq the change after which it is shown
 */
export function exportStream(db: Database, withHistory: boolean, seq: number): ReadableStream {
  const pages = pagesOfLines(db, withHistory, seq);
  const encoder = new TextEncoder();
  const source: UnderlyingSource<Uint8Array> = {
    async pull(controller) {
      const { value, done } = await pages.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 }); // It reads no page before it is asked for.
}
