import type { SQL } from 'drizzle-orm';
import type { Anchor, Reference } from '../../../base/naming.ts';
import type { TableOf } from '../sql/columns.ts';
import type { Entity } from './entity.ts';
import type { Model } from './model.ts';

/** Its functions depend on their arguments only. */
export interface Kind<E extends Entity> {
  /** The singular name in history, references and the audit log, such as `gate`. */
  kind: string;
  title: string;
  isAdministrative: boolean;
  table: TableOf<E>;
  /** Properties that change with others and are not compared, like `version`. */
  stamped: readonly string[];
  list: Listing<E>;
  refs: References<E>;
  /** Returns the entity for history, with a placeholder for each secret. */
  redact(entity: E): E;
  /** Computes the ID from other properties, so that changing those is a rename. If missing, IDs are fixed. */
  idOf?(entity: E): string;
  /** Returns the state to restore. Other entities' properties stay as in `current`; `last` precedes a removal. */
  normalizeRestored(snapshot: E, current: E | undefined, last: E | undefined): E;
  /** Merges equal entries of overrides. @throws Problem 400 if entries contradict each other */
  mergeOverrides(entity: E): E;
  unenforced(before: E | undefined, after: E): string[];
  model: Model;
}

export interface Listing<E extends Entity> {
  hidden?: Hidden;
  /** Placeholders that lists return for properties too large to be read for every row. */
  omitted: Partial<E>;
  /** SQL for JSON from other tables, which reads and lists return as the property `extraColumn`. */
  extraColumn?: SQL<string | null>;
  /** Multi-valued properties by which lists filter, such as tags and target apps. */
  labels(entity: E): Record<string, readonly string[]>;
  /** Properties with a kept total for each value. Properties in one group are counted by combination. */
  totals: readonly (readonly string[])[];
}

export interface References<E extends Entity> {
  outgoing(entity: E): Reference[];
  /** Whether other entities may refer to it. Archived entities accept no new references. */
  referable(entity: E): boolean;
  parts(entity: E): Anchor[];
  /** Tables whose entities share one ID space with this kind; its own may be among them. */
  idsSharedWith: readonly string[];
}

interface Hidden {
  column: string;
  value: string;
  /** Must equal the condition of the partial indexes as text: SQLite uses an index only if the text matches. */
  visible: string;
  /** A column that has values only in hidden rows, so that a filter by it needs no filter by `column`. */
  onlyHidden: string;
}
