import type { SQL } from 'drizzle-orm';
import type { Stamps } from '../../shared/fields.ts';
import type { ActionName, RowKind } from '../../shared/log_names.ts';
import type { Anchor, Reference } from '../../shared/naming.ts';
import type { Newest, Rename } from '../history/queries.ts';
import type { TableOf } from '../sql/columns.ts';
import type { Answered, Answers, Database, Statements } from '../sql/database.ts';
import type { Condition, Statement } from '../sql/statement.ts';
import type { Author } from './author.ts';
import type { Entity } from './entity.ts';

// The terms of the store, which speak of each other: a kind of entity, what a request reads, what it means to change.

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
  /** A new state with what follows from others for it, before it is staged. */
  completed(tx: Transaction, before: E | undefined, wanted: E): Promise<E>;
  /** The properties by which a change asks for something that is stored, and that nothing enforces yet. */
  unenforced(before: E | undefined, after: E): string[];
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

/** Stores what is due at a time, in epoch milliseconds, as changes of its own; answers whether there was any. */
type Settlement = (db: Database, now: number) => Promise<boolean>;

/** What history tells a request. */
export interface Past {
  /** The newest entry in the history of an id, whether the entity still exists or not. */
  newest<E extends Entity>(kind: Kind<E>, id: string): Promise<Newest | undefined>;
  /** The same for each of some ids; those without a history are left out. */
  newestOfEach<E extends Entity>(
    kind: Kind<E>,
    ids: readonly string[],
  ): Promise<Map<string, Newest>>;
  /** The last rename that took an id away after a version. */
  renamed<E extends Entity>(kind: Kind<E>, id: string, since: number): Promise<Rename | undefined>;
  /** An entity as it is, or as it was last, an earlier version of it, and the number of its newest version. */
  findVersion<E extends Entity>(
    kind: Kind<E>,
    id: string,
    version: number,
  ): Promise<{
    current: E | undefined;
    last: E | undefined;
    snapshot: E | undefined;
    newest: number;
  }>;
}

/** What a request reads: it sees what it has staged itself. A transaction asks nothing twice: each entity is in one state. */
export interface Reads extends Past {
  /** When it began, in epoch milliseconds. */
  readonly time: number;
  /** For each kind that the changes depend on, how many revisions it had when it was read. */
  readonly seen: Map<string, number>;
  /** What the reads found to be due: it is stored before anything else, and the request is computed again. */
  readonly overdue: Settlement[];
  /** Reads by any statements, in one round trip; reads that do not wait for each other share it. */
  read<Rows extends unknown[]>(...statements: Statements<Rows>): Promise<Answers<Rows>>;
  /**
   * Reads what a change depends on, in one round trip. Where anything of the kind changes before the commit, the request
   * is computed again.
   */
  readFor<Row>(kind: string, statement: Statement<Row>): Promise<Row[]>;
  /** Finds one; nothing where there is none. */
  find<E extends Entity>(kind: Kind<E>, id: string): Promise<E | undefined>;
  /** Finds one to be shown, with what other tables know of it. */
  look<E extends Entity>(kind: Kind<E>, id: string): Promise<E | undefined>;
  /**
   * Finds all entities that a change depends on. Where any of their kind changes before the commit, the request
   * is computed again.
   * @param condition picks them in the database, or more; `fits` says which of these, and of those staged, they are
   */
  findAll<E extends Entity>(
    kind: Kind<E>,
    condition: Condition,
    fits: (entity: E) => boolean,
  ): Promise<E[]>;
  /**
   * Finds those of the ids that exist, in one round trip. Where one does not, and any of the kind changes before the
   * commit, the request is computed again.
   */
  findMany<E extends Entity>(kind: Kind<E>, ids: readonly string[]): Promise<E[]>;
}

/** A new entity before it is stamped; its creator may be named in place of the caller. */
export type Draft<E extends Entity> = Omit<E, keyof Stamps> &
  Partial<Pick<Stamps, 'creatorID' | 'creatorEmail'>>;

/** One step of an entity from state to state: a row of its history to be. */
export interface Change {
  kind: Kind<Entity>;
  id: string;
  /** Where in the request it comes from, such as `changes.3.`; empty where the request is one change. */
  origin: string;
  /** What properties of the entity begin with, such as `rules.2.`, and what the body has in its place. */
  sentAs: ReadonlyMap<string, string>;
  version: number;
  action: ActionName;
  before: Entity | undefined;
  after: Entity | undefined;
  /** In a rename, the entity under its other id: as it was, or as it goes on. */
  twin?: Entity;
  /** Whether its history comes along with it, and so needs no row. */
  isRecorded?: boolean;
}

/** Rows that are no entities, such as events: stored with the changes, and one entry in the audit log. */
interface Import {
  kind: RowKind;
  /** What the audit log calls it; `import` where absent. */
  action?: ActionName;
  statements: Statement[];
  summary: Record<string, unknown>;
}

/**
 * What a request reads, and what it means to change. Nothing is stored before `commit`; reads see what was
 * staged before them.
 */
export interface Transaction extends Reads {
  readonly author: Author;
  readonly db: Database;
  /** What it has read: nothing is asked twice. */
  readonly answered: Answered;
  readonly changes: Change[];
  readonly imports: Import[];
  /** History that comes from elsewhere, stored before the changes are recorded: times never fall. */
  readonly histories: Statement[];
  /** What this isolate has to do once the changes are stored. */
  readonly afterwards: (() => void)[];
  /** Whether to check everything and store nothing; a handler sets it where the body asks for it. */
  dryRun: boolean;
  /** Where in the request the next changes come from; see `Change`. */
  origin: string;
  /** What the body of the next changes calls properties; see `Change`. */
  sentAs: ReadonlyMap<string, string>;
  /** Stages a new entity, whose history may go on after a removal: `version` is its next version. */
  create<E extends Entity>(kind: Kind<E>, draft: Draft<E>, version: number): E;
  /** Stages an entity that comes from elsewhere, with the stamps that it has; its history may come along. */
  bring(kind: Kind<Entity>, entity: Entity, isRecorded: boolean): void;
  /** Stages a new state; one that equals the old is no change, and makes no version. */
  update<E extends Entity>(kind: Kind<E>, before: E, after: E, action: ActionName): E;
  remove<E extends Entity>(kind: Kind<E>, before: E): void;
  /** Stages the end of an entity, and its going on under the id of `after`; `version` is the next one there. */
  rename<E extends Entity>(kind: Kind<E>, before: E, after: E, version: number): E;
  /** Stages an earlier state as the newest; `current` is absent where the entity was removed. */
  restore<E extends Entity>(kind: Kind<E>, current: E | undefined, snapshot: E, newest: number): E;
}
