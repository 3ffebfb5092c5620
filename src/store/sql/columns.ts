import { getTableColumns, sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  type SQLiteColumn,
  type SQLiteColumnBuilderBase,
  type SQLiteTable,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core';
import { holdJSON } from './expressions.ts';

/** A nested structure, as JSON. */
export const json = <T>() => text({ mode: 'json' }).$type<T>().notNull();

/** A yes or no. */
export const boolean = () => integer({ mode: 'boolean' }).notNull();

/** The columns that every entity has. Times are epoch milliseconds. */
const entityColumns = () => ({
  id: text().primaryKey(),
  version: integer().notNull(),
  createdTime: integer().notNull(),
  creatorID: text().notNull(),
  creatorName: text().notNull(),
  creatorEmail: text(),
  lastModifiedTime: integer().notNull(),
  lastModifierID: text().notNull(),
  lastModifierName: text().notNull(),
  lastModifierEmail: text(),
});

/**
 * The column by which lists go by name, in each table that has one: the name, folded, which SQLite cannot do. It is no
 * property of the entity; the reindex fills it for rows that were stored without.
 */
export const sortName = 'sortName';

/** That column; its type says nothing of it, so that no select of entities takes it for a property. */
const sortNameOf = (columns: object): Record<never, never> =>
  'name' in columns ? { [sortName]: text().notNull().default('') } : {};

/** The columns of a table that hold properties of its entities. */
export function columnsOf<T extends SQLiteTable>(table: T) {
  const all: T['_']['columns'] & { [sortName]?: SQLiteColumn } = getTableColumns(table);
  const { [sortName]: _, ...own } = all;
  return own;
}

/** Which lists an entity table serves, each by an index of its own. */
interface Lists<Column extends string> {
  /** Columns that a list filters by, besides the creator's. */
  filters?: Column[];
  /** As SQL: which rows a list shows unless asked for all; only these are in the indexes, but for those of `telling`. */
  visible?: string;
  /** Columns that are looked up by something other than a list, each entry by one index. */
  sought?: Column[][];
}

/** An index of the rows that have a value in its first column and are visible; Drizzle would name columns with their table. */
function listIndex(name: string, columns: string[], conditions: (string | undefined)[]) {
  const [first = 'id', ...rest] = columns;
  const whole = index(name).on(sql.raw(first), ...rest.map((column) => sql.raw(column)));
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length > 0 ? whole.where(sql.raw(given.join(' and '))) : whole;
}

/**
 * The table of one kind of entity, with an index for each order and each filter of its list.
 * @param name the table's name, in plural: `gates`
 * @param columns its own properties; what may be absent shares one column, `settings`
 */
export const entityTable = <C extends Record<string, SQLiteColumnBuilderBase>>(
  name: string,
  columns: C,
  { filters = [], visible, sought = [] }: Lists<keyof C & string> = {},
) =>
  sqliteTable(name, { ...entityColumns(), ...columns, ...sortNameOf(columns) }, () => {
    const own = Object.entries<SQLiteColumnBuilderBase>(columns).map(([column, builder]) => ({
      column,
      ...configOf(builder),
    }));
    const nullable = new Set(own.filter(({ notNull }) => !notNull).map(({ column }) => column));
    const given = (column: string) => (nullable.has(column) ? `${column} is not null` : undefined);
    const texts = own.filter(({ dataType }) => dataType === 'json');
    return [
      listIndex(`${name}_newest`, newest, [visible]),
      listIndex(`${name}_modified`, ['lastModifiedTime desc', 'id'], [visible]),
      ...('name' in columns ? [listIndex(`${name}_${sortName}`, [sortName, 'id'], [visible])] : []),
      ...['creatorID', 'creatorName', ...filters].map((column) =>
        listIndex(
          `${name}_${column}`,
          [column, ...newest],
          [given(column), telling.includes(column) ? undefined : visible],
        ),
      ),
      ...sought.map((columns) =>
        listIndex(`${name}_${columns.join('_')}`, columns, columns.map(given)),
      ),
      ...texts.map(({ column }) => check(`${name}_${column}_json`, holdJSON(column))),
    ];
  });

/** The table of names of which a description is registered, and nothing else. */
export const nameTable = (name: string) =>
  entityTable(name, { name: text().notNull(), description: text().notNull() });

/** Columns by which lists ask for what they hide otherwise: their indexes hold those rows too. */
const telling = ['status', 'archivedFrom'];

/** The order of a list, unless another is asked for. */
const newest = ['createdTime desc', 'id'];

/** What a column is declared as: Drizzle keeps it in the builder. */
const configOf = (builder: SQLiteColumnBuilderBase) => {
  const { notNull, dataType } = Object(Object(builder).config);
  return { notNull: notNull === true, dataType: String(dataType) };
};

/** The table of any kind of entity. */
export type EntityTable = ReturnType<typeof entityTable<Record<never, never>>>;

/** A column of a table, by the name of its property. */
export function columnOf(table: SQLiteTable, property: string): SQLiteColumn {
  const columns: Record<string, SQLiteColumn> = getTableColumns(table);
  const column = columns[property];
  if (!column) throw new Error(`there is no column for ${property}`);
  return column;
}

type Optional<E> = { [P in keyof E]-?: undefined extends E[P] ? P : never }[keyof E];

/** An entity as a row: what may be absent, which NULL cannot say, shares one column. */
export type Row<E> = Omit<E, Optional<E>> &
  ([Optional<E>] extends [never] ? unknown : { settings: Pick<E, Optional<E>> });

/** A table with a column for each property of an entity: one that lacks a column is a type error. */
export type TableOf<E> = EntityTable & { $inferSelect: Row<E> };
