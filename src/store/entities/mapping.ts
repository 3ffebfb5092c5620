import { and, eq, getTableColumns, getTableName, ne, type SQL } from 'drizzle-orm';
import { folded } from '../../shared/folded.ts';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import { columnOf, sortName } from '../sql/columns.ts';
import { property } from '../sql/expressions.ts';
import { overRows, remembered } from '../sql/rows.ts';
import { query, type Statement } from '../sql/statement.ts';

/** Returns the folded name by which lists sort; nothing if the table has no name. */
const named = ({ table }: Kind<Entity>, entity: { id: string; name?: unknown }) =>
  sortName in getTableColumns(table) ? { [sortName]: folded(String(entity.name)) } : {};

/** Returns the row of an entity. Properties without a column go into `settings`. */
export function toRow(kind: Kind<Entity>, entity: Entity): object {
  const columns = getTableColumns(kind.table);
  const row = { ...entity, ...named(kind, entity) };
  if (!('settings' in columns)) return row;
  const settings = Object.entries(entity).filter(([property]) => !(property in columns));
  return { ...row, settings: Object.fromEntries(settings) };
}

/** Returns the entity of a row. Most rows need no copy, which would cost as much as the rest of a read. */
export function fromRow<E extends Entity>({ unlisted }: Kind<E>, row: object): E {
  if (!('settings' in row || sortName in row) && Object.keys(unlisted).length === 0)
    // The columns of a kind's table are checked by `TableOf<E>`.
    return row as E;
  const { settings, [sortName]: _, ...columns }: { settings?: object; sortName?: string } = row;
  // The columns and `settings`, which has the other properties, are stored by `toRow`.
  return { ...unlisted, ...columns, ...settings } as E;
}

const fold = remembered<ReturnType<typeof overRows>>();

/** Returns the statements that fold the names of entities whose stored fold differs. */
export function foldStatements(kind: Kind<Entity>, entities: Entity[]): Statement[] {
  const { table } = kind;
  if (!(sortName in getTableColumns(table))) return [];
  const of = columnOf(table, sortName);
  const set: Record<string, SQL> = { [sortName]: property(sortName) };
  const build = (given: SQL) =>
    query
      .update(table)
      .set(set)
      .from(given)
      .where(and(eq(table.id, property('id')), ne(of, property(sortName))));
  return fold(getTableName(table), () => overRows(build))(
    entities.map((entity) => ({ id: entity.id, ...named(kind, entity) })),
  );
}
