import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { compile, type Query } from '../sql/statement.ts';
import { extentOf, type Order, type PageRequest, reading } from './page.ts';

/** A Drizzle select without an order. */
interface Unordered<Result> {
  orderBy(...by: SQL[]): {
    limit(rows: Placeholder): { offset(rows: Placeholder): Query<Result> };
  };
}

/**
 * Returns the statement that reads the rows of a page, and one more, from the `pageValues` of a request. It serves all pages
 * that start on the same side of a position.
 * @param select all rows of the list that meet a condition
 */
export function pageStatement<Result>(
  order: Order,
  request: PageRequest,
  select: (beyond: SQL | undefined) => Unordered<Result>,
) {
  const { orderBy, beyond } = reading(order, request);
  const rows = select(beyond)
    .orderBy(...orderBy)
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'));
  return compile(rows);
}

/** Returns the values of a `pageStatement`. @throws Problem 400 for a position in another order */
export const pageValues = (order: Order, request: PageRequest) => ({
  ...extentOf(request),
  ...reading(order, request).values,
});

/**
 * Returns the statement that reads the rows of a page, and one more.
 * @param select all rows of the list that meet a condition
 * @param given values for the placeholders of the query
 * @throws Problem 400 for a position in another order
 */
export const pageRows = <Result>(
  order: Order,
  request: PageRequest,
  select: (beyond: SQL | undefined) => Unordered<Result>,
  given: Record<string, unknown> = {},
) => pageStatement(order, request, select)({ ...given, ...pageValues(order, request) });
