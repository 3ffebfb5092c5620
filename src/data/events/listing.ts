import { and, eq, max, sql } from 'drizzle-orm';
import {
  limitAndOffset,
  type Order,
  type Page,
  type PageRequest,
  pageOf,
  reading,
} from '../../platform/store/core/page.ts';
import type { Reads } from '../../platform/store/core/reads.ts';
import { qualified } from '../../platform/store/sql/expressions.ts';
import { remembered } from '../../platform/store/sql/rows.ts';
import { compileQuery, type Filled, query } from '../../platform/store/sql/statement.ts';
import { totals } from '../../platform/store/sql/tables.ts';
import { eventTable } from './table.ts';

export type EventRow = typeof eventTable.$inferSelect;

const newestFirst: Order = {
  key: eventTable.timestamp,
  keyFalls: true,
  id: eventTable.seq,
  positions: { key: 'number', id: 'number' },
};

const countAll = compileQuery(
  query.select({ total: max(eventTable.seq).as('total') }).from(eventTable),
);

const countByName = compileQuery(
  query
    .select({ total: qualified(totals.count).as('total') })
    .from(totals)
    .where(
      and(
        eq(totals.kind, 'events'),
        eq(totals.facet, 'name'),
        eq(totals.a, sql.placeholder('name')),
      ),
    ),
);

const pages = remembered<Filled<EventRow>>();

const eventRows = (request: PageRequest, name: string | undefined) =>
  pages(`${request.position?.side} ${name !== undefined}`, () => {
    const named = name === undefined ? undefined : eq(eventTable.name, sql.placeholder('name'));
    const { apart, orderBy } = reading(newestFirst, request);
    const selects = apart.map((condition) =>
      query.select().from(eventTable).where(and(named, condition)).$dynamic(),
    );
    return compileQuery(
      selects
        .reduce((one, other) => one.unionAll(other))
        .orderBy(...orderBy)
        .limit(sql.placeholder('limit'))
        .offset(sql.placeholder('offset')),
    );
  });

/** Returns a page of events, of all names or of one, newest first by their own time, in one round trip. */
export async function listEvents(
  tx: Reads,
  request: PageRequest,
  name?: string,
): Promise<Page<EventRow>> {
  const values = { name, ...limitAndOffset(request), ...reading(newestFirst, request).values };
  const [rows, [counted]] = await tx.read(
    eventRows(request, name)(values),
    name === undefined ? countAll() : countByName({ name }),
  );
  const positionOf = ({ timestamp, seq }: EventRow) => ({ key: timestamp, id: seq });
  return pageOf(request, rows, counted?.total ?? 0, positionOf);
}
