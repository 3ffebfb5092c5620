import { Buffer } from 'node:buffer';
import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { Problem } from '../../../base/problem.ts';
import { constant } from './expressions.ts';
import { type Filled, type Statement, statement } from './statement.ts';

/** Bytes of JSON in one bound parameter; D1 accepts up to 2 MB. */
const maxParameter = 1_500_000;

const maxRow = 1_900_000;

/** Bytes of JSON of an entity. Less than a row, which leaves room to record its changes. */
export const maxEntity = 1_500_000;

/** Returns the bytes of a text in UTF-8. Buffer counts them without a copy, in a twentieth of the time. */
export const byteLength = (text: string): number => Buffer.byteLength(text);

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
export const rowParts = <Row extends object>(rows: readonly Row[]): Row[][] =>
  rows.length === 1 ? [[...rows]] : split(rows, (row) => byteLength(JSON.stringify(row)));

/** Splits items into JSON arrays of one parameter each. @throws Problem 413 for an item of more than `largest` bytes */
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

interface ForRows {
  (rows: readonly object[], values?: Record<string, unknown>): Statement[];
  unfilled(): Statement;
}

const parameter = sql.placeholder('rows');

/** The rows of a statement's parameter as `value`, with their positions as `key`. */
const many = sql`json_each(${parameter})`;

/** The row at a position, read from the parameter, which D1 does not count as a row read; null if there is none. */
const valueSQL = (position: number) =>
  sql`select (${parameter})->${constant(position)} as value, ${constant(position)} as key`;

const one = sql`(${valueSQL(0)})`;

/** D1 accepts at most 5 terms in a union. */
const maxFew = 5;

const firstRows = Array.from({ length: maxFew }, (_, position) => valueSQL(position));

const few = sql`(select * from (${sql.join(firstRows, sql` union all `)}) where value is not null)`;

/** Properties have the names of the columns by default. */
type IsGiven = (columns: readonly SQLiteColumn[], properties?: readonly string[]) => SQL;

/** Each property of a given row as text or number, and nested ones as JSON. */
const propertyOf = (name: string, isNested = false) =>
  sql.raw(`value${isNested ? '->' : '->>'}'${name}'`);

const isGivenBy =
  (operator: '=' | 'in', given: SQL): IsGiven =>
  (columns, properties = columns.map(({ name }) => name)) => {
    const values = sql.join(
      properties.map((name) => propertyOf(name)),
      sql`, `,
    );
    // A tuple, so that an index is entered at the exact row.
    return sql`(${sql.join([...columns], sql`, `)}) ${sql.raw(operator)} (select ${values} from ${given})`;
  };

export const isAmongMany = isGivenBy('in', many);

const forms = {
  one: [one, isGivenBy('=', one)],
  few: [few, isGivenBy('in', few)],
  many: [many, isAmongMany],
} as const;

function formOf({ length }: readonly object[]): keyof typeof forms {
  if (length === 1) return 'one';
  return length <= maxFew ? 'few' : 'many';
}

/**
 * Builds a statement over given rows, once for each form: D1 accepts at most 100 parameters, too few for all values.
 * @param build returns the statement. One row is compared by `=`, which reads no more than it finds
 * @param largest bytes of JSON that one row may have
 */
export function overRows(
  build: (given: SQL, isGiven: IsGiven) => Filled<unknown>,
  largest = maxRow,
): ForRows {
  const built = remembered<Filled<unknown>>();
  const inForm = (form: keyof typeof forms) => built(form, () => build(...forms[form]));
  const forRows = (rows: readonly object[], values: Record<string, unknown> = {}) =>
    jsonArrays(rows, largest).map((json) => inForm(formOf(rows))({ ...values, rows: json }));
  return Object.assign(forRows, { unfilled: () => inForm('many').unfilled() });
}

/** Returns the SQL that inserts given rows with all columns of a table. An `on conflict` may follow. */
export function insertRows(table: SQLiteTable, given: SQL): SQL {
  const columns = Object.values(getTableColumns(table));
  const names = columns.map(({ name }) => sql.identifier(name));
  const values = columns.map(({ name, dataType }) => propertyOf(name, dataType === 'json'));
  return sql`insert into ${table} (${sql.join(names, sql`, `)})
    select ${sql.join(values, sql`, `)} from ${given} where true`;
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
  const build = (given: SQL) => statement(insertRows(table, given));
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
    statement(sql`delete from ${table} where ${isGiven(primaryKeyOf(table))}`);
  return deletes(getTableName(table), () => overRows(build))(rows);
}
