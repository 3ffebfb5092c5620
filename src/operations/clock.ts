import type { Actor } from '../env.ts';
import { transaction } from '../store/changes/transaction.ts';
import type { Database } from '../store/sql/database.ts';

/** Who makes the changes that time makes; the first migration knows the name too, for the audit log to find it by. */
const clock: Actor = { id: 'scheduler', name: 'Scheduler', email: null, scopes: [] };

/** Starts a transaction of a change that time makes; `time` in epoch milliseconds. */
export const inTime = (db: Database, time: number) =>
  transaction(db, { actor: clock, time, requestID: crypto.randomUUID(), note: null });
