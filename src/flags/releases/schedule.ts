import { and, eq, exists, gte, inArray, lte, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { Problem, problemTypes } from '../../base/problem.ts';
import type { OverdueChanges } from '../../platform/http/overdue.ts';
import { schedulerTransaction } from '../../platform/scheduled/transaction.ts';
import { commit } from '../../platform/store/commit.ts';
import { updateEntity } from '../../platform/store/entities/entities.ts';
import { type Database, maxTrips } from '../../platform/store/sql/database.ts';
import { unindexed, valuesIn } from '../../platform/store/sql/expressions.ts';
import { compileQuery, query } from '../../platform/store/sql/statement.ts';
import type { ReleasesOf } from '../rules/rule_handlers.ts';
import { enterNext, halt, isDue } from './lifecycle.ts';
import type { Trigger } from './schema.ts';
import { triggers, triggerTable } from './table.ts';
import type { Released, ReleaseTarget } from './targets.ts';
import { warnOfRules } from './warnings.ts';

const maxTriggers = 100;

const maxAttempts = 8;

/** Further phases wait for the next run. */
const maxTripsOfRun = maxTrips / 3;

const refusalOfRelease = (error: unknown) =>
  error instanceof Problem && problemTypes[error.code].status < 500 ? error.message : undefined;

async function enter(db: Database, trigger: Trigger, now: number, wasRefused: boolean) {
  const tx = schedulerTransaction(db, now);
  try {
    await updateEntity(tx, triggers, trigger, enterNext(trigger), 'advance');
    const outcome = await commit(tx);
    if (wasRefused && outcome instanceof Problem) throw outcome;
    return outcome;
  } catch (error) {
    const reason = refusalOfRelease(error);
    if (reason === undefined) throw error;
    const pauseTx = schedulerTransaction(db, now);
    await updateEntity(pauseTx, triggers, trigger, halt(trigger, reason, pauseTx.author), 'pause');
    return commit(pauseTx);
  }
}

async function advanceTrigger(db: Database, id: string, now: number, lastTrip: number) {
  let [entered, misses, wasRefused] = [false, 0, false];
  while (misses < maxAttempts && db.meter.trips < lastTrip) {
    const trigger = await schedulerTransaction(db, now).find(triggers, id);
    if (!trigger || !isDue(trigger, now)) break;
    const outcome = await enter(db, trigger, now, wasRefused);
    if (outcome === 'stored') entered = true;
    else misses++;
    wasRefused = outcome instanceof Problem;
  }
  return entered || misses > 0;
}

/** Releases that failed in the last run of this isolate by a fault of the service; others go first. */
let failed = new Set<string>();

async function advanceAll(db: Database, ids: string[], now: number): Promise<boolean> {
  let any = false;
  const lastTrip = db.meter.trips + maxTripsOfRun;
  for (const id of ids)
    try {
      if (await advanceTrigger(db, id, now, lastTrip)) any = true;
    } catch (error) {
      failed.add(id);
      console.error(`The release pipeline trigger ${id} was not advanced: ${error}`);
    }
  return any;
}

const dueAt = compileQuery(
  query
    .select({ id: triggerTable.id })
    .from(triggerTable)
    .where(lte(triggerTable.dueTime, sql.placeholder('now')))
    .orderBy(inArray(triggerTable.id, valuesIn(sql.placeholder('last'))), triggerTable.dueTime)
    .limit(maxTriggers),
);

/** Whether any release is overdue. `now` in epoch milliseconds. */
export const hasOverduePhases = (now: number): SQL =>
  exists(
    query.select({ id: triggerTable.id }).from(triggerTable).where(lte(triggerTable.dueTime, now)),
  );

/** Advances every overdue release. `now` in epoch milliseconds. */
export async function advanceTriggers(db: Database, now: number): Promise<void> {
  const [due] = await db.batch(dueAt({ now, last: JSON.stringify([...failed]) }));
  failed = new Set();
  const ids = due.map(({ id }) => id);
  await advanceAll(db, ids, now);
}

/** Reads one row, as an entity has one unfinished release: the end of a range would read another. */
function dueBy(named: SQLiteColumn) {
  const waiting = query
    .select({ id: triggerTable.id, dueTime: triggerTable.dueTime })
    .from(triggerTable)
    .where(and(eq(named, sql.placeholder('id')), gte(unindexed(triggerTable.dueTime), 0)))
    .limit(1)
    .as('waiting');
  return compileQuery(
    query
      .select({ id: waiting.id })
      .from(waiting)
      .where(lte(waiting.dueTime, sql.placeholder('now'))),
  );
}

/** Returns the overdue phases by a property of releases; with `id`, of the release itself. */
export function overdueReleases(property: 'id' | 'gateID' | 'dynamicConfigID'): OverdueChanges {
  const dueOne = dueBy(triggerTable[property]);
  return {
    due: (now, id) => (id === undefined ? dueAt({ now, last: '[]' }) : dueOne({ now, id })),
    store: advanceAll,
  };
}

/** Returns what the resource of a released entity needs of its releases. */
export const releasesOf = <E extends Released>(target: ReleaseTarget): ReleasesOf<E> => ({
  overdue: overdueReleases(target.property),
  warnOfRules: (changesRules) => warnOfRules(target, changesRules),
});
