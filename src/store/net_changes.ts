import { anchorKey } from '../shared/naming.ts';
import type { Change } from './terms.ts';

/** What all changes of one entity come to: its state before the first, or under its other id, and after the last. */
export type NetChange = Pick<
  Change,
  'kind' | 'id' | 'origin' | 'sentAs' | 'action' | 'before' | 'twin' | 'after'
>;

/** Folds the changes of each entity into one. */
export function netChanges(changes: Change[]): NetChange[] {
  const byEntity = new Map<string, NetChange>();
  for (const { kind, id, origin, sentAs, action, before, twin, after } of changes) {
    const key = anchorKey({ kind: kind.kind, id });
    const first = byEntity.get(key) ?? { before, twin };
    byEntity.set(key, { ...first, kind, id, origin, sentAs, action, after });
  }
  return [...byEntity.values()];
}
