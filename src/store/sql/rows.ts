import { Buffer } from 'node:buffer';
import { eq, getTableColumns, getTableName, inArray, type SQL, sql } from 'drizzle-orm';
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { Problem } from '../../problem.ts';
import { always, constant, eachOf, property, together, united } from './expressions.ts';
import { compile, query, type Statement } from './statement.ts';

/** Bytes of JSON in one bound parameter; D1 accepts up to 2 MB. */
const maxParameter = 1_500_000;

/** Bytes of JSON of one row. */
const maxRow = 1_900_000;

/** Bytes of JSON of an entity. Less than a row, which leaves room to record its changes. */
export const maxEntity = 1_500_000;

/** Returns the bytes of a text in UTF-8. Buffer counts them without a copy, in a twentieth of the time. */
export const byteLength = (text: string): number => Buffer.byteLength(text);

/** Splits items into parts that each fit into one parameter. */
function split<Item>(items: readonly Item[], sizeOf: (item: Item) => number): Item[][] {
  const parts: Item[][] = [];
  let room = 0;
  for (const item of items) {
    const size = sizeOf(item) + 1;
    if (size > room) {
      parts.push([]);
      room = maxParameter;
    }
    parts.at(-1)?.push(item);
    room -= size;
  }
  return parts;
}

/** Splits rows into parts for one statement each. */
export const partsOf = <Row extends object>(rows: readonly Row[]): Row[][] =>
  rows.length === 1 ? [[...rows]] : split(rows, (row) => byteLength(JSON.stringify(row)));

/**
 * Splits items into JSON arrays that each fit into one parameter.
 * @throws Problem 413 for an item of more than `largest` bytes
 */
export function jsonArrays(items: readonly object[], largest = maxRow): string[] {
  const sizeOf = (json: string) => {
    const size = byteLength(json);
    if (size < largest) return size;
    throw new Problem('too_large', 'The entity would be larger than 1.5 MB; nothing was stored.');
  };
  const parts = split(
    items.map((item) => JSON.stringify(item)),
    sizeOf,
  );
  return parts.map((part) => `[${part.join(',')}]`);
}

/** Builds statements for any number of rows, which travel as one bound parameter each. */
type ForRows = (rows: readonly object[], values?: Record<string, unknown>) => Statement[];

const parameter = sql.placeholder('rows');

/** The rows of a statement's parameter as `value`, with their positions as `key`. */
const many = eachOf(parameter);

/** The row at a position, read from the parameter, which D1 does not count as a row read; null if there is none. */
function at(place: number): SQL {
  const key = constant(place);
  return sql`select (${parameter})->${key} as value, ${key} as key`;
}

const one = sql`(${at(0)})`;

/** D1 accepts at most 5 terms in a union. */
const maxFew = 5;

const few = sql`(select * from ${united(
  'union all',
  Array.from({ length: maxFew }, (_, place) => at(place)),
)} where value is not null)`;

const picked = (given: SQL, properties: readonly string[]) =>
  query.select(Object.fromEntries(properties.map((name) => [name, property(name)]))).from(given);

/** Compares columns with the properties of the given rows; with the properties of the same names by default. */
type IsGiven = (columns: readonly SQLiteColumn[], properties?: readonly string[]) => SQL;

const namesOf = (columns: readonly SQLiteColumn[]) => columns.map(({ name }) => name);

const isOne: IsGiven = (columns, properties = namesOf(columns)) =>
  eq(together(...columns), picked(one, properties));

const isAmong =
  (given: SQL): IsGiven =>
  (columns, properties = namesOf(columns)) =>
    inArray(together(...columns), picked(given, properties));

export const isAmongMany = isAmong(many);

/** The SQL for given rows, and the comparison with them, by their number. */
const forms = {
  one: [one, isOne],
  few: [few, isAmong(few)],
  many: [many, isAmongMany],
} as const;

function formOf({ length }: readonly object[]): keyof typeof forms {
  if (length === 1) return 'one';
  return length <= maxFew ? 'few' : 'many';
}

/**
 * Builds a statement over given rows, in each form once for an isolate. D1 accepts at most 100 parameters, so rows
 * cannot have one for each value.
 * @param build returns the query from the SQL for the rows and the comparison with them. One row is compared by `=`,
 *   which reads no more than it finds
 * @param largest bytes of JSON that one row may have
 */
export function overRows(
  build: (given: SQL, isGiven: IsGiven) => Parameters<typeof compile>[0],
  largest = maxRow,
): ForRows {
  const built = remembered<ReturnType<typeof compile>>();
  return (rows, values = {}) => {
    const form = formOf(rows);
    const statement = () => built(form, () => compile(build(...forms[form])));
    return jsonArrays(rows, largest).map((json) => statement()({ ...values, rows: json }));
  };
}

const givenFor = ({ name, dataType }: SQLiteColumn) => property(name, dataType === 'json');

/** Returns the values of all columns of a table from given rows; `computed` has the others. */
export function valuesOf(table: SQLiteTable, given: SQL, computed: Record<string, SQL> = {}) {
  const values = Object.values(getTableColumns(table)).map((column) => [
    column.name,
    computed[column.name] ?? givenFor(column),
  ]);
  return query.select(Object.fromEntries(values)).from(given).where(always);
}

/** Returns a cache that lives as long as the isolate. */
export function remembered<Made>() {
  const made = new Map<string, Made>();
  return (key: string, make: () => Made): Made => {
    const known = made.get(key) ?? make();
    made.set(key, known);
    return known;
  };
}

const inserts = remembered<ForRows>();
const deletes = remembered<ForRows>();

export function insertInto(table: SQLiteTable, rows: readonly object[]): Statement[] {
  if (rows.length === 0) return [];
  const build = (given: SQL) => query.insert(table).select(valuesOf(table, given));
  return inserts(getTableName(table), () => overRows(build))(rows);
}

export function primaryKeyOf(table: SQLiteTable): SQLiteColumn[] {
  const { columns, primaryKeys } = getTableConfig(table);
  return primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
}

/** Returns the statements that delete the rows with the given primary keys. */
export function deleteFrom(table: SQLiteTable, rows: readonly object[]): Statement[] {
  if (rows.length === 0) return [];
  const build = (_: SQL, isGiven: IsGiven) =>
    query.delete(table).where(isGiven(primaryKeyOf(table)));
  return deletes(getTableName(table), () => overRows(build))(rows);
}
