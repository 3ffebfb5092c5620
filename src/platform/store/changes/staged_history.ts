import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import type { HistoryReads, Newest } from '../core/reads.ts';
import { fromRow } from '../entities/mapping.ts';
import { rowOfEntity } from '../entities/queries.ts';
import { lastOf, newestOf, newestOfEach, renameOf, snapshotOf } from '../history/queries.ts';
import type { Database } from '../sql/database.ts';
import type { Staged } from './staging.ts';

/** Returns the history that a request sees: stored revisions and its own staged steps. */
export const historyReads = (db: Database, staged: Staged): HistoryReads => ({
  async newest(kind, id) {
    const state = staged.state(kind, id);
    if (state) return state;
    const [[row]] = await db.read(newestOf({ kind: kind.kind, id }));
    return row && { version: row.version, isGone: row.isGone === 1 };
  },

  async newestOfEach(kind, ids) {
    const [rows] = await db.read(newestOfEach({ kind: kind.kind, ids: JSON.stringify(ids) }));
    const found = new Map<string, Newest>(
      rows.map(({ id, version, isGone }) => [id, { version, isGone: isGone === 1 }]),
    );
    const wanted = new Set(ids);
    for (const { id, version, isGone } of staged.states(kind))
      if (wanted.has(id)) found.set(id, { version, isGone });
    return found;
  },

  async renamed(kind, id, since) {
    const own = staged.renamed(kind, id, since);
    if (own) return own;
    const [[row]] = await db.read(renameOf({ kind: kind.kind, id, since }));
    const change = row?.changes.find(({ property }) => property === 'id');
    return row && change && { version: row.version, newID: String(change.new) };
  },

  async findVersion<E extends Entity>(kind: Kind<E>, id: string, version: number) {
    const [[row], [revision], [newest]] = await db.read(
      rowOfEntity(kind, id),
      snapshotOf({ kind: kind.kind, id, version }),
      lastOf({ kind: kind.kind, id }),
    );
    const state = staged.state(kind, id);
    const kept = revision && fromRow(kind, revision.snapshot);
    return {
      current: state ? state.after : row && fromRow(kind, row),
      snapshot: staged.snapshot(kind, id, version) ?? kept,
      last:
        state?.before ?? (newest?.before ? fromRow(kind, JSON.parse(newest.before)) : undefined),
      newest: state?.version ?? newest?.version ?? 0,
    };
  },
});
