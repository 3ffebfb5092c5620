import { and, inArray, lte } from 'drizzle-orm';
import { isObject, recordOf } from '../../base/value_types.ts';
import type { Portables } from '../../platform/resource/portable.ts';
import type { Entity } from '../../platform/store/core/entity.ts';
import type { Kind } from '../../platform/store/core/kind.ts';
import { newestRevision } from '../../platform/store/history/queries.ts';
import { historyPagesOf, pagesAt } from '../../platform/store/history/scans.ts';
import type { Database } from '../../platform/store/sql/database.ts';
import { unindexed } from '../../platform/store/sql/expressions.ts';
import { revisions } from '../../platform/store/sql/tables.ts';
import type { Line } from './schema.ts';

function withoutRedacted(value: unknown, redacted: unknown): unknown {
  if (!isObject(value)) return value;
  const redactedParts = recordOf(redacted);
  const parts = Object.entries(value).filter(
    ([key, part]) => typeof part === 'object' || part === redactedParts[key],
  );
  return Object.fromEntries(
    parts.map(([key, part]) => [key, withoutRedacted(part, redactedParts[key])]),
  );
}

/** Returns an entity without its secrets, comparable with an imported one. */
export const withoutSecrets = (kind: Kind<Entity>, entity: Entity): object =>
  recordOf(withoutRedacted(entity, kind.redact(entity)));

function exportedForm(kind: Kind<Entity>, entity: Entity): object {
  const { version: _, ...state } = recordOf(withoutSecrets(kind, entity));
  return state;
}

/** Returns the number of the newest change. */
export async function newestChange(db: Pick<Database, 'read'>): Promise<number> {
  const [[row]] = await db.read(newestRevision());
  return row?.seq ?? 0;
}

const isEntity = (snapshot: object): snapshot is Entity => 'id' in snapshot;

async function* exportedHistory(db: Database, portables: Portables, seq: number) {
  const names = [...portables.keys()];
  // By number: the index of kinds would read every revision of a kind for each page.
  const exportedChanges = and(inArray(unindexed(revisions.kind), names), lte(revisions.seq, seq));
  for await (const page of historyPagesOf(db, exportedChanges))
    yield page.map(({ seq: _seq, snapshot, ...row }) => {
      const of = portables.get(row.kind);
      const state = of && isEntity(snapshot) ? withoutSecrets(of.kind, snapshot) : {};
      return { ...row, snapshot: state };
    });
}

type Exported = Line | { revision: object } | { kind: string; entity: object };

const textOfLines = (lines: Exported[]) =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** Yields the JSON lines of an export as of the change `seq`: optional history, entities, end. */
export async function* exportedLines(
  db: Database,
  portables: Portables,
  seq: number,
  history: boolean,
) {
  const count = { entities: 0, revisions: 0 };
  if (history)
    for await (const page of exportedHistory(db, portables, seq)) {
      count.revisions += page.length;
      yield textOfLines(page.map((revision) => ({ revision })));
    }
  for (const { kind } of portables.values())
    for await (const page of pagesAt(db, kind, seq)) {
      count.entities += page.length;
      yield textOfLines(
        page.map((entity) => ({ kind: kind.kind, entity: exportedForm(kind, entity) })),
      );
    }
  yield textOfLines([{ end: count }]);
}
