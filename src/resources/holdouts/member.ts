import type { Entity } from '../../store/core/entity.ts';
import type { Transaction } from '../../store/core/transaction.ts';
import { namesOf } from '../../store/integrity/references.ts';

/** A possible member of holdouts. `holdoutIDs` mirrors the holdout's list of members. */
export interface Member extends Entity {
  holdoutIDs: string[];
}

/** Keeps today's holdouts in a restored state: holdouts own the membership. */
export const keepHoldouts = <M extends Member>(snapshot: M, current: M | undefined): M => ({
  ...snapshot,
  holdoutIDs: current?.holdoutIDs ?? [],
});

/**
 * Returns the holdouts of a created or restored member: those that name it, because many changes may come in any
 * order.
 * @param field the property of a holdout that lists members of this kind
 */
export const holdoutsNaming =
  (kind: string, field: string) => async (tx: Transaction, id: string) => ({
    holdoutIDs: await namesOf(tx, { kind, id }, { kind: 'holdout', field }),
  });
