import type { ScopedActor } from '../env.ts';
import { transaction } from '../store/changes/transaction.ts';
import type { Database } from '../store/sql/database.ts';

/** The author of scheduled changes. The first migration contains the name, for searches in the audit log. */
const scheduler: ScopedActor = { id: 'scheduler', name: 'Scheduler', email: null, scopes: [] };

/** Returns the transaction of a scheduled change; `time` in epoch milliseconds. */
export const schedulerTransaction = (db: Database, time: number) =>
  transaction(db, { actor: scheduler, time, requestID: crypto.randomUUID(), note: null });
