import type { SQL } from 'drizzle-orm';
import type { Anchor, Reference } from '../../shared/naming.ts';
import type { TableOf } from '../sql/columns.ts';
import type { Entity } from './entity.ts';
import type { Model } from './model.ts';

/** One kind of entity, as data: its functions depend on their arguments only. */
export interface Kind<E extends Entity> {
  /** The singular name in history, references and the audit log, such as `gate`. */
  kind: string;
  /** The name in messages, such as `Gate`. */
  title: string;
  /** Whether only keys with the scope `admin` may see it. */
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
  /**
   * Returns the state to restore from an earlier version. Properties that other entities own stay as in `current`;
   * `last` is the state before a removal.
   */
  normalizeRestored(snapshot: E, current: E | undefined, last: E | undefined): E;
  /**
   * Merges equal entries of overrides, for example after a rename.
   * @throws Problem 400 if entries contradict each other
   */
  mergeOverrides(entity: E): E;
  /** Returns the changed properties that are stored but not enforced yet. */
  unenforced(before: E | undefined, after: E): string[];
  model: Model;
}

/** How lists return, filter and count the entities. */
export interface Listing<E extends Entity> {
  /** The entities that lists leave out by default. */
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

/** How the entities and others refer to each other. */
export interface References<E extends Entity> {
  /** Returns every entity that this one refers to, with the referring property. */
  outgoing(entity: E): Reference[];
  /** Whether other entities may refer to it. Archived entities accept no new references. */
  referable(entity: E): boolean;
  /** Returns the named parts that other entities may refer to. */
  parts(entity: E): Anchor[];
  /** Tables whose entities share one ID space with this kind; its own may be among them. */
  idsSharedWith: readonly string[];
}

/** Entities with a certain value in a column, which lists leave out. */
interface Hidden {
  column: string;
  value: string;
  /**
   * The SQL condition of visible rows, written exactly like the condition of the partial indexes: SQLite uses these
   * only if the text matches.
   */
  visible: string;
  /** A column that has values only in hidden rows, so that a filter by it needs no filter by `column`. */
  onlyHidden: string;
}
