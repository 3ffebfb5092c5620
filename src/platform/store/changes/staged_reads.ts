import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import type { Reads } from '../core/reads.ts';
import { fromRow } from '../entities/mapping.ts';
import { completeRowOf, idsCondition, rowOfEntity, rowsWhere } from '../entities/queries.ts';
import { countOf } from '../history/queries.ts';
import type { Database } from '../sql/database.ts';
import type { SQLCondition } from '../sql/statement.ts';
import { historyReads } from './staged_history.ts';
import { type Staged, type StagedEntity, staging } from './staging.ts';

/** Reads matching entities, preferring staged states to stored ones, and the number of revisions of the kind. */
async function select<E extends Entity>(
  db: Database,
  kind: Kind<E>,
  condition: SQLCondition,
  staged: () => StagedEntity<E>[],
) {
  const [rows, [newest]] = await db.read(rowsWhere(kind, condition), countOf({ kind: kind.kind }));
  const own = staged(); // includes steps staged while the rows were read
  const ownIDs = new Set(own.map(({ id }) => id));
  const stored = rows.map((row) => fromRow(kind, row)).filter(({ id }) => !ownIDs.has(id));
  const changed = own.flatMap(({ after }) => after ?? []);
  return { found: [...stored, ...changed], count: newest?.count ?? 0 };
}

/** Returns the reads of a transaction, or of a request that changes nothing. */
export function reads(db: Database, time: number, staged: Staged = staging()): Reads {
  const seen = new Map<string, number>();
  const dependOn = (kind: string, count: number) =>
    seen.set(kind, Math.min(seen.get(kind) ?? Number.POSITIVE_INFINITY, count));

  return {
    ...historyReads(db, staged),
    time,
    seen,
    overdue: [],
    read: db.read,

    async find(kind, id) {
      const state = staged.state(kind, id);
      if (state) return state.after;
      const [[row]] = await db.read(rowOfEntity(kind, id));
      return row && fromRow(kind, row);
    },

    async readFor(kind, statement) {
      const [rows, [newest]] = await db.read(statement, countOf({ kind }));
      dependOn(kind, newest?.count ?? 0);
      return rows;
    },

    async findForResponse(kind, id) {
      const [[row]] = await db.read(completeRowOf(kind, id));
      return row && fromRow(kind, row);
    },

    async findAll(kind, condition, fits) {
      const { found, count } = await select(db, kind, condition, () => staged.states(kind));
      dependOn(kind.kind, count);
      return found.filter(fits);
    },

    async findMany(kind, ids) {
      if (ids.length === 0) return [];
      const wanted = new Set(ids);
      const own = () => [...wanted].flatMap((id) => staged.state(kind, id) ?? []);
      const { found, count } = await select(db, kind, idsCondition(kind, ids), own);
      if (found.length < wanted.size) dependOn(kind.kind, count);
      return found;
    },
  };
}
