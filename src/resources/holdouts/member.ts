import type { Entity } from '../../store/core/entity.ts';
import type { Transaction } from '../../store/core/transaction.ts';
import { namesOf } from '../../store/integrity/references.ts';

/** What a holdout can take in; `holdoutIDs` is the holdout's list of members, seen from the other side. */
export interface Member extends Entity {
  holdoutIDs: string[];
}

/** An earlier state of a member, in the holdouts that it is in today: these are the holdouts' to say. */
export const keepHoldouts = <M extends Member>(snapshot: M, current: M | undefined): M => ({
  ...snapshot,
  holdoutIDs: current?.holdoutIDs ?? [],
});

/**
 * Says in which holdouts a member is that comes into being, or back: those that name it by then, since many changes at
 * once can come in any order.
 * @param field the property by which a holdout lists members of this kind
 */
export const holdoutsNaming =
  (kind: string, field: string) => async (tx: Transaction, id: string) => ({
    holdoutIDs: await namesOf(tx, { kind, id }, { kind: 'holdout', field }),
  });
