import { and, eq, lte, sql } from 'drizzle-orm';
import { inTime } from '../../operations/clock.ts';
import { commit } from '../../store/commit.ts';
import type { Database } from '../../store/database.ts';
import { change } from '../../store/entities.ts';
import { compile, query } from '../../store/statement.ts';
import { isDue, move } from './lifecycle.ts';
import { experiments, experimentTable } from './table.ts';

/** How many experiments one run starts, the longest due first; the others wait for the next. */
const maxStarts = 100;

const due = compile(
  query
    .select({ id: experimentTable.id })
    .from(experimentTable)
    .where(
      and(
        lte(experimentTable.scheduledStartTime, sql.placeholder('now')),
        eq(experimentTable.status, 'setup'),
      ),
    )
    .orderBy(experimentTable.scheduledStartTime)
    .limit(maxStarts),
);

async function start(db: Database, id: string, now: number): Promise<void> {
  const tx = inTime(db, now);
  await change(tx, experiments, id, { action: 'start', ifMatch: undefined }, (current) =>
    isDue(current, now) ? move(current, 'start', now) : current,
  );
  if (tx.changes.length > 0) await commit(tx);
}

/**
 * Starts the experiments whose time has come. One that cannot start, as where its layer is full, is tried again with the
 * next run. `now` in epoch milliseconds.
 */
export async function startExperiments(db: Database, now: number): Promise<void> {
  const [found] = await db.batch(due({ now }));
  for (const { id } of found)
    await start(db, id, now).catch(({ message }: Error) =>
      console.error(`The experiment ${id} was not started: ${message}`),
    );
}
