import type { Context } from 'hono';
import type { Service } from '../env.ts';
import type { Reads } from '../store/core/reads.ts';
import type { Database } from '../store/sql/database.ts';
import type { Statement } from '../store/sql/statement.ts';
import { open, unlessDue } from './transact.ts';

/** What time alone changes; the first request that depends on it stores it. Times are epoch milliseconds. */
export interface Settles {
  /** A query for the ids of what is due at a time: of one entity, or of all where no id is given. */
  due(now: number, id?: string): Statement<{ id: string }>;
  /** Stores that, as changes of its own; answers whether there was any. */
  store(db: Database, ids: string[], now: number): Promise<boolean>;
}

/** Notes what is due: of one entity, or of all where no id is given. */
async function look(tx: Reads, { due, store }: Settles, id: string | undefined): Promise<void> {
  const [rows] = await tx.read(due(tx.time, id));
  const ids = rows.map((row) => row.id);
  if (ids.length > 0) tx.overdue.push((db, now) => store(db, ids, now));
}

/** Does some work, and looks in its first round trip whether something is due that it depends on. */
export async function watching<Result>(
  tx: Reads,
  settles: readonly Settles[] | undefined,
  id: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  // The work goes first: what it reads a moment later still comes into the same round trip.
  const doing = work();
  const looking = Promise.all((settles ?? []).map((one) => look(tx, one, id)));
  const [done, looked] = await Promise.allSettled([doing, looking]);
  if (looked.status === 'rejected') throw looked.reason;
  if (done.status === 'rejected') throw done.reason;
  return done.value;
}

/** Reads; where something is due that the answer depends on, that is stored first, and read again. */
export async function settled<Result extends object | number>(
  c: Context<Service>,
  settles: readonly Settles[] | undefined,
  id: string | undefined,
  read: (tx: Reads) => Promise<Result>,
): Promise<Result> {
  const tx = open(c);
  const reading = watching(tx, settles, id, () => read(tx));
  return (await unlessDue(c, tx, reading)) ?? read(open(c));
}
