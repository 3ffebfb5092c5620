import type { Context } from 'hono';
import type { Service } from '../env.ts';
import type { Reads } from '../store/core/reads.ts';
import type { Database } from '../store/sql/database.ts';
import type { Statement } from '../store/sql/statement.ts';
import { openReads, unlessOverdue } from './transact.ts';

/** Changes that become due by time; the first request that depends on one stores it. Times are epoch milliseconds. */
export interface OverdueChanges {
  /** Selects the IDs of overdue entities: one entity, or all without an ID. */
  due(now: number, id?: string): Statement<{ id: string }>;
  store(db: Database, ids: string[], now: number): Promise<boolean>;
}

async function findOverdue(
  tx: Reads,
  { due, store }: OverdueChanges,
  id: string | undefined,
): Promise<void> {
  const [rows] = await tx.read(due(tx.time, id));
  const ids = rows.map((row) => row.id);
  if (ids.length > 0) tx.overdue.push((db, now) => store(db, ids, now));
}

/** Runs work, and looks in its first round trip for overdue changes. */
export async function withOverdue<Result>(
  tx: Reads,
  overdueChanges: readonly OverdueChanges[] | undefined,
  id: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  // The work starts first: its later reads still join this round trip.
  const doing = work();
  const looking = Promise.all((overdueChanges ?? []).map((one) => findOverdue(tx, one, id)));
  const [done, looked] = await Promise.allSettled([doing, looking]);
  if (looked.status === 'rejected') throw looked.reason;
  if (done.status === 'rejected') throw done.reason;
  return done.value;
}

/** Reads; overdue changes are stored first, and the read is repeated. */
export async function readCurrent<Result extends object | number>(
  c: Context<Service>,
  overdueChanges: readonly OverdueChanges[] | undefined,
  id: string | undefined,
  read: (tx: Reads) => Promise<Result>,
): Promise<Result> {
  const tx = openReads(c);
  const reading = withOverdue(tx, overdueChanges, id, () => read(tx));
  return (await unlessOverdue(c, tx, reading)) ?? read(openReads(c));
}
