import { and, eq, exists, gte, isNull, lte, ne, not, notExists, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { statusFilters } from '../../operations/status.ts';
import { staleBefore } from '../../shared/days.ts';
import { allOf, anyOf, eachOf, iif, inside, property } from '../../store/sql/expressions.ts';
import { type Condition, query } from '../../store/sql/statement.ts';
import { checks } from '../exposures/table.ts';
import { hasAnyChecks, isReferenced } from './counted.ts';
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

const passesNone = notExists(
  query
    .select({ share: property('passPercentage') })
    .from(eachOf(rules))
    .where(ne(property('passPercentage'), 0)),
);

const before = sql.placeholder('staleBefore');

const hadBothOutcomes = exists(
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

/** If no check was ever recorded, the status and the rules decide. */
const isUnused = iif(
  hasAnyChecks,
  anyOf(eq(rules, []), not(hadBothOutcomes)),
  anyOf(ne(status, 'In Progress'), passesAll, passesNone),
);

/** Matches the gates for which `staleReason` has a reason. `now` in epoch milliseconds. */
const staleAt = (now: number): Condition => ({
  name: 'stale',
  where: allOf(
    eq(type, 'TEMPORARY'),
    lte(lastModifiedTime, before),
    not(isReferenced(id)),
    isUnused,
  ),
  values: { staleBefore: staleBefore(now) },
});

/** Returns the filters of the gate list that are not plain columns. */
export function filters(query: z.infer<typeof gateList>) {
  const { conditions = [], ...others } = statusFilters(query, ['In Progress', 'Launched']);
  return {
    ...others,
    labels: { holdoutIDs: query.holdoutID },
    conditions: [...conditions, query.stale ? staleAt(Date.now()) : undefined],
  };
}
