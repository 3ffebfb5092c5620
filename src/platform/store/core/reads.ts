import type { Database, ResultRows, Statements } from '../sql/database.ts';
import type { SQLCondition, Statement } from '../sql/statement.ts';
import type { Entity } from './entity.ts';
import type { Kind } from './kind.ts';

export interface Newest {
  version: number;
  isGone: boolean;
}

/** The end of a history whose entity continues under another ID. */
export interface Rename {
  version: number;
  newID: string;
}

/** Applies overdue changes at a time in epoch milliseconds. Returns whether there were any. */
type ApplyOverdue = (db: Database, now: number) => Promise<boolean>;

export interface HistoryReads {
  newest<E extends Entity>(kind: Kind<E>, id: string): Promise<Newest | undefined>;
  /** Leaves out IDs without a history. */
  newestOfEach<E extends Entity>(
    kind: Kind<E>,
    ids: readonly string[],
  ): Promise<Map<string, Newest>>;
  renamed<E extends Entity>(kind: Kind<E>, id: string, since: number): Promise<Rename | undefined>;
  /** Returns the current state, the last state before a removal, a version, and the number of the newest version. */
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

/** The reads of a request. They include its staged changes, and read nothing twice: each entity has one state. */
export interface Reads extends HistoryReads {
  /** Start of the request, in epoch milliseconds. */
  readonly time: number;
  /** The number of revisions of each kind that the changes depend on, when it was read. */
  readonly seen: Map<string, number>;
  /** Overdue changes that the reads found. They are stored first, and the request is computed again. */
  readonly overdue: ApplyOverdue[];
  /** Runs statements in one round trip, which reads that do not wait for each other share. */
  read<Rows extends unknown[]>(...statements: Statements<Rows>): Promise<ResultRows<Rows>>;
  /** Reads rows that a change depends on. If the kind changes before the commit, the request is computed again. */
  readFor<Row>(kind: string, statement: Statement<Row>): Promise<Row[]>;
  find<E extends Entity>(kind: Kind<E>, id: string): Promise<E | undefined>;
  findForResponse<E extends Entity>(kind: Kind<E>, id: string): Promise<E | undefined>;
  /** Finds all entities that `fits` selects; in the database `condition` finds at least these. See `readFor`. */
  findAll<E extends Entity>(
    kind: Kind<E>,
    condition: SQLCondition,
    fits: (entity: E) => boolean,
  ): Promise<E[]>;
  /** Finds the existing ones of some IDs. If one is missing, see `readFor`. */
  findMany<E extends Entity>(kind: Kind<E>, ids: readonly string[]): Promise<E[]>;
}
