import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import { folded } from '../../../base/folded.ts';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import { sortName } from '../sql/columns.ts';
import { overRows, remembered } from '../sql/rows.ts';
import { type Statement, statement } from '../sql/statement.ts';

const sortNameColumn = ({ table }: Kind<Entity>, entity: { id: string; name?: unknown }) =>
  sortName in getTableColumns(table) ? { [sortName]: folded(String(entity.name)) } : {};

/** Returns the row of an entity. Properties without a column go into `settings`. */
export function toRow(kind: Kind<Entity>, entity: Entity): object {
  const columns = getTableColumns(kind.table);
  const row = { ...entity, ...sortNameColumn(kind, entity) };
  if (!('settings' in columns)) return row;
  const settings = Object.entries(entity).filter(([property]) => !(property in columns));
  return { ...row, settings: Object.fromEntries(settings) };
}

/** Returns the entity of a row. Most rows need no copy, which would cost as much as the rest of a read. */
export function fromRow<E extends Entity>({ list: { omitted } }: Kind<E>, row: object): E {
  // A row of the kind's table is an entity: `TableOf<E>` compares their properties.
  if (!('settings' in row || sortName in row) && Object.keys(omitted).length === 0) return row as E;
  const { settings, [sortName]: _, ...columns }: { settings?: object; sortName?: string } = row;
  return { ...omitted, ...columns, ...settings } as E; // as above
}

const fold = remembered<ReturnType<typeof overRows>>();

/** Returns the statements that fold the names of entities whose stored fold differs. */
export function foldStatements(kind: Kind<Entity>, entities: Entity[]): Statement[] {
  const { table } = kind;
  if (!(sortName in getTableColumns(table))) return [];
  const build = (given: SQL) =>
    statement(sql`
      update ${table} set sortName = value->>'sortName' from ${given}
      where ${table.id} = value->>'id' and sortName <> value->>'sortName'`);
  return fold(getTableName(table), () => overRows(build))(
    entities.map((entity) => ({ id: entity.id, ...sortNameColumn(kind, entity) })),
  );
}
