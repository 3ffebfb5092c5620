import { sql } from 'drizzle-orm';
import { Problem } from '../../base/problem.ts';
import type { Transaction } from '../../platform/store/core/transaction.ts';
import { statement } from '../../platform/store/sql/statement.ts';

const run = sql.join(['kind', 'id', 'start'].map(sql.placeholder), sql`, `);

const readRun = statement(sql`select start from exposure_counts where (kind, id, start) = (${run})
  union all select start from analyses where (kind, id, start) = (${run}) limit 1`);

/** Returns a guard of a start: 409 if data of an earlier run would count for the new one. */
export const guardOfRun =
  (kind: 'experiment' | 'autotune') =>
  async (tx: Transaction, { startTime: start }: { startTime?: number | undefined }, id: string) => {
    if (start === undefined) return undefined;
    const [[found]] = await tx.read(readRun({ kind, id, start }));
    if (!found) return undefined;
    return new Problem('transition', `An earlier run of ${id} began then; use another startTime.`);
  };
