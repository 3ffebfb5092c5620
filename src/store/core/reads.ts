import type { Answers, Database, Statements } from '../sql/database.ts';
import type { Condition, Statement } from '../sql/statement.ts';
import type { Entity } from './entity.ts';
import type { Kind } from './kind.ts';

/** The newest entry in a history. */
export interface Newest {
  version: number;
  /** Whether it took the entity away. */
  isGone: boolean;
}

/** The end of a history, where the entity went on under another id. */
export interface Rename {
  version: number;
  newID: string;
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
