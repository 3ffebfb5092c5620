import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { compileQuery, type DatabaseQuery } from '../sql/statement.ts';
import { limitAndOffset, type Order, type PageRequest, reading } from './page.ts';

interface Unordered<Result> {
  orderBy(...by: SQL[]): {
    limit(rows: Placeholder): { offset(rows: Placeholder): DatabaseQuery<Result> };
  };
}

/** Returns the statement for one side of a position. It reads the rows of a page, and one more, given `pageValues`. */
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
  return compileQuery(rows);
}

/** Returns the values of a `pageStatement`. @throws Problem 400 for a position in another order */
export const pageValues = (order: Order, request: PageRequest) => ({
  ...limitAndOffset(request),
  ...reading(order, request).values,
});

/**
 * Returns the statement that reads the rows of a page, and one more.
 * @param given values for the placeholders of the query
 * @throws Problem 400 for a position in another order
 */
export const pageRows = <Result>(
  order: Order,
  request: PageRequest,
  select: (beyond: SQL | undefined) => Unordered<Result>,
  given: Record<string, unknown> = {},
) => pageStatement(order, request, select)({ ...given, ...pageValues(order, request) });
