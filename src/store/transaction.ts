import { changedProperties, type Entity } from './columns.ts';
import type { Database } from './database.ts';
import type { Kind } from './kind.ts';
import { type Reads, reads } from './reads.ts';
import type { Statement } from './statement.ts';

/** What the store stamps on every entity by itself. */
type Stamp = keyof Entity;

/** A new entity before it is stamped; its creator may be named in place of the caller. */
export type Draft<E extends Entity> = Omit<E, Exclude<Stamp, 'id'>> &
  Partial<Pick<Entity, 'creatorID' | 'creatorEmail'>>;

/** One step of an entity from state to state: a row of its history to be. */
export interface Change {
  kind: Kind<Entity>;
  id: string;
  /** Where in the request it comes from, such as `changes.3.`; empty where the request is one change. */
  origin: string;
  version: number;
  action: string;
  before: Entity | undefined;
  after: Entity | undefined;
  /** In a rename, the entity under its other id: as it was, or as it goes on. */
  twin?: Entity;
}

/** Rows that are no entities, such as events: stored with the changes, and one entry in the audit log. */
export interface Import {
  kind: string;
  /** What the audit log calls it; `import` where absent. */
  action?: string;
  statements: Statement[];
  summary: Record<string, unknown>;
}

/** Who acts on the store. */
interface Actor {
  id: string;
  name: string;
  email: string | null;
  scopes: readonly string[];
}

/** Who changes something, when, and in which request. */
export interface Author {
  actor: Actor;
  /** Epoch milliseconds; one for all changes of a request. */
  time: number;
  requestID: string;
}

/**
 * What a request reads, and what it means to change. Nothing is stored before `commit`; reads see what was
 * staged before them.
 */
export interface Transaction extends Reads {
  readonly author: Author;
  readonly db: Database;
  readonly changes: Change[];
  readonly imports: Import[];
  /** What this isolate has to do once the changes are stored. */
  readonly afterwards: (() => void)[];
  /** Whether to check everything and store nothing; a handler sets it where the body asks for it. */
  dryRun: boolean;
  /** Where in the request the next changes come from; see `Change`. */
  origin: string;
  /** Stages a new entity, whose history may go on after a removal: `version` is its next version. */
  create<E extends Entity>(kind: Kind<E>, draft: Draft<E>, version: number): E;
  /** Stages a new state; one that equals the old is no change, and makes no version. */
  update<E extends Entity>(kind: Kind<E>, before: E, after: E, action: string): E;
  remove<E extends Entity>(kind: Kind<E>, before: E): E;
  /** Stages the end of an entity, and its going on under the id of `after`; `version` is the next one there. */
  rename<E extends Entity>(kind: Kind<E>, before: E, after: E, version: number): E;
  /** Stages an earlier state as the newest; `current` is absent where the entity was removed. */
  restore<E extends Entity>(kind: Kind<E>, current: E | undefined, snapshot: E, newest: number): E;
}

const modifier = ({ actor, time }: Author) => ({
  lastModifierID: actor.id,
  lastModifierName: actor.name,
  lastModifierEmail: actor.email,
  lastModifiedTime: time,
});

/** Starts an empty transaction. */
export function transaction(db: Database, author: Author): Transaction {
  const changes: Change[] = [];
  const stage = <E extends Entity>(
    kind: Kind<E>,
    action: string,
    version: number,
    before: E | undefined,
    after: E | undefined,
    id: string,
    twin?: E,
  ) => {
    const step = { kind, id, origin: self.origin, version, action, before, after };
    changes.push({ ...step, ...(twin && { twin }) });
  };

  const stepsOf = ({ kind }: Pick<Kind<Entity>, 'kind'>) =>
    changes.filter((change) => change.kind.kind === kind);

  const states = <E extends Entity>(kind: Kind<E>) => {
    const last = new Map(stepsOf(kind).map((change) => [change.id, change]));
    return [...last.values()].map((change) => ({
      ...change,
      isGone: change.after === undefined,
      after: change.after as E | undefined,
    }));
  };

  const snapshot = <E extends Entity>(kind: Kind<E>, id: string, version: number) => {
    const isWanted = (change: Change) => change.id === id && change.version === version;
    const step = stepsOf(kind).find(isWanted);
    return (step?.after ?? step?.before) as E | undefined;
  };

  const self: Transaction = {
    ...reads(db, { states, snapshot }),
    author,
    db,
    changes,
    imports: [],
    afterwards: [],
    dryRun: false,
    origin: '',

    create<E extends Entity>(kind: Kind<E>, draft: Draft<E>, version: number) {
      const { actor, time } = author;
      const stamp = { creatorName: actor.name, createdTime: time, ...modifier(author), version };
      const creatorID = draft.creatorID ?? actor.id;
      const creatorEmail = draft.creatorEmail ?? actor.email;
      const entity = { ...draft, creatorID, creatorEmail, ...stamp } as unknown as E;
      stage(kind, 'create', version, undefined, entity, entity.id);
      return entity;
    },

    update(kind, before, after, action) {
      if (changedProperties(before, after).length === 0) return before;
      const version = before.version + 1;
      const next = { ...after, ...modifier(author), version };
      stage(kind, action, version, before, next, before.id);
      return next;
    },

    restore(kind, current, snapshot, newest) {
      if (current && changedProperties(current, snapshot).length === 0) return current;
      const entity = { ...snapshot, ...modifier(author), version: newest + 1 };
      stage(kind, 'restore', newest + 1, current, entity, snapshot.id);
      return entity;
    },

    remove(kind, before) {
      stage(kind, 'delete', before.version + 1, before, undefined, before.id);
      return before;
    },

    rename(kind, before, after, version) {
      const next = { ...after, ...modifier(author), version };
      stage(kind, 'rename', before.version + 1, before, undefined, before.id, next);
      stage(kind, 'rename', version, undefined, next, next.id, before);
      return next;
    },
  };
  return self;
}

/** What all changes of one entity come to: its state before the first and after the last. */
export type NetChange = Pick<Change, 'kind' | 'id' | 'origin' | 'before' | 'after'>;

/** Folds the changes of each entity into one. */
export function netChanges(changes: Change[]): NetChange[] {
  const byEntity = new Map<string, NetChange>();
  for (const { kind, id, origin, before, after } of changes) {
    const key = `${kind.kind}:${id}`;
    const first = byEntity.get(key) ?? { before };
    byEntity.set(key, { kind, id, origin, before: first.before, after });
  }
  return [...byEntity.values()];
}
