import { and, eq, gte, inArray, lte, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Settles } from '../../http/settling.ts';
import { inTime } from '../../operations/clock.ts';
import { Problem, problemTypes } from '../../problem.ts';
import { commit } from '../../store/commit.ts';
import { update } from '../../store/entities/entities.ts';
import { type Database, mostTrips } from '../../store/sql/database.ts';
import { unindexed, valuesIn } from '../../store/sql/expressions.ts';
import { compile, query } from '../../store/sql/statement.ts';
import { enterNext, halt, isDue } from './lifecycle.ts';
import type { Trigger } from './schema.ts';
import { triggers, triggerTable } from './table.ts';

/** How many triggers one run takes on, the longest due first; the others wait for the next. */
const maxTriggers = 100;

/** How often one of them is computed again because another change came first. */
const maxAttempts = 8;

/** How often one run, or one request, asks the database at most to enter phases; the others wait for the next. */
const mostEntering = mostTrips / 3;

/** Why a phase cannot begin; nothing where it is a fault of the service, and will pass. */
const reasonOf = (error: unknown) =>
  error instanceof Problem && problemTypes[error.code].status < 500 ? error.message : undefined;

/**
 * Stores that a trigger enters its next phase, or that it cannot.
 * @param wasRefused whether it was just refused for what was no longer so: where it is again, that is why it cannot
 * @returns 'stored', or else why it is to be tried again
 */
async function enter(db: Database, trigger: Trigger, now: number, wasRefused: boolean) {
  const tx = inTime(db, now);
  try {
    await update(tx, triggers, trigger, enterNext(trigger), 'advance');
    const outcome = await commit(tx);
    if (wasRefused && outcome instanceof Problem) throw outcome;
    return outcome;
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    const pausing = inTime(db, now);
    await update(pausing, triggers, trigger, halt(trigger, reason, pausing.author), 'pause');
    return commit(pausing);
  }
}

/**
 * Brings a trigger up to a time, one phase after the other, as long as the database may be asked; answers whether there
 * was any to enter.
 */
async function advanceTrigger(db: Database, id: string, now: number, lastTrip: number) {
  let [entered, misses, wasRefused] = [false, 0, false];
  while (misses < maxAttempts && db.meter.trips < lastTrip) {
    const trigger = await inTime(db, now).find(triggers, id);
    if (!trigger || !isDue(trigger, now)) break;
    const outcome = await enter(db, trigger, now, wasRefused);
    if (outcome === 'stored') entered = true;
    else misses++;
    wasRefused = outcome instanceof Problem;
  }
  return entered || misses > 0;
}

/** Those that could not be advanced in the last run of this isolate, through no fault of theirs: others go first. */
let failed = new Set<string>();

async function advanceAll(db: Database, ids: string[], now: number): Promise<boolean> {
  let any = false;
  const lastTrip = db.meter.trips + mostEntering;
  for (const id of ids)
    try {
      if (await advanceTrigger(db, id, now, lastTrip)) any = true;
    } catch (error) {
      failed.add(id);
      console.error(`The release pipeline trigger ${id} was not advanced: ${error}`);
    }
  return any;
}

const dueAt = compile(
  query
    .select({ id: triggerTable.id })
    .from(triggerTable)
    .where(lte(triggerTable.dueTime, sql.placeholder('now')))
    .orderBy(inArray(triggerTable.id, valuesIn(sql.placeholder('last'))), triggerTable.dueTime)
    .limit(maxTriggers),
);

/** Stores what time has made of the triggers whose phase is over. `now` in epoch milliseconds. */
export async function advanceTriggers(db: Database, now: number): Promise<void> {
  const [due] = await db.batch(dueAt({ now, last: JSON.stringify([...failed]) }));
  failed = new Set();
  const ids = due.map(({ id }) => id);
  await advanceAll(db, ids, now);
}

/** One row is all it reads, as what is released is so by one at a time: the end of a range would be another. */
function dueBy(named: SQLiteColumn) {
  const waiting = query
    .select({ id: triggerTable.id, dueTime: triggerTable.dueTime })
    .from(triggerTable)
    .where(and(eq(named, sql.placeholder('id')), gte(unindexed(triggerTable.dueTime), 0)))
    .limit(1)
    .as('waiting');
  return compile(
    query
      .select({ id: waiting.id })
      .from(waiting)
      .where(lte(waiting.dueTime, sql.placeholder('now'))),
  );
}

/** The phases that are due of what a property of triggers names; of `id`, of the trigger itself. */
export function releasesOf(property: 'id' | 'gateID' | 'dynamicConfigID'): Settles {
  const dueOne = dueBy(triggerTable[property]);
  return {
    due: (now, id) => (id === undefined ? dueAt({ now, last: '[]' }) : dueOne({ now, id })),
    store: advanceAll,
  };
}
