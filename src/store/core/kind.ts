import type { SQL } from 'drizzle-orm';
import type { Anchor, Reference } from '../../shared/naming.ts';
import type { TableOf } from '../sql/columns.ts';
import type { Entity } from './entity.ts';
import type { Transaction } from './transaction.ts';

/** One kind of entity, as data: where it is stored, what it refers to, what can be referred to, what lists ask of it. */
export interface Kind<E extends Entity> {
  /** In singular: `gate`. Names the kind in history, references and the audit log. */
  kind: string;
  /** How messages call it: `Gate`. */
  title: string;
  table: TableOf<E>;
  /** Whether only a key with the scope admin may know of it. */
  isAdministrative: boolean;
  /** What lists answer in place of properties that are too large to be read for each of a page. */
  unlisted: Partial<E>;
  /** As SQL, what reads and lists show that other tables know of it: JSON, which comes as the property `beside`. */
  beside?: SQL<string | null>;
  /** What lists leave out unless asked for all. Absent: nothing. */
  hides?: Hides;
  /** Its values of which it has any number, by which lists filter: tags, target apps. */
  labels(entity: E): Record<string, readonly string[]>;
  /** The properties by whose values a total is kept; those of one group, of few combinations, are counted together. */
  totals: readonly (readonly string[])[];
  /** Every other entity that this one names, with the property that names it. */
  references(entity: E): Reference[];
  /** Whether others may refer to it; an entity that is archived is not open to new references. */
  isReferable(entity: E): boolean;
  /** Named parts of it that others may refer to. */
  parts(entity: E): Anchor[];
  /** The entity as history shows it, with a placeholder for each secret. */
  concealed(entity: E): E;
  /** The tables of kinds among which an id is given once; its own may be among them. */
  sharesIDsWith: readonly string[];
  /** The id that follows from its other properties: a change of these is a rename. Absent: ids stay. */
  idOf?(entity: E): string;
  /** Its properties that other entities decide, such as its holdouts, as it comes into being, or back. */
  standing(tx: Transaction, id: string): Promise<Partial<E>>;
  /**
   * What an earlier version becomes when it is restored; properties that other entities own stay as they are. `last` is
   * what it was before it was removed.
   */
  restored(snapshot: E, current: E | undefined, last: E | undefined): E;
  /**
   * What a body with its overrides makes of it: entries that are one are joined, such as by a name that became another.
   * @throws Problem 400 where they contradict each other
   */
  joined(entity: E): E;
  /** The properties by which a change asks for something that is stored, and that nothing enforces yet. */
  unenforced(before: E | undefined, after: E): string[];
  /** A new state with what follows from others for it, before it is staged. */
  completed(tx: Transaction, before: E | undefined, wanted: E): Promise<E>;
  /** Checks a change against other entities, or stages what must change along with it; `after` is absent on removal. */
  entails(tx: Transaction, before: E | undefined, after: E | undefined): Promise<void>;
}

/** Which entities lists leave out: those that have a value in a column. */
interface Hides {
  column: string;
  value: string;
  /** As SQL, which they show, just as the partial indexes say it: SQLite takes these for no query that does not. */
  visible: string;
  /** A column in which those alone have a value that are left out: by that, they are found without `column`. */
  only: string;
}
