import { Buffer } from 'node:buffer';
import { eq, getTableColumns, getTableName, inArray, type SQL, sql } from 'drizzle-orm';
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { Problem } from '../../problem.ts';
import { always, constant, eachOf, property, together, united } from './expressions.ts';
import { compile, query, type Statement } from './statement.ts';

/** Bytes of JSON that many rows share in one bound parameter; D1 takes up to 2 MB. */
const maxParameter = 1_500_000;

/** Bytes of JSON of one row. */
const maxRow = 1_900_000;

/** Those of an entity: fewer, so that there is always room to record what becomes of it. */
export const maxEntity = 1_500_000;

/** The bytes of a text as it travels; Buffer counts them without a copy, in a twentieth of the time. */
export const byteLength = (text: string): number => Buffer.byteLength(text);

/** Splits items into parts that each fit one parameter. */
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

/** Splits rows into parts that each are one statement's. */
export const partsOf = <Row extends object>(rows: readonly Row[]): Row[][] =>
  rows.length === 1 ? [[...rows]] : split(rows, (row) => byteLength(JSON.stringify(row)));

/** Splits items into JSON arrays that each fit one parameter; 413 for an item of more than `largest` bytes. */
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

/** Statements for any number of rows, which travel as one bound parameter each. */
type ForRows = (rows: readonly object[], values?: Record<string, unknown>) => Statement[];

const parameter = sql.placeholder('rows');

/** The rows of a statement's parameter, as `value`, and their places, as `key`. */
const many = eachOf(parameter);

/** The row at a place, read off the parameter itself, which counts as no row read; null where there is none. */
function at(place: number): SQL {
  const key = constant(place);
  return sql`select (${parameter})->${key} as value, ${key} as key`;
}

/** The same for one row. */
const one = sql`(${at(0)})`;

/** How many rows are few: D1 takes no more terms in a union. */
const mostOfFew = 5;

/** The same for few rows. */
const few = sql`(select * from ${united(
  'union all',
  Array.from({ length: mostOfFew }, (_, place) => at(place)),
)} where value is not null)`;

/** Some properties of given rows, to be compared with. */
const picked = (given: SQL, properties: readonly string[]) =>
  query.select(Object.fromEntries(properties.map((name) => [name, property(name)]))).from(given);

/** Whether some columns are, together, the properties of a given row; those of the same names where none are said. */
type IsGiven = (columns: readonly SQLiteColumn[], properties?: readonly string[]) => SQL;

const namesOf = (columns: readonly SQLiteColumn[]) => columns.map(({ name }) => name);

const isOne: IsGiven = (columns, properties = namesOf(columns)) =>
  eq(together(...columns), picked(one, properties));

const isAmong =
  (given: SQL): IsGiven =>
  (columns, properties = namesOf(columns)) =>
    inArray(together(...columns), picked(given, properties));

/** The same for any number of rows, as the statement's parameter has them. */
export const isAmongMany = isAmong(many);

/** What stands for given rows, and the comparison with them, by how many they are. */
const forms = {
  one: [one, isOne],
  few: [few, isAmong(few)],
  many: [many, isAmongMany],
} as const;

function formOf({ length }: readonly object[]): keyof typeof forms {
  if (length === 1) return 'one';
  return length <= mostOfFew ? 'few' : 'many';
}

/**
 * Builds a statement over given rows, in each form once an isolate; D1 takes at most 100 parameters, so that rows cannot
 * have one for each of their values.
 * @param build makes the query, from the SQL that stands for the rows and the comparison with them: with one row by
 *   `=`, which reads no more than what it finds
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

/** One property of a given row, as its column takes it. */
const givenFor = ({ name, dataType }: SQLiteColumn) => property(name, dataType === 'json');

/** The values of all columns of a table, out of given rows; `computed` says what is not given. */
export function valuesOf(table: SQLiteTable, given: SQL, computed: Record<string, SQL> = {}) {
  const values = Object.values(getTableColumns(table)).map((column) => [
    column.name,
    computed[column.name] ?? givenFor(column),
  ]);
  return query.select(Object.fromEntries(values)).from(given).where(always);
}

/** Keeps what was made for each key, for as long as the isolate lives. */
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

/** The statements that insert rows. */
export function insertInto(table: SQLiteTable, rows: readonly object[]): Statement[] {
  if (rows.length === 0) return [];
  const build = (given: SQL) => query.insert(table).select(valuesOf(table, given));
  return inserts(getTableName(table), () => overRows(build))(rows);
}

/** The columns by which a row of a table is known. */
export function primaryKeyOf(table: SQLiteTable): SQLiteColumn[] {
  const { columns, primaryKeys } = getTableConfig(table);
  return primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
}

/** The statements that delete the rows which have the same primary key as given ones. */
export function deleteFrom(table: SQLiteTable, rows: readonly object[]): Statement[] {
  if (rows.length === 0) return [];
  const build = (_: SQL, isGiven: IsGiven) =>
    query.delete(table).where(isGiven(primaryKeyOf(table)));
  return deletes(getTableName(table), () => overRows(build))(rows);
}
