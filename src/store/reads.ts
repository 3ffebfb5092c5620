import { and, eq, getTableColumns, getTableName, inArray, type SQL, sql } from 'drizzle-orm';
import { anchorKey } from '../shared/naming.ts';
import type { Entity } from './columns.ts';
import type { Database } from './database.ts';
import { countOf, type Newest, newestOf, newestOfEach, renameOf, snapshotOf } from './lookups.ts';
import { remembered } from './rows.ts';
import { valuesIn } from './sqlite.ts';
import { compile, query, type Statement } from './statement.ts';
import { nothingStaged, type Staged } from './steps.ts';
import { fromRow } from './stored.ts';
import { revisions } from './tables.ts';
import type { Condition, Kind, Reads } from './terms.ts';

type Filled<Row> = (values: Record<string, unknown>) => Statement<Row>;

const ofOne = remembered<Filled<object>>();
const ofMany = remembered<Filled<object>>();

/** The statement that reads one entity. */
export const rowOf = ({ table }: Pick<Kind<Entity>, 'table'>, id: string) =>
  ofOne(getTableName(table), () =>
    compile(
      query
        .select()
        .from(table)
        .where(eq(table.id, sql.placeholder('id'))),
    ),
  )({ id });

/** The column of what other tables know of an entity. */
export const besideOf = (
  beside: SQL<string | null> | undefined,
): Record<string, SQL.Aliased<string | null>> => (beside ? { beside: beside.as('beside') } : {});

const shownOnes = remembered<Filled<object>>();

/** The statement that reads one entity, with what other tables know of it. */
const shownRowOf = ({ table, beside }: Pick<Kind<Entity>, 'table' | 'beside'>, id: string) =>
  shownOnes(getTableName(table), () =>
    compile(
      query
        .select({ ...getTableColumns(table), ...besideOf(beside) })
        .from(table)
        .where(eq(table.id, sql.placeholder('id'))),
    ),
  )({ id });

const rowsWhere = ({ table }: Pick<Kind<Entity>, 'table'>, { name, where, values }: Condition) =>
  ofMany(`${getTableName(table)} ${name}`, () => compile(query.select().from(table).where(where)))(
    values,
  );

/**
 * Those of some ids that were ever given, which their first revisions tell: a search for an id reads rows on its way
 * whole, however large they are, and there may be thousands that name nothing.
 */
function withIDs(
  { kind, table }: Pick<Kind<Entity>, 'kind' | 'table'>,
  ids: readonly string[],
): Condition {
  const given = query
    .select({ id: revisions.id })
    .from(revisions)
    .where(
      and(
        eq(revisions.kind, sql.placeholder('kind')),
        eq(revisions.version, 1),
        inArray(revisions.id, valuesIn(sql.placeholder('ids'))),
      ),
    );
  return {
    name: 'ids',
    where: inArray(table.id, given),
    values: { kind, ids: JSON.stringify(ids) },
  };
}

/** The reading side of a transaction, or of a request that changes nothing. */
export function reads(db: Database, staged: Staged = nothingStaged): Reads {
  const seen = new Map<string, number>();
  const loaded = new Map<string, Promise<object | undefined>>();

  const dependOn = (kind: string, count: number) =>
    seen.set(kind, Math.min(seen.get(kind) ?? Number.POSITIVE_INFINITY, count));

  /** The entities that pass, staged ones as staged, and how many revisions the kind has at that moment. */
  async function select<E extends Entity>(
    kind: Kind<E>,
    condition: Condition,
    fits: (entity: E) => boolean,
  ) {
    const [rows, [newest]] = await db.read(
      rowsWhere(kind, condition),
      countOf({ kind: kind.kind }),
    );
    const own = staged.states(kind);
    const ownIDs = new Set(own.map(({ id }) => id));
    const stored = rows.map((row) => fromRow(kind, row)).filter(({ id }) => !ownIDs.has(id));
    const changed = own.flatMap(({ after }) => after ?? []).filter(fits);
    return { found: [...stored, ...changed], count: newest?.count ?? 0 };
  }

  return {
    seen,
    overdue: [],
    read: db.read,

    async readFor(kind, statement) {
      const [rows, [newest]] = await db.read(statement, countOf({ kind }));
      dependOn(kind, newest?.count ?? 0);
      return rows;
    },

    async find<E extends Entity>(kind: Kind<E>, id: string) {
      const state = staged.state(kind, id);
      if (state) return state.after;
      const key = anchorKey({ kind: kind.kind, id });
      const row = loaded.get(key) ?? db.read(rowOf(kind, id)).then(([[first]]) => first);
      loaded.set(key, row);
      const found = await row;
      return found && fromRow(kind, found);
    },

    async look(kind, id) {
      const [[row]] = await db.read(shownRowOf(kind, id));
      return row && fromRow(kind, row);
    },

    async findAll(kind, condition, fits) {
      const { found, count } = await select(kind, condition, fits);
      dependOn(kind.kind, count);
      return found;
    },

    async findMany(kind, ids) {
      if (ids.length === 0) return [];
      const wanted = new Set(ids);
      const { found, count } = await select(kind, withIDs(kind, ids), ({ id }) => wanted.has(id));
      if (found.length < wanted.size) dependOn(kind.kind, count);
      return found;
    },

    async newest(kind, id) {
      const state = staged.state(kind, id);
      if (state) return state;
      const [[row]] = await db.read(newestOf({ kind: kind.kind, id }));
      return row && { version: row.version, isGone: row.isGone === 1 };
    },

    async renamed({ kind }, id, since) {
      const [[row]] = await db.read(renameOf({ kind, id, since }));
      const change = row?.changes.find(({ property }) => property === 'id');
      return row && change && { version: row.version, newID: String(change.new) };
    },

    async newestOfEach(kind, ids) {
      const [rows] = await db.read(newestOfEach({ kind: kind.kind, ids: JSON.stringify(ids) }));
      const found = new Map<string, Newest>(
        rows.map(({ id, version, isGone }) => [
          id,
          { version: version ?? 0, isGone: isGone === 1 },
        ]),
      );
      const wanted = new Set(ids);
      for (const { id, version, isGone } of staged.states(kind))
        if (wanted.has(id)) found.set(id, { version, isGone });
      return found;
    },

    async findVersion<E extends Entity>(kind: Kind<E>, id: string, version: number) {
      const named = { kind: kind.kind, id };
      const [[row], [revision], [newest]] = await db.read(
        rowOf(kind, id),
        snapshotOf({ ...named, version }),
        newestOf(named),
      );
      const state = staged.state(kind, id);
      return {
        current: state ? state.after : row && fromRow(kind, row),
        snapshot:
          staged.snapshot(kind, id, version) ?? (revision && fromRow(kind, revision.snapshot)),
        newest: state?.version ?? newest?.version ?? 0,
      };
    },
  };
}
