import type { Stamps } from '../../shared/fields.ts';
import type { ActionName, RowKind } from '../../shared/log_names.ts';
import type { Answered, Database } from '../sql/database.ts';
import type { Statement } from '../sql/statement.ts';
import type { Author } from './author.ts';
import type { Entity } from './entity.ts';
import type { Kind } from './kind.ts';
import type { Reads } from './reads.ts';

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
