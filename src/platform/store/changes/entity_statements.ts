import { getTableColumns, getTableName, sql } from 'drizzle-orm';
import { isEqual } from '../../../base/equal.ts';
import { recordOf } from '../../../base/value_types.ts';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import { toRow } from '../entities/mapping.ts';
import { columnOf } from '../sql/columns.ts';
import { excluded } from '../sql/expressions.ts';
import { deleteFrom, insertRows, maxEntity, overRows, remembered } from '../sql/rows.ts';
import { type Statement, statement } from '../sql/statement.ts';
import type { NetChange } from './net_changes.ts';

const upserts = remembered<ReturnType<typeof overRows>>();

/** An existing entity writes only its changed columns, so that no other index is written. */
const upsertRows = ({ table }: Kind<Entity>, changed: string[]) =>
  upserts(`${getTableName(table)} ${changed.join()}`, () =>
    overRows((given) => {
      const insert = insertRows(table, given);
      if (changed.length === 0) return statement(insert);
      const columns = changed.map((property) => columnOf(table, property));
      const set = columns.map(
        (column) => sql`${sql.identifier(column.name)} = ${excluded(column)}`,
      );
      return statement(sql`${insert} on conflict (id) do update set ${sql.join(set, sql`, `)}`);
    }, maxEntity),
  );

function changedColumns(kind: Kind<Entity>, { before, after }: NetChange): string[] {
  if (!before || !after) return [];
  const [old, current] = [recordOf(toRow(kind, before)), recordOf(toRow(kind, after))];
  return Object.keys(getTableColumns(kind.table)).filter(
    (column) => !isEqual(old[column], current[column]),
  );
}

/** Returns the statements that store and remove the changed entities: one statement for each set of changed columns. */
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
    return [...upsertRows(kind, columns)(stored), ...deleteFrom(kind.table, removed)];
  });
}
