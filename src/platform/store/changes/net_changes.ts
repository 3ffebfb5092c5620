import { anchorKey } from '../../../base/naming.ts';
import { changedProperties } from '../core/entity.ts';
import type { StagedChange } from '../core/transaction.ts';

/** The combined change of one entity. `renamedFrom` is its state before the request, under an earlier ID. */
export type NetChange = Pick<
  StagedChange,
  'kind' | 'id' | 'origin' | 'bodyPrefixes' | 'action' | 'before' | 'renamedFrom' | 'after'
>;

/** Combines the changes of each entity into one. */
export function netChanges(changes: StagedChange[]): NetChange[] {
  const byEntity = new Map<string, NetChange>();
  for (const { kind, id, origin, bodyPrefixes, action, before, renamedFrom, after } of changes) {
    const keyOf = (id: string) => anchorKey({ kind: kind.kind, id });
    const key = keyOf(id);
    const first = byEntity.get(key) ?? { before };
    const former = renamedFrom && byEntity.get(keyOf(renamedFrom.id));
    const earlier = former ? { renamedFrom: former.renamedFrom ?? former.before } : {};
    byEntity.set(key, { ...first, ...earlier, kind, id, origin, bodyPrefixes, action, after });
  }
  return [...byEntity.values()];
}

/** Whether a change affects no derived rows: only the description differs. */
export function isOnlyDescription({
  before,
  kind,
  renamedFrom,
  after,
}: Pick<NetChange, 'kind' | 'before' | 'renamedFrom' | 'after'>): boolean {
  if (!before || !after || renamedFrom) return false;
  return changedProperties(kind, before, after).every((property) => property === 'description');
}
