import type { Entity } from '../platform/store/core/entity.ts';
import type { Transaction } from '../platform/store/core/transaction.ts';
import { referrersOf } from '../platform/store/integrity/references.ts';

export interface Member extends Entity {
  holdoutIDs: string[];
}

/** Restores a member into its current holdouts, because holdouts own the membership. */
export const withCurrentHoldouts = <M extends Member>(snapshot: M, current: M | undefined): M => ({
  ...snapshot,
  holdoutIDs: current?.holdoutIDs ?? [],
});

/** Finds the holdouts of a new or restored member, including staged ones: changes of a request come in any order. */
export const initialHoldouts =
  (kind: string, field: string) => async (tx: Transaction, id: string) => ({
    holdoutIDs: await referrersOf(tx, { kind, id }, { kind: 'holdout', field }),
  });
