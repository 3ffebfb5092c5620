import { and, eq, exists, gte, isNull, lte, ne, not, notExists, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { statusFilters } from '../../operations/status.ts';
import { staleBefore } from '../../shared/days.ts';
import { allOf, anyOf, eachOf, iif, inside, property } from '../../store/sql/expressions.ts';
import { type Condition, query } from '../../store/sql/statement.ts';
import { checks } from '../exposures/table.ts';
import { isCounting, isReferred } from './counted.ts';
import type { gateList } from './schema.ts';
import { gateTable } from './table.ts';

const { id, type, status, rules, lastModifiedTime } = gateTable;

const passesAll = and(
  eq(inside(rules, '$[0].passPercentage'), 100),
  isNull(inside(rules, '$[0].environments')),
  notExists(
    query
      .select({ type: property('type') })
      .from(eachOf(rules, '$[0].conditions'))
      .where(ne(property('type'), 'public')),
  ),
);

/** True without rules. */
const passesNone = notExists(
  query
    .select({ share: property('passPercentage') })
    .from(eachOf(rules))
    .where(ne(property('passPercentage'), 0)),
);

const before = sql.placeholder('staleBefore');

const wasSeenBoth = exists(
  query
    .select({ id: checks.id })
    .from(checks)
    .where(
      and(
        eq(checks.kind, 'gate'),
        eq(checks.id, id),
        gte(checks.lastTrue, before),
        gte(checks.lastFalse, before),
      ),
    ),
);

/** Whether the counts give a reason; without counts, whether the rules do. */
const isUnused = iif(
  isCounting,
  anyOf(eq(rules, []), not(wasSeenBoth)),
  anyOf(ne(status, 'In Progress'), passesAll, passesNone),
);

/** Selects gates for which `staleReason` has a reason at a time in epoch milliseconds. */
const staleAt = (now: number): Condition => ({
  name: 'stale',
  where: allOf(eq(type, 'TEMPORARY'), lte(lastModifiedTime, before), not(isReferred(id)), isUnused),
  values: { staleBefore: staleBefore(now) },
});

/** The filters of the list of gates, except filters by column. */
export function filters(query: z.infer<typeof gateList>) {
  const { conditions = [], ...others } = statusFilters(query, ['In Progress', 'Launched']);
  return {
    ...others,
    labels: { holdoutIDs: query.holdoutID },
    conditions: [...conditions, query.stale ? staleAt(Date.now()) : undefined],
  };
}
