import { anchorKey } from '../shared/naming.ts';
import type { Change } from './terms.ts';

/** What all changes of one entity come to: its state before the first, or before it had this id, and after the last. */
export type NetChange = Pick<
  Change,
  'kind' | 'id' | 'origin' | 'sentAs' | 'action' | 'before' | 'twin' | 'after'
>;

/** Folds the changes of each entity into one. */
export function netChanges(changes: Change[]): NetChange[] {
  const byEntity = new Map<string, NetChange>();
  for (const { kind, id, origin, sentAs, action, before, twin, after } of changes) {
    const keyOf = (id: string) => anchorKey({ kind: kind.kind, id });
    const key = keyOf(id);
    const former = twin && byEntity.get(keyOf(twin.id));
    const first = byEntity.get(key) ?? { before, twin: former?.before ?? former?.twin };
    byEntity.set(key, { ...first, kind, id, origin, sentAs, action, after });
  }
  return [...byEntity.values()];
}
