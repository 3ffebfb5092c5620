import { sql } from 'drizzle-orm';
import { Problem } from '../../problem.ts';
import type { Entity } from '../../store/core/entity.ts';
import type { HookedKind } from '../../store/core/hooks.ts';
import type { Transaction } from '../../store/core/transaction.ts';
import { statement } from '../../store/sql/statement.ts';

const isOfRun = sql`kind = ${sql.placeholder('kind')} and id = ${sql.placeholder('id')}
  and start = ${sql.placeholder('start')}`;

const readRun = statement(sql`select start from exposure_counts where ${isOfRun}
  union all select start from analyses where ${isOfRun} limit 1`);

/** Returns a check that no data of an earlier run would count for a new one. @throws Problem 409 */
export const withNewRun =
  <E extends Entity & { startTime: number | null }>(kind: HookedKind<E>) =>
  async <B extends { startTime?: number | undefined }>(tx: Transaction, body: B, id: string) => {
    if (body.startTime === undefined) return body;
    const run = readRun({ kind: kind.kind, id, start: body.startTime });
    const [entity, [runs]] = await Promise.all([tx.find(kind, id), tx.read(run)]);
    if (entity?.startTime !== null || runs.length === 0) return body;
    const other = 'Choose another one, such as a millisecond later.';
    throw new Problem('transition', `An earlier run of ${id} began at this startTime. ${other}`);
  };
