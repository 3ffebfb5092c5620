import type { Entity, TableOf } from './columns.ts';
import type { NameKind } from './names.ts';
import type { Anchor, Reference } from './naming.ts';
import type { Transaction } from './transaction.ts';

/** One kind of entity, as data: where it is stored, what it refers to, what can be referred to, what lists ask of it. */
export interface Kind<E extends Entity> {
  /** In singular: `gate`. Names the kind in history, references and the audit log. */
  kind: string;
  /** How messages call it: `Gate`. */
  title: string;
  table: TableOf<E>;
  /** What lists answer in place of properties that are too large to be read for each of a page. */
  unlisted: Partial<E>;
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
  /** The id that follows from its other properties: a change of these is a rename. Absent: ids stay. */
  idOf?(entity: E): string;
  /** What others say of one that comes into being, or back, in this request. */
  standing(tx: Transaction, id: string): Promise<Partial<E>>;
  /** What an earlier version becomes when it is restored; properties that other entities own stay as they are. */
  restored(snapshot: E, current: E | undefined): E;
  /** Checks a change against other entities, or stages what must change with it; `after` is absent on removal. */
  entails(tx: Transaction, before: E | undefined, after: E | undefined): Promise<void>;
}

/** Which entities lists leave out: those that have a value in a column. */
export interface Hides {
  column: string;
  value: string;
  /** As SQL, which they show; only these are in the indexes, but for that of the column. */
  visible: string;
}

/** Whether lists leave an entity out unless asked for all. */
export function isHidden({ hides }: Kind<Entity>, entity: Entity): boolean {
  return hides !== undefined && Object(entity)[hides.column] === hides.value;
}

/** A kind whose entities are names that others say, of one sort of names. */
export const nameKind = <E extends Entity, Sort extends NameKind>(
  described: Described<E> & { kind: Sort },
) => ({ ...kind<E>(described), kind: described.kind });

/** What must be said of a kind; the rest has a usual answer. */
type Described<E extends Entity> = Pick<Kind<E>, 'kind' | 'title' | 'table'> &
  Partial<Kind<E>> & { totals?: readonly (readonly (keyof E & string)[])[] };

/** Describes a kind of entity; what it needs not say is filled in. */
export function kind<E extends Entity>({ totals = [[]], ...described }: Described<E>): Kind<E> {
  return {
    unlisted: {},
    labels: () => ({}),
    references: () => [],
    isReferable: () => true,
    parts: () => [],
    concealed: (entity) => entity,
    standing: async () => ({}),
    restored: (snapshot) => snapshot,
    entails: async () => {},
    ...described,
    totals: [...totals, ['creatorID', 'creatorName']],
  };
}
