import { type Column, type GetColumnData, type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** Always true: SQLite needs a `where` between `insert … select` and `on conflict`. */
export const always = sql`true`;

/** Writes a text or integer into the SQL: D1 would bind 1 as 1.0, and SQLite would divide by it to fractions. */
export const constant = <T extends string | number>(value: T): SQL<T> =>
  sql<T>`${typeof value === 'number' ? sql.raw(String(value)) : value}`;

/** A placeholder where Drizzle's types accept only SQL, such as in an update. */
export const bound = (name: string): SQL => sql`${sql.placeholder(name)}`;

/** A column with its table, which Drizzle omits in unions. `.as()` renames it: equal names collide in D1's rows. */
export const qualified = <C extends Column>(column: C): SQL<GetColumnData<C>> =>
  sql<GetColumnData<C>>`${column}`;

/** The values of a JSON array for a comparison. Many values travel as one parameter, because D1 accepts at most 100. */
export const valuesIn = (json: SQLWrapper | string): SQL =>
  sql`(select value from json_each(${json}))`;

/** Compares a column without its index, so that another index is used. */
export const unindexed = (column: SQLWrapper): SQL => sql`+${column}`;

/** Marks a condition that few rows meet. Without statistics SQLite assumes that many do, and may skip its index. */
export const rare = (condition: SQL): SQL => sql`unlikely(${condition})`;

/** In an upsert: the value that was not inserted. */
export const excluded = (column: Column): SQL => sql`excluded.${sql.identifier(column.name)}`;

/** Fails with a message, which is not a JSON path. A select with no failure reads no row; an insert reads one. */
export const failing = (said: SQLWrapper): SQL => sql`json_extract('{}', 'console: ' || ${said})`;

/** The check constraint of JSON columns. */
export const holdJSON = (...columns: string[]): SQL =>
  sql.raw(columns.map((column) => `json_valid(${column})`).join(' and '));
