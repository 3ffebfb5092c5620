import { getTableColumns, getTableName, type SQL } from 'drizzle-orm';
import { isEqual } from '../../shared/equal.ts';
import type { NetChange } from '../changes/net_changes.ts';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/terms.ts';
import { columnOf } from '../sql/columns.ts';
import { excluded } from '../sql/expressions.ts';
import { deleteFrom, maxEntity, overRows, remembered, valuesOf } from '../sql/rows.ts';
import { query, type Statement } from '../sql/statement.ts';

/** An entity as a row of its table: what has no column of its own goes into `settings`. */
function toRow({ table }: Kind<Entity>, entity: Entity): object {
  const columns = getTableColumns(table);
  if (!('settings' in columns)) return entity;
  const settings = Object.entries(entity).filter(([property]) => !(property in columns));
  return { ...entity, settings: Object.fromEntries(settings) };
}

/** A row as the entity that it stands for; most rows are that already, and a copy takes as long as all that is read of it. */
export function fromRow<E extends Entity>({ unlisted }: Kind<E>, row: object): E {
  if (!('settings' in row) && Object.keys(unlisted).length === 0) return row as E;
  const { settings, ...columns }: { settings?: object } = row;
  return { ...unlisted, ...columns, ...settings } as E;
}

const upserts = remembered<ReturnType<typeof overRows>>();

/** Stores given entities; of those that exist, the changed columns alone, so that no other index is written. */
const upsert = ({ table }: Kind<Entity>, changed: string[]) =>
  upserts(`${getTableName(table)} ${changed.join()}`, () =>
    overRows((given) => {
      const set: Record<string, SQL> = Object.fromEntries(
        changed.map((property) => [property, excluded(columnOf(table, property))]),
      );
      const insert = query.insert(table).select(valuesOf(table, given));
      return changed.length > 0 ? insert.onConflictDoUpdate({ target: table.id, set }) : insert;
    }, maxEntity),
  );

/** The columns that a change of an existing entity writes; none for a new one. */
function changedColumns(kind: Kind<Entity>, { before, after }: NetChange): string[] {
  if (!before || !after) return [];
  const [old, current] = [Object(toRow(kind, before)), Object(toRow(kind, after))];
  return Object.keys(getTableColumns(kind.table)).filter(
    (column) => !isEqual(old[column], current[column]),
  );
}

/** The statements that store and remove the entities of some changes, one for each set of columns that change. */
export function entityStatements(net: NetChange[]): Statement[] {
  const changes = net.map((change) => ({
    ...change,
    columns: changedColumns(change.kind, change),
  }));
  const alike = Map.groupBy(
    changes,
    ({ kind, after, columns }) => `${kind.kind} ${after ? columns.join() : 'removed'}`,
  );
  return [...alike.values()].flatMap((changes) => {
    const [first] = changes;
    if (!first) return [];
    const { kind, columns } = first;
    const stored = changes.flatMap(({ after }) => (after ? [toRow(kind, after)] : []));
    const removed = changes.flatMap(({ id, after }) => (after ? [] : [{ id }]));
    return [...upsert(kind, columns)(stored), ...deleteFrom(kind.table, removed)];
  });
}
