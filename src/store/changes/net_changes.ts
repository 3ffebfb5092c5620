import { anchorKey } from '../../shared/naming.ts';
import { changedProperties } from '../core/entity.ts';
import type { Change } from '../core/transaction.ts';

/**
 * The combined change of one entity: its state before the first step and after the last. `twin` is its state under an
 * earlier ID.
 */
export type NetChange = Pick<
  Change,
  'kind' | 'id' | 'origin' | 'sentAs' | 'action' | 'before' | 'twin' | 'after'
>;

/** Combines the changes of each entity into one. */
export function netChanges(changes: Change[]): NetChange[] {
  const byEntity = new Map<string, NetChange>();
  for (const { kind, id, origin, sentAs, action, before, twin, after } of changes) {
    const keyOf = (id: string) => anchorKey({ kind: kind.kind, id });
    const key = keyOf(id);
    const first = byEntity.get(key) ?? { before };
    const former = after && twin && byEntity.get(keyOf(twin.id));
    const earlier = former ? { twin: former.twin ?? former.before } : {};
    byEntity.set(key, { ...first, ...earlier, kind, id, origin, sentAs, action, after });
  }
  return [...byEntity.values()];
}

/** Whether a change affects nothing that is derived from an entity: it gives an entity another description. */
export function isOnlyDescription({
  before,
  twin,
  after,
}: Pick<NetChange, 'before' | 'twin' | 'after'>): boolean {
  if (!before || !after || twin) return false;
  return changedProperties(before, after).every((property) => property === 'description');
}
