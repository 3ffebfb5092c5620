import type { Stamps } from '../../shared/fields.ts';
import type { ActionName, RowKind } from '../../shared/log_names.ts';
import type { Database, ReadCache } from '../sql/database.ts';
import type { Statement } from '../sql/statement.ts';
import type { Author } from './author.ts';
import type { Entity } from './entity.ts';
import type { Kind } from './kind.ts';
import type { Reads } from './reads.ts';

/** A new entity without stamps. It may name its creator instead of the caller. */
export type Draft<E extends Entity> = Omit<E, keyof Stamps> &
  Partial<Pick<Stamps, 'creatorID' | 'creatorEmail'>>;

export interface Change {
  kind: Kind<Entity>;
  id: string;
  /** The place in the request, such as `changes.3.`; empty if the request is one change. */
  origin: string;
  /** Prefixes of properties, such as `rules.2.`, mapped to their names in the request body. */
  sentAs: ReadonlyMap<string, string>;
  version: number;
  action: ActionName;
  before: Entity | undefined;
  after: Entity | undefined;
  /** In the last step under the old ID of a rename, the entity under its new ID. */
  renamedTo?: Entity;
  /** In the first step under the new ID of a rename, the entity under its old ID. */
  renamedFrom?: Entity;
  /** Whether its history is imported with it, so that no revision is added. */
  isRecorded?: boolean;
}

/** Rows that are not entities, such as events: stored with the changes, with one entry in the audit log. */
interface Import {
  kind: RowKind;
  action?: ActionName;
  statements: Statement[];
  summary: Record<string, unknown>;
}

/** The reads and staged changes of a request. `commit` stores the changes. */
export interface Transaction extends Reads {
  readonly author: Author;
  readonly db: Database;
  readonly readCache: ReadCache;
  readonly changes: Change[];
  readonly imports: Import[];
  /** Imported history, stored before the own revisions: times never decrease. */
  readonly histories: Statement[];
  readonly following: Statement[];
  readonly afterwards: (() => void)[];
  dryRun: boolean;
  origin: string;
  sentAs: ReadonlyMap<string, string>;
  /** Stages a new entity. After a removal its history continues at `version`. */
  create<E extends Entity>(kind: Kind<E>, draft: Draft<E>, version: number): E;
  importEntity(kind: Kind<Entity>, entity: Entity, isRecorded: boolean): void;
  /** Stages a new state. A state equal to the old one creates no version. */
  update<E extends Entity>(kind: Kind<E>, before: E, after: E, action: ActionName): E;
  remove<E extends Entity>(kind: Kind<E>, before: E): void;
  /** Stages the end of an entity and its continuation under the ID of `after`, at `version`. */
  rename<E extends Entity>(kind: Kind<E>, before: E, after: E, version: number): E;
  /** Stages an earlier state as the newest. `current` is undefined if the entity was removed. */
  restore<E extends Entity>(kind: Kind<E>, current: E | undefined, snapshot: E, newest: number): E;
}
