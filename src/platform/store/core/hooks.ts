import type { Entity } from './entity.ts';
import type { Kind } from './kind.ts';
import type { Transaction } from './transaction.ts';

export interface HookedKind<E extends Entity> extends Kind<E> {
  /** Returns the properties that other entities own, such as holdouts, for an entity that is created or restored. */
  initialProperties(tx: Transaction, id: string): Promise<Partial<E>>;
  normalize(tx: Transaction, before: E | undefined, wanted: E): Promise<E>;
  /** Checks a change against other entities, and stages dependent changes. `after` is undefined for a removal. */
  validate(tx: Transaction, before: E | undefined, after: E | undefined): Promise<void>;
}
