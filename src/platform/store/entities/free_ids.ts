import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import type { Newest } from '../core/reads.ts';
import type { Transaction } from '../core/transaction.ts';
import { takenByOthers } from './taken_ids.ts';

/** Whether a new entity may take an ID: it was never used, or its entity is gone. */
export const isFree = (newest: Newest | undefined) => !newest || newest.isGone;

const idsAtOnce = 10;

/** Returns the first free one of some IDs with its history; if none is free, a taken one. */
export async function firstFree<E extends Entity>(
  tx: Transaction,
  kind: Kind<E>,
  ids: readonly string[],
): Promise<{ id: string; newest: Newest | undefined }> {
  const [some, others] = [ids.slice(0, idsAtOnce), ids.slice(idsAtOnce)];
  const [newest, taken] = await Promise.all([
    tx.newestOfEach(kind, some),
    takenByOthers(tx, kind, some),
  ]);
  const free = some.find((id) => isFree(newest.get(id)) && !taken.has(id));
  if (free === undefined && others.length > 0) return firstFree(tx, kind, others);
  const [id = ''] = free === undefined ? some : [free];
  return { id, newest: newest.get(id) };
}
