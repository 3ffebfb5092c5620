import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Collection } from './collection.ts';
import type { Entity } from './columns.ts';
import type { Database, Statements } from './database.ts';
import { revisions } from './tables.ts';

/** The newest entry in a history. */
export interface Newest {
  version: number;
  action: string;
}

/** What a transaction reads: it sees what it has staged, and of each entity one state from first to last. */
export interface Reads {
  /** For each kind that the changes depend on, the newest revision when it was read. */
  readonly seen: Map<string, number>;
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
  newest<E extends Entity>(collection: Collection<E>, id: string): Promise<Newest | undefined>;
  /** An entity as it is, an earlier version of it, and the number of its newest version. */
  findVersion<E extends Entity>(
    collection: Collection<E>,
    id: string,
    version: number,
  ): Promise<{ current: E | undefined; snapshot: E | undefined; newest: number }>;
}

/** What a transaction has staged of a kind: the last step of each entity; no state is left after a removal. */
export type StagedStates = <E extends Entity>(
  collection: Collection<E>,
) => (Newest & { id: string; after: E | undefined })[];

interface Row {
  data: string;
}

const parse = <E>(row: Row | undefined): E | undefined => row && JSON.parse(row.data);

/** The reading side of a transaction. */
export function reads(db: Database, stagedStates: StagedStates): Reads {
  const seen = new Map<string, number>();
  const loaded = new Map<string, Promise<Row | undefined>>();

  const staged = <E extends Entity>(collection: Collection<E>, id: string) =>
    stagedStates(collection).find((state) => state.id === id);

  const dependOn = (kind: string, seq: number) =>
    seen.set(kind, Math.min(seen.get(kind) ?? Number.POSITIVE_INFINITY, seq));

  async function load<E extends Entity>({ table }: Collection<E>, id: string) {
    const [[row]] = await db.read<[Row]>([
      sql`select data from ${table} where ${table.id} = ${id}`,
    ]);
    return row;
  }

  /** The entities that pass, staged ones as staged, and the newest revision at that moment. */
  async function select<E extends Entity>(
    collection: Collection<E>,
    where: SQL,
    fits: (entity: E) => boolean,
  ) {
    const [rows, newest] = await db.read<[Row, { seq: number | null }]>([
      sql`select data from ${collection.table} where ${where} order by id`,
      sql`select max(seq) as seq from ${revisions}`,
    ]);
    const own = stagedStates(collection);
    const ownIDs = new Set(own.map(({ id }) => id));
    const stored = rows.map((row): E => JSON.parse(row.data)).filter(({ id }) => !ownIDs.has(id));
    const changed = own.flatMap(({ after }) => after ?? []).filter(fits);
    return { found: [...stored, ...changed], seq: newest[0]?.seq ?? 0 };
  }

  const historyOf = ({ kind }: { kind: string }, id: string) =>
    and(eq(revisions.kind, kind), eq(revisions.id, id));

  return {
    seen,
    read: (...statements) => db.read(statements),

    async find<E extends Entity>(collection: Collection<E>, id: string) {
      const state = staged(collection, id);
      if (state) return state.after;
      const key = `${collection.kind}:${id}`;
      const row = loaded.get(key) ?? load(collection, id);
      loaded.set(key, row);
      return parse<E>(await row);
    },

    async findAll(collection, where, fits) {
      const { found, seq } = await select(collection, where, fits);
      dependOn(collection.kind, seq);
      return found;
    },

    async findMany(collection, ids) {
      if (ids.length === 0) return [];
      const wanted = new Set(ids);
      const where = sql`id in (select value from json_each(${JSON.stringify(ids)}))`;
      const { found, seq } = await select(collection, where, ({ id }) => wanted.has(id));
      if (found.length < wanted.size) dependOn(collection.kind, seq);
      return found;
    },

    async newest(collection, id) {
      const state = staged(collection, id);
      if (state) return state;
      const [[row]] = await db.read<[Newest]>([
        sql`select version, action from ${revisions}
            where ${historyOf(collection, id)} order by version desc limit 1`,
      ]);
      return row;
    },

    async findVersion<E extends Entity>(collection: Collection<E>, id: string, version: number) {
      const { table } = collection;
      const history = historyOf(collection, id);
      const [rows, versions, newest] = await db.read<[Row, Row, Pick<Newest, 'version'>]>([
        sql`select data from ${table} where ${table.id} = ${id}`,
        sql`select snapshot as data from ${revisions} where ${history} and version = ${version}`,
        sql`select max(version) as version from ${revisions} where ${history}`,
      ]);
      const state = staged(collection, id);
      return {
        current: state ? state.after : parse<E>(rows[0]),
        snapshot: parse<E>(versions[0]),
        newest: state?.version ?? newest[0]?.version ?? 0,
      };
    },
  };
}
