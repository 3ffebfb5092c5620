import {
  and,
  type Column,
  type GetColumnData,
  or,
  type Placeholder,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';

// What SQLite can say and Drizzle's builder has no word for, each under its name and in one place.

/** What always holds. SQLite wants a `where` between an `insert … select` and its `on conflict`, or takes that for a join's. */
export const always = sql`true`;

/** What never holds. */
const never = sql`false`;

/** Whether all of some conditions hold; without any, they do. */
export const allOf = (...conditions: (SQL | undefined)[]): SQL => and(...conditions) ?? always;

/** Whether any of some conditions holds; without any, none does. */
export const anyOf = (...conditions: (SQL | undefined)[]): SQL => or(...conditions) ?? never;

/** In place of an integer key: SQLite gives the next number. */
export const numbering = sql`null`;

/** The integer key of the row that the statement before inserted: it reads no row. */
export const lastRow = sql`last_insert_rowid()`;

/** No table: one row, to select what needs none. */
export const oneRow = sql`(select 1)`;

/** A text, or a whole number, written into the SQL: D1 would bind 1 as 1.0, and SQLite would divide by it to fractions. */
export const constant = <T extends string | number>(value: T): SQL<T> =>
  sql<T>`${typeof value === 'number' ? sql.raw(String(value)) : value}`;

/** A placeholder where Drizzle's types take SQL alone, as in an update. */
export const bound = (name: string): SQL => sql`${sql.placeholder(name)}`;

/**
 * A column with its table, which Drizzle leaves out in the order of a union, where two tables may have it; `.as()` gives
 * it another name, as D1 answers rows as objects, in which two of one name are one.
 */
export const qualified = <C extends Column>(column: C): SQL<GetColumnData<C>> =>
  sql<GetColumnData<C>>`${column}`;

/** A column of a query that is written by hand, under its name. */
export const field = <T>(name: string): SQL.Aliased<T> => sql<T>`${sql.identifier(name)}`.as(name);

/** Whether a text is part of a column's. */
export const contains = (column: Column, text: SQLWrapper): SQL => sql`instr(${column}, ${text})`;

/** The entries of a JSON array or object, or of what has a path in it, as rows of `key` and `value`. */
export const eachOf = (json: SQLWrapper, path?: string): SQL =>
  path === undefined ? sql`json_each(${json})` : sql`json_each(${json}, ${path})`;

/** The values of a JSON array, to be compared with: many travel as one parameter, since D1 takes at most 100. */
export const valuesIn = (json: SQLWrapper | string): SQL =>
  sql`(select value from json_each(${json}))`;

/** A property of a JSON column, or what has a path in it. */
export const inside = <T = unknown>(json: SQLWrapper, path: string | Placeholder): SQL<T> =>
  sql<T>`${json}->>${typeof path === 'string' ? sql.raw(`'${path}'`) : path}`;

/** JSON in which a value stands at a path, whether one stood there before or not. */
export const jsonWith = (json: SQLWrapper, path: Placeholder, value: SQLWrapper): SQL =>
  sql`json_set(${json}, ${path}, ${value})`;

/** A property of what `eachOf` has as `value`; a nested one as JSON. */
export const property = <T = unknown>(name: string, isNested = false): SQL<T> =>
  sql<T>`${sql.raw(`value${isNested ? '->' : '->>'}'${name}'`)}`;

/** The order in which `eachOf` has its rows. */
export const givenOrder = sql`key`;

/** A column that is compared without its index, so that another one leads to the rows. */
export const unindexed = (column: SQLWrapper): SQL => sql`+${column}`;

/** A condition that few rows meet: without statistics SQLite takes each for one that many do, and may leave its index out. */
export const rare = (condition: SQL): SQL => sql`unlikely(${condition})`;

/** A text without regard to the case of its letters. */
export const noCase = (column: SQLWrapper): SQL => sql`${column} collate nocase`;

/** A value, or another where it is null. */
export const orElse = <T = unknown>(value: SQLWrapper, other: SQLWrapper): SQL<T> =>
  sql<T>`coalesce(${value}, ${other})`;

/** One value where a condition holds, and another, or null, where it does not. */
export const iif = <T = unknown>(
  condition: SQLWrapper,
  value: SQLWrapper,
  other: SQLWrapper = sql`null`,
): SQL<T> => sql<T>`iif(${condition}, ${value}, ${other})`;

/** The larger of two values. */
export const larger = <T = unknown>(one: SQLWrapper, other: SQLWrapper): SQL<T> =>
  sql<T>`max(${one}, ${other})`;

/** Numbers, added up. */
export const plus = <T = unknown>(...numbers: SQLWrapper[]): SQL<T> =>
  sql<T>`${sql.join(numbers, sql` + `)}`;

/** A number less another. */
export const minus = <T = unknown>(one: SQLWrapper, other: SQLWrapper): SQL<T> =>
  sql<T>`${one} - ${other}`;

/** How many bytes the values of some columns take: it stands beside them, so that no long one is read for it. */
export const bytesOf = (columns: SQLWrapper[]): SQL<number> =>
  plus(...columns.map((column) => sql`coalesce(octet_length(${column}), 0)`));

/** The sum of a number over all rows before one, in the order of a column; 0 of the first. */
export const totalBefore = (value: SQLWrapper, column: SQLWrapper): SQL<number> =>
  sql<number>`total(${value}) over (order by ${column} rows between unbounded preceding and 1 preceding)`;

/** An object of JSON out of values; Drizzle makes none. */
export const jsonObject = (values: Record<string, SQLWrapper>): SQL<string> => {
  const members = Object.entries(values).map(
    ([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`,
  );
  return sql<string>`json_object(${sql.join(members, sql`, `)})`;
};

/** The rows of selects that are written by hand; a `union` has equal ones once. */
export const united = (by: 'union' | 'union all', selects: SQLWrapper[]): SQL =>
  sql`(${sql.join(selects, sql.raw(` ${by} `))})`;

/** The one value that a select has. */
export const onlyValue = (select: SQLWrapper): SQL<string | null> => sql`(${select})`;

/** The same of JSON, which is put into other JSON as what it is. */
export const jsonOf = (select: SQLWrapper): SQL => sql`json(${onlyValue(select)})`;

/** An array of JSON that has a value of each row. */
export const jsonList = (value: SQLWrapper): SQL<string> => sql<string>`json_group_array(${value})`;

/** An object of JSON that has a value of each row under a key of it. */
export const jsonByKey = (key: SQLWrapper, value: SQLWrapper): SQL<string> =>
  sql<string>`json_group_object(${key}, ${value})`;

/** The place of a row among those alike, from 1. */
export const placeAmong = (alike: SQLWrapper, order: SQLWrapper): SQL<number> =>
  sql<number>`row_number() over (partition by ${alike} order by ${order})`;

/** Whether a table of FTS5 has words. */
export const matches = (search: SQLWrapper, words: SQLWrapper): SQL =>
  sql`${search} match ${words}`;

/** Texts, one after the other. */
export const joined = (...texts: SQLWrapper[]): SQL<string> =>
  sql<string>`${sql.join(texts, sql` || `)}`;

/** Columns, or values, that are compared as one, so that an index is entered at the very row. */
export const together = (...values: SQLWrapper[]): SQL => sql`(${sql.join(values, sql`, `)})`;

/** In an upsert: the value that could not be inserted. */
export const excluded = (column: Column): SQL => sql`excluded.${sql.identifier(column.name)}`;

/** In an upsert: the number that is there, and the one that could not be inserted. */
export const grown = (column: Column): SQL => plus(column, excluded(column));

/**
 * What fails where it is computed, with what it says: no JSON path reads so. A select of it reads no row where there is
 * none to fail for; an insert into the guard reads one.
 */
export const failing = (said: SQLWrapper): SQL =>
  sql`json_extract('{}', ${joined(constant('console: '), said)})`;

/** What a check says of columns that hold JSON. */
export const holdJSON = (...columns: string[]): SQL =>
  sql.raw(columns.map((column) => `json_valid(${column})`).join(' and '));
