import type { SQL } from 'drizzle-orm';
import { compile, type Query } from '../sql/statement.ts';
import { extentOf, type Order, type PageRequest, reading } from './page.ts';

/** A Drizzle select without an order. */
interface Unordered<Result> {
  orderBy(...by: SQL[]): {
    limit(rows: number): { offset(rows: number): Query<Result> };
  };
}

/**
 * Returns the statement that reads the rows of a page, and one more.
 * @param select all rows of the list that meet a condition
 * @param given values for the placeholders of the query
 * @throws Problem 400 for a position in another order
 */
export function pageRows<Result>(
  order: Order,
  request: PageRequest,
  select: (beyond: SQL | undefined) => Unordered<Result>,
  given: Record<string, unknown> = {},
) {
  const { limit, offset } = extentOf(request);
  const { orderBy, beyond, values } = reading(order, request);
  const rows = select(beyond)
    .orderBy(...orderBy)
    .limit(limit)
    .offset(offset);
  return compile(rows)({ ...given, ...values });
}
