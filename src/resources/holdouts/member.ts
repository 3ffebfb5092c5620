import type { Entity } from '../../store/columns.ts';

/** What a holdout can take in; `holdoutIDs` is the holdout's list of members, seen from the other side. */
export interface Member extends Entity {
  holdoutIDs: string[];
}

/** An earlier state of a member, in the holdouts that it is in today: these are the holdouts' to say. */
export const keepHoldouts = <M extends Member>(snapshot: M, current: M | undefined): M => ({
  ...snapshot,
  holdoutIDs: current?.holdoutIDs ?? [],
});
