import { and, eq, lt, sql } from 'drizzle-orm';
import { dayLength } from '../../shared/durations.ts';
import type { Database } from '../../store/database.ts';
import { constant, failing } from '../../store/sqlite.ts';
import { compile, query, type Statement } from '../../store/statement.ts';
import { deliveries } from './table.ts';

const dayOf = (now: number) => Math.floor(now / dayLength);

const [day, hash] = [sql.placeholder('day'), sql.placeholder('hash')];
const dayBefore = sql.placeholder('dayBefore');

const refuseKnown = compile(
  query
    .select({ failure: failing(constant('conflict')).as('failure') })
    .from(deliveries)
    .where(and(eq(deliveries.day, dayBefore), eq(deliveries.hash, hash))),
);

const remember = compile(query.insert(deliveries).values({ day, hash }));

/** The statements that fail, as a conflict, where the same was delivered within a day. `now` in epoch milliseconds. */
export const deliverOnce = (hash: string, now: number): Statement[] => [
  refuseKnown({ dayBefore: dayOf(now) - 1, hash }),
  remember({ day: dayOf(now), hash }),
];

const purge = compile(query.delete(deliveries).where(lt(deliveries.day, dayBefore)));

/** Forgets deliveries of the days before yesterday. `now` in epoch milliseconds. */
export async function purgeDeliveries(db: Database, now: number): Promise<void> {
  await db.batch(purge({ dayBefore: dayOf(now) - 1 }));
}
