import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Actor } from '../env.ts';
import type { Collection } from './collection.ts';
import { changedProperties, type Entity } from './columns.ts';
import type { Database, Statements } from './database.ts';
import { revisions } from './tables.ts';

/** What the store stamps on every entity by itself. */
type Stamp = keyof Entity;

/** A new entity before it is stamped; its creator may be named in place of the caller. */
export type Draft<E extends Entity> = Omit<E, Exclude<Stamp, 'id'>> &
  Partial<Pick<Entity, 'creatorID' | 'creatorEmail'>>;

/** One step of an entity from state to state: a row of its history to be. */
export interface Change {
  collection: Collection<Entity>;
  id: string;
  /** Where in the request it comes from, such as `changes.3.`; empty where the request is one change. */
  origin: string;
  version: number;
  action: string;
  before: Entity | undefined;
  after: Entity | undefined;
}

/** Rows that are no entities, such as events: stored with the changes, and one entry in the audit log. */
export interface Import {
  kind: string;
  statements: SQL[];
  summary: Record<string, unknown>;
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
export interface Transaction {
  readonly author: Author;
  readonly db: Database;
  readonly changes: Change[];
  readonly imports: Import[];
  /** For each kind that the changes depend on, the newest revision when it was read. */
  readonly seen: Map<string, number>;
  /** Whether to check everything and store nothing; a handler sets it where the body asks for it. */
  dryRun: boolean;
  /** Where in the request the next changes come from; see `Change`. */
  origin: string;
  /** Reads by any statements, in one round trip; reads that do not wait for each other share it. */
  read<Rows extends unknown[]>(
    ...statements: Statements<Rows>
  ): Promise<{ [K in keyof Rows]: Rows[K][] }>;
  find<E extends Entity>(collection: Collection<E>, id: string): Promise<E | undefined>;
  /**
   * Finds all entities that a change depends on. Where any of their kind changes before the commit, the request
   * is computed again.
   * @param where picks them in the database, `fits` among those staged in this transaction
   */
  findAll<E extends Entity>(
    collection: Collection<E>,
    where: SQL,
    fits: (entity: E) => boolean,
  ): Promise<E[]>;
  /**
   * Finds those of the ids that exist, in one round trip. Where one does not, and any of the kind changes before the
   * commit, the request is computed again.
   */
  findMany<E extends Entity>(collection: Collection<E>, ids: readonly string[]): Promise<E[]>;
  /** The newest entry in the history of an id, whether the entity still exists or not. */
  newest(kind: string, id: string): Promise<{ version: number; action: string } | undefined>;
  /** An entity as it is, an earlier version of it, and the number of its newest version. */
  findVersion<E extends Entity>(
    collection: Collection<E>,
    id: string,
    version: number,
  ): Promise<{ current: E | undefined; snapshot: E | undefined; newest: number }>;
  /** Stages a new entity, whose history may go on after a removal: `version` is its next version. */
  create<E extends Entity>(collection: Collection<E>, draft: Draft<E>, version: number): E;
  /** Stages a new state; one that equals the old is no change, and makes no version. */
  update<E extends Entity>(collection: Collection<E>, before: E, after: E, action: string): E;
  remove<E extends Entity>(collection: Collection<E>, before: E): E;
  /** Stages an earlier state as the newest; `current` is absent where the entity was removed. */
  restore<E extends Entity>(
    collection: Collection<E>,
    current: E | undefined,
    snapshot: E,
    newest: number,
  ): E;
}

const modifier = ({ actor, time }: Author) => ({
  lastModifierID: actor.id,
  lastModifierName: actor.name,
  lastModifierEmail: actor.email,
  lastModifiedTime: time,
});

const parse = <E>(row: { data: string } | undefined): E | undefined => row && JSON.parse(row.data);

/** Starts an empty transaction. */
export function transaction(db: Database, author: Author): Transaction {
  const changes: Change[] = [];
  const seen = new Map<string, number>();
  const staged = (kind: string, id: string) =>
    changes.findLast((change) => change.collection.kind === kind && change.id === id);
  const stage = <E extends Entity>(
    collection: Collection<E>,
    action: string,
    version: number,
    before: E | undefined,
    after: E | undefined,
    id: string,
  ) => {
    // The one widening: a Collection<Gate> is kept as a Collection<Entity>, beside the gate it belongs to.
    changes.push({
      collection: collection as unknown as Collection<Entity>,
      id,
      origin: self.origin,
      version,
      action,
      before,
      after,
    });
  };

  const dependOn = (kind: string, seq: number) =>
    seen.set(kind, Math.min(seen.get(kind) ?? Number.POSITIVE_INFINITY, seq));
  /** The entities that pass, staged ones as staged, and the newest revision at that moment. */
  const select = async <E extends Entity>(
    { table, kind }: Collection<E>,
    where: SQL,
    fits: (entity: E) => boolean,
  ) => {
    const [rows, newest] = await db.read<[{ data: string }, { seq: number | null }]>([
      sql`select data from ${table} where ${where} order by id`,
      sql`select max(seq) as seq from ${revisions}`,
    ]);
    const own = netChanges(changes).filter((change) => change.collection.kind === kind);
    const ownIDs = new Set(own.map(({ id }) => id));
    const stored = rows.map((row): E => JSON.parse(row.data)).filter(({ id }) => !ownIDs.has(id));
    const stagedHere = own.flatMap(({ after }) => (after ? [after as E] : [])).filter(fits);
    return { found: [...stored, ...stagedHere], seq: newest[0]?.seq ?? 0 };
  };

  const self: Transaction = {
    author,
    db,
    changes,
    imports: [],
    seen,
    dryRun: false,
    origin: '',
    read: (...statements) => db.read(statements),

    async find<E extends Entity>(collection: Collection<E>, id: string) {
      const change = staged(collection.kind, id);
      if (change) return change.after as E | undefined;
      const { table } = collection;
      const [rows] = await db.read<[{ data: string }]>([
        sql`select data from ${table} where ${table.id} = ${id}`,
      ]);
      return parse<E>(rows[0]);
    },

    async findAll<E extends Entity>(
      collection: Collection<E>,
      where: SQL,
      fits: (entity: E) => boolean,
    ) {
      const { found, seq } = await select(collection, where, fits);
      dependOn(collection.kind, seq);
      return found;
    },

    async findMany<E extends Entity>(collection: Collection<E>, ids: readonly string[]) {
      if (ids.length === 0) return [];
      const wanted = new Set(ids);
      const where = sql`id in (select value from json_each(${JSON.stringify(ids)}))`;
      const { found, seq } = await select(collection, where, ({ id }) => wanted.has(id));
      if (found.length < wanted.size) dependOn(collection.kind, seq);
      return found;
    },

    async newest(kind, id) {
      const change = staged(kind, id);
      if (change) return change;
      const [rows] = await db.read<[{ version: number; action: string }]>([
        sql`select version, action from ${revisions}
            where ${revisions.kind} = ${kind} and ${revisions.id} = ${id} order by version desc limit 1`,
      ]);
      return rows[0];
    },

    async findVersion<E extends Entity>(collection: Collection<E>, id: string, version: number) {
      const { table, kind } = collection;
      const history = and(eq(revisions.kind, kind), eq(revisions.id, id));
      const [rows, versions, newest] = await db.read<
        [{ data: string }, { data: string }, { version: number }]
      >([
        sql`select data from ${table} where ${table.id} = ${id}`,
        sql`select snapshot as data from ${revisions} where ${history} and version = ${version}`,
        sql`select max(version) as version from ${revisions} where ${history}`,
      ]);
      const change = staged(kind, id);
      return {
        current: change ? (change.after as E | undefined) : parse<E>(rows[0]),
        snapshot: parse<E>(versions[0]),
        newest: change?.version ?? newest[0]?.version ?? 0,
      };
    },

    create<E extends Entity>(collection: Collection<E>, draft: Draft<E>, version: number) {
      const { actor, time } = author;
      const stamp = { creatorName: actor.name, createdTime: time, ...modifier(author), version };
      const creatorID = draft.creatorID ?? actor.id;
      const creatorEmail = draft.creatorEmail ?? actor.email;
      const entity = { ...draft, creatorID, creatorEmail, ...stamp } as unknown as E;
      stage(collection, 'create', version, undefined, entity, entity.id);
      return entity;
    },

    update(collection, before, after, action) {
      if (changedProperties(before, after).length === 0) return before;
      const version = before.version + 1;
      const next = { ...after, ...modifier(author), version };
      stage(collection, action, version, before, next, before.id);
      return next;
    },

    restore(collection, current, snapshot, newest) {
      if (current && changedProperties(current, snapshot).length === 0) return current;
      const entity = { ...snapshot, ...modifier(author), version: newest + 1 };
      stage(collection, 'restore', newest + 1, current, entity, snapshot.id);
      return entity;
    },

    remove(collection, before) {
      stage(collection, 'delete', before.version + 1, before, undefined, before.id);
      return before;
    },
  };
  return self;
}

/** What all changes of one entity come to: its state before the first and after the last. */
export interface NetChange {
  collection: Collection<Entity>;
  id: string;
  origin: string;
  before: Entity | undefined;
  after: Entity | undefined;
}

/** Folds the changes of each entity into one. */
export function netChanges(changes: Change[]): NetChange[] {
  const byEntity = new Map<string, NetChange>();
  for (const { collection, id, origin, before, after } of changes) {
    const key = `${collection.kind}:${id}`;
    const first = byEntity.get(key) ?? { before };
    byEntity.set(key, { collection, id, origin, before: first.before, after });
  }
  return [...byEntity.values()];
}
