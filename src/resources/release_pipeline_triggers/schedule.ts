import { lte, sql } from 'drizzle-orm';
import type { Actor } from '../../env.ts';
import { commit } from '../../store/commit.ts';
import type { Database } from '../../store/database.ts';
import { compile, query } from '../../store/statement.ts';
import { type Transaction, transaction } from '../../store/transaction.ts';
import { advance } from './lifecycle.ts';
import type { Trigger } from './schema.ts';
import { triggers, triggerTable } from './table.ts';

/** Who makes the changes that time makes. */
const clock: Actor = {
  id: 'scheduler',
  name: 'Release pipeline scheduler',
  email: null,
  scopes: [],
};

/** How many triggers one run takes on, the longest due first; the others wait for the next. */
const maxTriggers = 100;

/** How often one of them is computed again because another change came first. */
const maxAttempts = 8;

/** Stages what time has made of a trigger, and the rules that are in force then. */
export async function settle(tx: Transaction, before: Trigger): Promise<Trigger> {
  const after = tx.update(triggers, before, advance(before, tx.author.time), 'advance');
  if (after !== before) await triggers.entails(tx, before, after);
  return after;
}

async function advanceTrigger(db: Database, id: string, time: number): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const tx = transaction(db, { actor: clock, time, requestID: crypto.randomUUID() });
    const trigger = await tx.find(triggers, id);
    if (trigger) await settle(tx, trigger);
    if (tx.changes.length === 0 || (await commit(tx)) === 'stored') return;
  }
}

const dueAt = compile(
  query
    .select({ id: triggerTable.id })
    .from(triggerTable)
    .where(lte(triggerTable.dueTime, sql.placeholder('now')))
    .orderBy(triggerTable.dueTime)
    .limit(maxTriggers),
);

/** Stores what time has made of the triggers whose phase is over. `now` in epoch milliseconds. */
export async function advanceTriggers(db: Database, now: number): Promise<void> {
  const [due] = await db.batch(dueAt({ now }));
  for (const { id } of due)
    await advanceTrigger(db, id, now).catch(({ message }: Error) =>
      console.error(`The release pipeline trigger ${id} was not advanced: ${message}`),
    );
}
