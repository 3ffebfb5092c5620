import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import type { Newest } from '../core/reads.ts';
import type { Transaction } from '../core/transaction.ts';
import { takenBeside } from './taken_ids.ts';

/** Whether an id can be given to a new entity: none ever had it, or what had it is gone. */
export const isFree = (newest: Newest | undefined) => !newest || newest.isGone;

/** How many ids are looked at together: of those that come of one name, few are taken. */
const idsAtOnce = 10;

/** Finds the first of some ids that is free, with what had it before; where none is, one that is taken. */
export async function firstFree<E extends Entity>(
  tx: Transaction,
  kind: Kind<E>,
  ids: readonly string[],
): Promise<{ id: string; newest: Newest | undefined }> {
  const [some, others] = [ids.slice(0, idsAtOnce), ids.slice(idsAtOnce)];
  const [newest, taken] = await Promise.all([
    tx.newestOfEach(kind, some),
    takenBeside(tx, kind, some),
  ]);
  const free = some.find((id) => isFree(newest.get(id)) && !taken.has(id));
  if (free === undefined && others.length > 0) return firstFree(tx, kind, others);
  const [id = ''] = free === undefined ? some : [free];
  return { id, newest: newest.get(id) };
}
