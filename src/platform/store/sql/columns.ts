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
import { memberOf, recordOf } from '../../../base/value_types.ts';
import { holdJSON } from './expressions.ts';

export const json = <T>() => text({ mode: 'json' }).$type<T>().notNull();

export const boolean = () => integer({ mode: 'boolean' }).notNull();

/** Times are epoch milliseconds. */
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

/** The folded name by which lists sort: SQLite cannot fold. The reindex fills it for older rows. */
export const sortName = 'sortName';

/** The untyped column, so that no select of entities reads it as a property. */
const sortNameOf = (columns: object): Record<never, never> =>
  'name' in columns ? { [sortName]: text().notNull().default('') } : {};

/** Returns the columns that hold properties of an entity. */
export function columnsOf<T extends SQLiteTable>(table: T) {
  const all: T['_']['columns'] & { [sortName]?: SQLiteColumn } = getTableColumns(table);
  const { [sortName]: _, ...own } = all;
  return own;
}

interface ListColumns<Column extends string> {
  filters?: Column[];
  /** The SQL condition of visible rows. All indexes are limited to these, except the indexes of `hiddenFilters`. */
  visible?: string;
  lookups?: Column[][];
}

/** Drizzle would prefix columns with their table. */
function listIndex(name: string, columns: string[], conditions: (string | undefined)[]) {
  const [first = 'id', ...rest] = columns;
  const whole = index(name).on(sql.raw(first), ...rest.map((column) => sql.raw(column)));
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length > 0 ? whole.where(sql.raw(given.join(' and '))) : whole;
}

/** Returns the table of a kind, with an index for each order and filter. Optional columns share `settings`. */
export const entityTable = <C extends Record<string, SQLiteColumnBuilderBase>>(
  name: string,
  columns: C,
  { filters = [], visible, lookups = [] }: ListColumns<keyof C & string> = {},
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
          [given(column), hiddenFilters.includes(column) ? undefined : visible],
        ),
      ),
      ...lookups.map((columns) =>
        listIndex(`${name}_${columns.join('_')}`, columns, columns.map(given)),
      ),
      ...texts.map(({ column }) => check(`${name}_${column}_json`, holdJSON(column))),
    ];
  });

/** Returns the table of a kind of names, which have only a description. */
export const nameTable = (name: string) =>
  entityTable(name, { name: text().notNull(), description: text().notNull() });

/** Columns by which lists filter for hidden entities: their indexes include hidden rows. */
const hiddenFilters = ['status', 'archivedFrom'];

const newest = ['createdTime desc', 'id'];

/** Drizzle keeps the declaration of a column in its builder. */
const configOf = (builder: SQLiteColumnBuilderBase) => {
  const { notNull, dataType } = recordOf(memberOf(builder, 'config'));
  return { notNull: notNull === true, dataType: String(dataType) };
};

export type EntityTable = ReturnType<typeof entityTable<Record<never, never>>>;

/** Returns the column of a property. */
export function columnOf(table: SQLiteTable, property: string): SQLiteColumn {
  const columns: Record<string, SQLiteColumn> = getTableColumns(table);
  const column = columns[property];
  if (!column) throw new Error(`there is no column for ${property}`);
  return column;
}

type Optional<E> = { [P in keyof E]-?: undefined extends E[P] ? P : never }[keyof E];

/** An entity as a row. Optional properties share one column, because NULL cannot mean "absent". */
export type TableRow<E> = Omit<E, Optional<E>> &
  ([Optional<E>] extends [never] ? unknown : { settings: Pick<E, Optional<E>> });

/** A table with a column for each property of an entity; a missing column does not compile. */
export type TableOf<E> = EntityTable & { $inferSelect: TableRow<E> };
