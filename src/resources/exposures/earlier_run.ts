import { sql } from 'drizzle-orm';
import { Problem } from '../../problem.ts';
import type { Transaction } from '../../store/core/transaction.ts';
import { statement } from '../../store/sql/statement.ts';

const isOfRun = sql`kind = ${sql.placeholder('kind')} and id = ${sql.placeholder('id')}
  and start = ${sql.placeholder('start')}`;

const readRun = statement(sql`select start from exposure_counts where ${isOfRun}
  union all select start from analyses where ${isOfRun} limit 1`);

/** Returns a guard of a start: 409 if data of an earlier run would count for the new one. */
export const guardOfRun =
  (kind: 'experiment' | 'autotune') =>
  async (tx: Transaction, { startTime: start }: { startTime?: number | undefined }, id: string) => {
    if (start === undefined) return undefined;
    const [[run]] = await tx.read(readRun({ kind, id, start }));
    if (!run) return undefined;
    return new Problem('transition', `An earlier run of ${id} began then; use another startTime.`);
  };
