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

// SQL that Drizzle's builder does not have.

/**
 * Always true. SQLite needs a `where` between `insert … select` and `on conflict`, or it parses the latter as part of
 * a join.
 */
export const always = sql`true`;

const never = sql`false`;

/** True without conditions. */
export const allOf = (...conditions: (SQL | undefined)[]): SQL => and(...conditions) ?? always;

/** False without conditions. */
export const anyOf = (...conditions: (SQL | undefined)[]): SQL => or(...conditions) ?? never;

/** Instead of an integer key, so that SQLite assigns the next number. */
export const numbering = sql`null`;

/** The integer key of the row that the previous statement inserted. Reads no row. */
export const lastRow = sql`last_insert_rowid()`;

/** One row without a table. */
export const oneRow = sql`(select 1)`;

/** Writes a text or integer into the SQL: D1 would bind 1 as 1.0, and SQLite would divide by it to fractions. */
export const constant = <T extends string | number>(value: T): SQL<T> =>
  sql<T>`${typeof value === 'number' ? sql.raw(String(value)) : value}`;

/** A placeholder where Drizzle's types accept only SQL, such as in an update. */
export const bound = (name: string): SQL => sql`${sql.placeholder(name)}`;

/**
 * A column with its table. Drizzle omits the table in the order of a union, where two tables may have the column.
 * `.as()` renames it, because D1 returns rows as objects, in which equal names collide.
 */
export const qualified = <C extends Column>(column: C): SQL<GetColumnData<C>> =>
  sql<GetColumnData<C>>`${column}`;

/** A column of a handwritten query. */
export const field = <T>(name: string): SQL.Aliased<T> => sql<T>`${sql.identifier(name)}`.as(name);

export const contains = (column: Column, text: SQLWrapper): SQL => sql`instr(${column}, ${text})`;

/** The entries of a JSON array or object as rows of `key` and `value`. */
export const eachOf = (json: SQLWrapper, path?: string): SQL =>
  path === undefined ? sql`json_each(${json})` : sql`json_each(${json}, ${path})`;

/**
 * The values of a JSON array for a comparison. Many values travel as one parameter, because D1 accepts at most 100.
 */
export const valuesIn = (json: SQLWrapper | string): SQL =>
  sql`(select value from json_each(${json}))`;

export const inside = <T = unknown>(json: SQLWrapper, path: string | Placeholder): SQL<T> =>
  sql<T>`${json}->>${typeof path === 'string' ? sql.raw(`'${path}'`) : path}`;

/** Sets a path in JSON, whether it existed or not. */
export const jsonWith = (json: SQLWrapper, path: Placeholder, value: SQLWrapper): SQL =>
  sql`json_set(${json}, ${path}, ${value})`;

/** A property of `value` from `eachOf`; nested ones as JSON. */
export const property = <T = unknown>(name: string, isNested = false): SQL<T> =>
  sql<T>`${sql.raw(`value${isNested ? '->' : '->>'}'${name}'`)}`;

/** The order of the rows from `eachOf`. */
export const givenOrder = sql`key`;

/** Compares a column without its index, so that another index is used. */
export const unindexed = (column: SQLWrapper): SQL => sql`+${column}`;

/** Marks a condition that few rows meet. Without statistics SQLite assumes that many do, and may skip its index. */
export const rare = (condition: SQL): SQL => sql`unlikely(${condition})`;

export const noCase = (column: SQLWrapper): SQL => sql`${column} collate nocase`;

export const orElse = <T = unknown>(value: SQLWrapper, other: SQLWrapper): SQL<T> =>
  sql<T>`coalesce(${value}, ${other})`;

export const iif = <T = unknown>(
  condition: SQLWrapper,
  value: SQLWrapper,
  other: SQLWrapper = sql`null`,
): SQL<T> => sql<T>`iif(${condition}, ${value}, ${other})`;

export const larger = <T = unknown>(one: SQLWrapper, other: SQLWrapper): SQL<T> =>
  sql<T>`max(${one}, ${other})`;

export const plus = <T = unknown>(...numbers: SQLWrapper[]): SQL<T> =>
  sql<T>`${sql.join(numbers, sql` + `)}`;

export const minus = <T = unknown>(one: SQLWrapper, other: SQLWrapper): SQL<T> =>
  sql<T>`${one} - ${other}`;

/** The bytes of the values in some columns. SQLite stores lengths separately, so that no long value is read. */
export const bytesOf = (columns: SQLWrapper[]): SQL<number> =>
  plus(...columns.map((column) => sql`coalesce(octet_length(${column}), 0)`));

/** The sum of a number over all rows before one, in the order of a column; 0 for the first. */
export const totalBefore = (value: SQLWrapper, column: SQLWrapper): SQL<number> =>
  sql<number>`total(${value}) over (order by ${column} rows between unbounded preceding and 1 preceding)`;

export const jsonObject = (values: Record<string, SQLWrapper>): SQL<string> => {
  const members = Object.entries(values).map(
    ([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`,
  );
  return sql<string>`json_object(${sql.join(members, sql`, `)})`;
};

/** Combines handwritten selects; `union` removes duplicates. */
export const united = (by: 'union' | 'union all', selects: SQLWrapper[]): SQL =>
  sql`(${sql.join(selects, sql.raw(` ${by} `))})`;

/** A select as one value. */
export const onlyValue = (select: SQLWrapper): SQL<string | null> => sql`(${select})`;

/** A select as JSON inside other JSON. */
export const jsonOf = (select: SQLWrapper): SQL => sql`json(${onlyValue(select)})`;

export const jsonList = (value: SQLWrapper): SQL<string> => sql<string>`json_group_array(${value})`;

export const jsonByKey = (key: SQLWrapper, value: SQLWrapper): SQL<string> =>
  sql<string>`json_group_object(${key}, ${value})`;

/** The position of a row among rows with the same value, from 1. */
export const placeAmong = (alike: SQLWrapper, order: SQLWrapper): SQL<number> =>
  sql<number>`row_number() over (partition by ${alike} order by ${order})`;

export const matches = (search: SQLWrapper, words: SQLWrapper): SQL =>
  sql`${search} match ${words}`;

export const joined = (...texts: SQLWrapper[]): SQL<string> =>
  sql<string>`${sql.join(texts, sql` || `)}`;

/** Compares columns or values as one tuple, so that an index is entered at the exact row. */
export const together = (...values: SQLWrapper[]): SQL => sql`(${sql.join(values, sql`, `)})`;

/** In an upsert: the value that was not inserted. */
export const excluded = (column: Column): SQL => sql`excluded.${sql.identifier(column.name)}`;

/** In an upsert: the stored number plus the one that was not inserted. */
export const grown = (column: Column): SQL => plus(column, excluded(column));

/**
 * Fails with a message when evaluated: the message is not a valid JSON path. A select reads no row if there is none
 * to fail for; an insert into the guard table reads one.
 */
export const failing = (said: SQLWrapper): SQL =>
  sql`json_extract('{}', ${joined(constant('console: '), said)})`;

/** The check constraint of JSON columns. */
export const holdJSON = (...columns: string[]): SQL =>
  sql.raw(columns.map((column) => `json_valid(${column})`).join(' and '));
