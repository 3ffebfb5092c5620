import { getTableColumns, getTableName, type SQL } from 'drizzle-orm';
import { isEqual } from '../../shared/equal.ts';
import { recordOf } from '../../shared/value_types.ts';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import { toRow } from '../entities/mapping.ts';
import { columnOf } from '../sql/columns.ts';
import { excluded } from '../sql/expressions.ts';
import { deleteFrom, maxEntity, overRows, remembered, valuesOf } from '../sql/rows.ts';
import { query, type Statement } from '../sql/statement.ts';
import type { NetChange } from './net_changes.ts';

const upserts = remembered<ReturnType<typeof overRows>>();

/** Upserts entities. An existing entity writes only its changed columns, so that no other index is written. */
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

function changedColumns(kind: Kind<Entity>, { before, after }: NetChange): string[] {
  if (!before || !after) return [];
  const [old, current] = [recordOf(toRow(kind, before)), recordOf(toRow(kind, after))];
  return Object.keys(getTableColumns(kind.table)).filter(
    (column) => !isEqual(old[column], current[column]),
  );
}

/**
 * Returns the statements that store and remove the changed entities: one statement for each set of changed columns.
 */
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
