import { Column, fillPlaceholders, Placeholder, type SQL, type SQLWrapper } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { RunnableQuery } from 'drizzle-orm/runnable-query';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import { memberOf, recordOf } from '../../../base/value_types.ts';

const buildsOnly = () => {
  throw new Error('Drizzle builds the queries here; a Database runs them.');
};

export const query = drizzle({
  prepare: buildsOnly,
  batch: buildsOnly,
  exec: buildsOnly,
  dump: buildsOnly,
  withSession: buildsOnly,
});

type StatementValues = Record<string, unknown>;

export interface Statement<Row = unknown> {
  sql: string;
  params: unknown[];
  decode(row: StatementValues): Row;
}

export type DatabaseQuery<Result> = RunnableQuery<Result, 'sqlite'> & {
  toSQL(): { sql: string; params: unknown[] };
};

export interface Filled<Row> {
  (values?: StatementValues): Statement<Row>;
  unfilled(): Statement<Row>;
}

type RowOf<Result> = Result extends (infer Row)[] ? Row : never;

/** D1 returns JSON and booleans as text and numbers. */
function decoderOf(fields: StatementValues): (row: StatementValues) => StatementValues {
  const coded = Object.entries(fields).flatMap(([name, column]) =>
    column instanceof Column && ['json', 'boolean'].includes(column.dataType)
      ? [{ name, column }]
      : [],
  );
  return (row) => {
    for (const { name, column } of coded)
      if (row[name] !== null) row[name] = column.mapFromDriverValue(row[name]);
    return row;
  };
}

/** Binds each value once, even if it occurs several times: D1 accepts at most 100 parameters. */
function numberedStatement<Row>({ sql, params, decode }: Statement<Row>): Statement<Row> {
  const nameOf = (param: unknown) => (param instanceof Placeholder ? param.name : undefined);
  const distinct: unknown[] = [];
  let at = 0;
  const text = sql.replaceAll('?', () => {
    const param = params[at++];
    const name = nameOf(param);
    const known = distinct.findIndex((other) =>
      name === undefined ? other === param : nameOf(other) === name,
    );
    return `?${known >= 0 ? known + 1 : distinct.push(param)}`;
  });
  return { sql: text, params: distinct, decode };
}

/** A condition on the rows of a table, with the values of its placeholders. Its name identifies its SQL. */
export interface SQLCondition {
  name: string;
  where: SQL | undefined;
  values: StatementValues;
  /** Whether it finds IDs elsewhere, so that lists start from these regardless of other filters. */
  namesIDs?: boolean;
  /** The number of matching rows, hidden ones included, if that needs no read of the table. */
  total?: DatabaseQuery<{ total: number }[]>;
  /** The property, and the condition on its values, if totals know the number of matching rows. */
  counted?: { property: string; are: (value: SQLWrapper) => SQL };
}

/** Returns a function that fills placeholders. The SQL is built once for an isolate, at the first call. */
function fillable<Row>(build: () => Statement<Row>): Filled<Row> {
  let built: Statement<Row> | undefined;
  const unfilled = () => {
    built ??= numberedStatement(build());
    return built;
  };
  const fill = (values: StatementValues = {}) => {
    const { sql, params, decode } = unfilled();
    return { sql, params: fillPlaceholders(params, values), decode };
  };
  return Object.assign(fill, { unfilled });
}

/** Compiles a query. Drizzle's own batch builds it each time (0.2 ms for 30 columns), and fills no placeholders. */
export const compileQuery = <Result>(written: DatabaseQuery<Result>): Filled<RowOf<Result>> =>
  fillable(() => ({
    ...written.toSQL(),
    // Drizzle derives the type of rows from the same selected fields.
    decode: decoderOf(recordOf(memberOf(written._, 'selectedFields'))) as (
      row: StatementValues,
    ) => RowOf<Result>,
  }));

const dialect = new SQLiteAsyncDialect();

/** Compiles handwritten SQL. `decode` is given a row's values; by default, `Row` must list them as D1 returns them. */
export const statement = <Row = unknown>(
  written: SQL,
  decode = (row: StatementValues) => row as Row, // as the caller lists the columns
): Filled<Row> => fillable(() => ({ ...dialect.sqlToQuery(written), decode }));

/** Builds a query of a rare shape for one call. */
export const once = <Result>(built: DatabaseQuery<Result>) => compileQuery(built)();
