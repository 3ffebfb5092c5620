import { Column, fillPlaceholders, Placeholder, type SQL, type SQLWrapper } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { RunnableQuery } from 'drizzle-orm/runnable-query';
import { madeOnce } from '../../shared/made_once.ts';
import { memberOf, recordOf } from '../../shared/value_types.ts';

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

type Values = Record<string, unknown>;

/** A query with its parameters, and the decoder of its rows. */
export interface Statement<Row = unknown> {
  sql: string;
  params: unknown[];
  decode(row: Values): Row;
}

export type Query<Result> = RunnableQuery<Result, 'sqlite'> & {
  toSQL(): { sql: string; params: unknown[] };
};

/** A built query that takes the values of its placeholders. */
export type Filled<Row> = (values: Values) => Statement<Row>;

type RowOf<Result> = Result extends (infer Row)[] ? Row : never;

/** Decodes JSON and booleans, which the database returns as text and numbers. */
function decoderOf(fields: Values): (row: Values) => Values {
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
function numbered({ sql, params }: { sql: string; params: unknown[] }) {
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
  return { sql: text, params: distinct };
}

/** A condition on the rows of a table, with the values of its placeholders. Its name identifies its SQL. */
export interface Condition {
  name: string;
  where: SQL;
  values: Values;
  /** Whether it finds IDs elsewhere, so that lists start from these regardless of other filters. */
  namesIDs?: boolean;
  /** The number of matching rows, hidden ones included, if that needs no read of the table. */
  total?: Query<{ total: number }[]>;
  /** The property, and the condition on its values, if totals know the number of matching rows. */
  counted?: { property: string; are: (value: SQLWrapper) => SQL };
}

const build = madeOnce((written: Query<unknown>) => ({
  ...numbered(written.toSQL()),
  decode: decoderOf(recordOf(memberOf(written._, 'selectedFields'))),
}));

/**
 * Returns a function from the values of placeholders to a statement. The query is built once for an isolate, at its
 * first call: Drizzle's own batch builds each query again, which takes 0.2 ms for 30 columns, as long as the rest of
 * a read, and fills in no placeholders.
 */
export const compile =
  <Result>(written: Query<Result>) =>
  (values: Values = {}): Statement<RowOf<Result>> => {
    const { sql, params, decode } = build(written);
    return {
      sql,
      params: fillPlaceholders(params, values),
      // The decoder is built from the columns that give the result its type.
      decode: decode as (row: Values) => RowOf<Result>,
    };
  };

/** Builds a query of a rare shape for one call. */
export const once = <Result>(built: Query<Result>) => compile(built)();
