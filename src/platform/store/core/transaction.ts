import type { Stamps } from '../../../base/fields.ts';
import type { ActionName, RowKind } from '../../../base/log_names.ts';
import type { Database, ReadCache } from '../sql/database.ts';
import type { Statement } from '../sql/statement.ts';
import type { Author } from './author.ts';
import type { Entity } from './entity.ts';
import type { Kind } from './kind.ts';
import type { Reads } from './reads.ts';

/** A new entity without stamps. `creatorID` and `creatorEmail` default to the caller's. */
export type Draft<E extends Entity> = Omit<E, keyof Stamps> &
  Partial<Pick<Stamps, 'creatorID' | 'creatorEmail'>>;

export interface StagedChange {
  kind: Kind<Entity>;
  id: string;
  /** The place in the request, such as `changes.3.`; empty if the request is one change. */
  origin: string;
  /** Maps prefixes of stored properties, such as `rules.2.`, to their prefixes in the request body. */
  bodyPrefixes: ReadonlyMap<string, string>;
  version: number;
  action: ActionName;
  before: Entity | undefined;
  after: Entity | undefined;
  /** In the last change under the old ID of a rename, the entity under its new ID. */
  renamedTo?: Entity;
  /** In the first change under the new ID of a rename, the entity under its old ID. */
  renamedFrom?: Entity;
  /** Whether its history is imported with it, so that no revision is added. */
  isRecorded?: boolean;
}

/** Rows that are not entities, such as events, stored with the changes. Each adds one entry to the audit log. */
interface LoggedRows {
  kind: RowKind;
  action?: ActionName;
  statements: Statement[];
  /** Keys of rows that no later change of the request may insert again. */
  keys?: readonly string[];
  summary: Record<string, unknown>;
}

/** The reads and staged changes of a request. `commit` stores the changes. */
export interface Transaction extends Reads {
  readonly author: Author;
  readonly db: Database;
  readonly readCache: ReadCache;
  readonly changes: StagedChange[];
  readonly loggedRows: LoggedRows[];
  /** Imported revisions, stored before the request's own, so that times in the history never decrease. */
  readonly histories: Statement[];
  /** Stored at the end of the batch. */
  readonly lastStatements: Statement[];
  /** Run once the batch is stored; not in a dry run. */
  readonly afterCommit: (() => void)[];
  dryRun: boolean;
  /** `origin` and `bodyPrefixes` of the changes that are staged next. */
  origin: string;
  bodyPrefixes: ReadonlyMap<string, string>;
  /** Stages a new entity at `version`: 1, or the next one after a removal. */
  create<E extends Entity>(kind: Kind<E>, draft: Draft<E>, version: number): E;
  importEntity(kind: Kind<Entity>, entity: Entity, isRecorded: boolean): void;
  /** Stages a new state. A state equal to the old one creates no version. */
  update<E extends Entity>(kind: Kind<E>, before: E, after: E, action: ActionName): E;
  remove<E extends Entity>(kind: Kind<E>, before: E): void;
  /** Stages the end of an entity and its continuation under the ID of `after`, at `version`. */
  rename<E extends Entity>(kind: Kind<E>, before: E, after: E, version: number): E;
  /** Stages an earlier state as the newest, unless it is equal. `current` is undefined if the entity was removed. */
  restore<E extends Entity>(
    kind: Kind<E>,
    current: E | undefined,
    snapshot: E,
    newestVersion: number,
  ): E;
}
