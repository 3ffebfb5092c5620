import { count, eq, getTableColumns, or, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Anchor } from '../shared/naming.ts';
import type { Entity } from './columns.ts';
import { type NameKind, namesIn, opaque, places } from './names.ts';
import { type Order, type Page, type PageRequest, pageOf, reading } from './pages.ts';
import { contains, field } from './sqlite.ts';
import { compile, query } from './statement.ts';
import { fromRow } from './stored.ts';
import { totals } from './tables.ts';
import type { Condition, Kind, Reads } from './terms.ts';

/** A kind whose entities are names that others say: the id of each is the name. */
export type Names<E extends Entity> = Kind<E> & { kind: NameKind };

/** A name that entities may say. */
export type SaidName = Anchor & { kind: NameKind };

/** A name, how many entities say it, and what is registered of it. */
export interface UsedName<E extends Entity> {
  name: string;
  uses: number;
  entity: E | undefined;
}

/** Where totals count by a name, and where beside it stands what is counted for itself as well. */
interface Facet {
  kind: string;
  facet: string;
  /** Of the name among the properties that are counted together. */
  place: number;
  /** Of another name of the same entity; none where below 0. */
  unless: number;
}

/** The facets of one group of properties: one that is counted alone is left to that. */
function facetsIn(
  kind: string,
  group: readonly string[],
  names: readonly string[],
  alone: Set<string>,
): Facet[] {
  const unless = group.length > 1 ? group.findIndex((property) => alone.has(property)) : -1;
  return group.flatMap((property, place) =>
    names.includes(property) && place !== unless
      ? [{ kind, facet: group.join(), place, unless }]
      : [],
  );
}

/** The totals that count by properties which say names. */
function facetsOf({ kind: sort }: { kind: NameKind }, kinds: readonly Kind<Entity>[]): Facet[] {
  const names: readonly string[] = places[sort].properties;
  return kinds.flatMap(({ kind, totals: groups }) => {
    const single = groups.filter(({ length }) => length === 1).flat();
    const alone = new Set(single.filter((property) => names.includes(property)));
    const labels = ['tags', 'targetApps'].map((label) => [label]);
    return [...groups, ...labels].flatMap((group) => facetsIn(kind, group, names, alone));
  });
}

const facets = sql.placeholder('facets');

/** One of the values of a total, by its place. */
const valueAt = (place: string) => sql.raw(`iif(${place} = 0, a, iif(${place} = 1, b, c))`);

/** How many entities say each name, off the totals; Drizzle joins tables only, and not in a given order. */
const used = sql`select name, sum(count) as uses from (
    select distinct kind, ${totals.facet}, a, b, c, count, ${valueAt('place')} as name
    from (select value->>'kind' as ofKind, value->>'facet' as ofFacet, value->>'place' as place,
      value->>'unless' as other from json_each(${facets}))
    cross join ${totals} on kind = ofKind and ${totals.facet} = ofFacet
    where other < 0 or ${valueAt('place')} <> ${valueAt('other')})
  where name <> '' group by name having uses > 0`;

/** The names that are used or registered. */
const namesOf = ({ table }: Kind<Entity>) =>
  query.$with('names', { known: field<string>('known'), uses: field<number>('uses') }).as(
    sql`select known, max(uses) as uses from (
        select name as known, uses from (${used}) union all select ${table.id}, 0 from ${table})
      group by known`,
  );

type NamesOf = ReturnType<typeof namesOf>;

const alphabetic = ({ known }: NamesOf): Order => ({
  key: known,
  keyFalls: false,
  positions: { key: 'string', id: 'string' },
});

/** The query for names, and what is registered of them. */
const namesQuery = ({ table }: Kind<Entity>, names: NamesOf, where: SQL | undefined) =>
  query
    .with(names)
    .select({ ...getTableColumns(table), known: names.known, uses: names.uses })
    .from(names)
    .leftJoin(table, eq(table.id, names.known))
    .where(where)
    .$dynamic();

/** A row of that query; the columns of what is not registered are null. */
function usedName<E extends Entity>(kind: Kind<E>, row: object): UsedName<E> {
  const { known: name, uses, ...columns } = Object(row);
  return { name, uses, entity: columns.id === null ? undefined : fromRow(kind, columns) };
}

/** Reads a page of the names that are used or registered, in their order, in one round trip. */
export async function listNames<E extends Entity>(
  tx: Reads,
  kind: Names<E>,
  kinds: readonly Kind<Entity>[],
  request: PageRequest,
): Promise<Page<UsedName<E>>> {
  const { page, limit, position } = request;
  const names = namesOf(kind);
  const { orderBy, beyond, values } = reading(alphabetic(names), request);
  const rows = namesQuery(kind, names, beyond)
    .orderBy(...orderBy)
    .limit(limit + 1)
    .offset(position ? 0 : (page - 1) * limit);
  const total = query
    .with(names)
    .select({ total: count().as('total') })
    .from(names);
  const given = { facets: JSON.stringify(facetsOf(kind, kinds)) };
  const [found, [counted]] = await tx.read(
    compile(rows)({ ...given, ...values }),
    compile(total)(given),
  );
  const items = found.map((row) => usedName(kind, row));
  return pageOf(request, items, counted?.total ?? 0, ({ name }) => ({ key: name, id: name }));
}

/** Reads one name; nothing where it is neither used nor registered. */
export async function findName<E extends Entity>(
  tx: Reads,
  kind: Names<E>,
  kinds: readonly Kind<Entity>[],
  name: string,
): Promise<UsedName<E> | undefined> {
  const names = namesOf(kind);
  const one = compile(namesQuery(kind, names, eq(names.known, sql.placeholder('name'))));
  const [[row]] = await tx.read(one({ name, facets: JSON.stringify(facetsOf(kind, kinds)) }));
  return row && usedName(kind, row);
}

/** A condition: what may say a name in one of its columns; nothing where the kind has none that could. */
function maySay({ table }: Kind<Entity>, { kind, id }: SaidName): Condition | undefined {
  const properties: readonly string[] = places[kind].properties;
  const columns = Object.values<SQLiteColumn>(getTableColumns(table)).flatMap((column) => {
    if (opaque.has(column.name)) return [];
    if (column.dataType === 'json') return [contains(column, sql.placeholder('json'))];
    if (column.name.endsWith('JSON')) return [contains(column, sql.placeholder('said'))];
    return properties.includes(column.name) ? [eq(column, sql.placeholder('said'))] : [];
  });
  const where = or(...columns);
  if (!where) return undefined;
  return { name: `may say ${kind}`, where, values: { said: id, json: JSON.stringify(id) } };
}

/** An entity that says a name. */
export interface Sayer {
  kind: Kind<Entity>;
  entity: Entity;
  /** The first property that says it. */
  property: string;
}

/**
 * All entities that say a name, at whatever depth; it looks at every row, in one round trip. Where one of their kinds
 * changes before the commit, the request is computed again.
 */
export async function sayersOf(
  tx: Reads,
  kinds: readonly Kind<Entity>[],
  name: SaidName,
): Promise<Sayer[]> {
  const says = (entity: Entity) =>
    namesIn(entity).find(({ kind, id }) => kind === name.kind && id === name.id);
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const condition = maySay(kind, name);
      const entities = condition
        ? await tx.findAll(kind, condition, (entity) => says(entity) !== undefined)
        : [];
      return entities.flatMap((entity) => {
        const said = says(entity);
        return said ? [{ kind, entity, property: said.property }] : [];
      });
    }),
  );
  return found.flat();
}
