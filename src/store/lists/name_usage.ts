import { count, eq, getTableColumns, max, ne, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Anchor } from '../../shared/naming.ts';
import { recordOf } from '../../shared/value_types.ts';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import { type NameKind, sayers } from '../core/mentions.ts';
import { type Order, type Page, type PageRequest, pageOf } from '../core/page.ts';
import { pageRows } from '../core/page_query.ts';
import type { Reads } from '../core/reads.ts';
import { environmentFacet, valueColumns } from '../derived/totals.ts';
import { fromRow } from '../entities/mapping.ts';
import { constant, eachOf, field, rare, united } from '../sql/expressions.ts';
import { compile, query } from '../sql/statement.ts';
import { totals } from '../sql/tables.ts';

/** A kind whose entities are names: the ID of each is the name. */
export type Names<E extends Entity> = Kind<E> & { kind: NameKind };

export type SaidName = Anchor & { kind: NameKind };

/** A name, the number of entities that mention it, and its registration. */
export interface UsedName<E extends Entity> {
  name: string;
  uses: number;
  entity: E | undefined;
}

/** Totals that count entities by a mentioned name. */
interface Facet {
  kind: string;
  facet: string;
  /** The position of the name in its group of properties. */
  nameAt: number;
  /**
   * The position of a property that also has totals of its own; -1 if there is none. Gates have totals by `teamID`,
   * and by `team` with `teamID`: a gate with one name in both counts only in the former.
   */
  aloneAt: number;
}

function facetsIn(
  kind: string,
  group: readonly string[],
  names: readonly string[],
  alone: Set<string>,
): Facet[] {
  const aloneAt = group.length > 1 ? group.findIndex((property) => alone.has(property)) : -1;
  return group.flatMap((property, nameAt) =>
    names.includes(property) ? [{ kind, facet: group.join(), nameAt, aloneAt }] : [],
  );
}

/** Returns the totals whose properties mention names. */
function facetsOf({ kind: sort }: { kind: NameKind }, kinds: readonly Kind<Entity>[]): Facet[] {
  const names: readonly string[] = sayers[sort].properties;
  return kinds.flatMap(({ kind, totals: groups }) => {
    const single = groups.filter(({ length }) => length === 1).flat();
    const alone = new Set(single.filter((property) => names.includes(property)));
    const labels = ['tags', 'targetApps'].map((label) => [label]);
    return [...groups, ...labels].flatMap((group) => facetsIn(kind, group, names, alone));
  });
}

const facets = sql.placeholder('facets');

/** Facets as query parameters, by the position of the name. */
const byPlace = (of: Facet[]): string =>
  JSON.stringify(valueColumns.map((_, place) => of.filter(({ nameAt }) => nameAt === place)));

/** The value of the property that also has totals of its own. */
const valueAlone = sql.raw('iif(aloneAt = 0, a, iif(aloneAt = 1, b, c))');

/** The totals of wanted names in one position. */
const totalsBy = (column: SQLiteColumn, place: number, isWanted: (name: SQLiteColumn) => SQL) =>
  sql`select kind, ${totals.facet}, a, b, c, count, ${column} as known
    from (select value->>'kind' as ofKind, value->>'facet' as ofFacet, value->>'aloneAt' as aloneAt
      from ${eachOf(facets, `$[${place}]`)})
    cross join ${totals} on kind = ofKind and ${totals.facet} = ofFacet
    where ${isWanted(column)} and (aloneAt < 0 or ${column} <> ${valueAlone})`;

/**
 * The number of entities that mention each wanted name, read from totals. Drizzle's builder would need twice as many
 * lines.
 */
function usesWhere(isWanted: (name: SQLiteColumn) => SQL) {
  const places = valueColumns.map((column, place) => totalsBy(column, place, isWanted));
  // A union returns each total once, which several of its properties may reach.
  return query.$with('used', { known: field<string>('known'), uses: field<number>('uses') }).as(
    sql`select known, sum(count) as uses from ${united('union', places)}
      group by known having uses > 0`,
  );
}

const usedNames = usesWhere((name) => ne(name, constant('')));
const usesOfOne = usesWhere((name) => rare(eq(name, sql.placeholder('name'))));
const usesOfName = compile(query.with(usesOfOne).select().from(usesOfOne));

function namesOf({ table }: Kind<Entity>) {
  const registered = query.select({ known: table.id, uses: constant(0).as('uses') }).from(table);
  const each = query.with(usedNames).select().from(usedNames).unionAll(registered).as('each');
  const uses = max(each.uses).as('uses');
  return query
    .$with('names')
    .as(query.select({ known: each.known, uses }).from(each).groupBy(each.known.sql));
}

const environmentUses = compile(query.with(usedNames).select().from(usedNames));

/** Returns the number of entities that name each environment, read from totals. */
export async function usesOfEnvironments(
  tx: Reads,
  kinds: readonly Kind<Entity>[],
): Promise<Map<string, number>> {
  const counted = kinds.map(({ kind }) => ({
    kind,
    facet: environmentFacet,
    nameAt: 0,
    aloneAt: -1,
  }));
  const [rows] = await tx.read(environmentUses({ facets: byPlace(counted) }));
  return new Map(rows.map(({ known, uses }) => [known, uses]));
}

type NamesOf = ReturnType<typeof namesOf>;

const alphabetic = ({ known }: NamesOf): Order => ({
  key: known,
  keyFalls: false,
  positions: { key: 'string', id: 'string' },
});

const namesQuery = ({ table }: Kind<Entity>, names: NamesOf, where: SQL | undefined) =>
  query
    .with(names)
    .select({ ...getTableColumns(table), known: names.known, uses: names.uses })
    .from(names)
    .leftJoin(table, eq(table.id, names.known))
    .where(where);

/** Parses a row of that query. The columns of an unregistered name are null. */
function usedName<E extends Entity>(kind: Kind<E>, row: object): UsedName<E> {
  const { known, uses, ...columns } = recordOf(row);
  const counted = { name: String(known), uses: Number(uses) };
  return { ...counted, entity: columns.id === null ? undefined : fromRow(kind, columns) };
}

/** Reads a page of used and registered names, in their order, in one round trip. */
export async function listNames<E extends Entity>(
  tx: Reads,
  kind: Names<E>,
  kinds: readonly Kind<Entity>[],
  request: PageRequest,
): Promise<Page<UsedName<E>>> {
  const names = namesOf(kind);
  const given = { facets: byPlace(facetsOf(kind, kinds)) };
  const select = (beyond: SQL | undefined) => namesQuery(kind, names, beyond);
  const rows = pageRows(alphabetic(names), request, select, given);
  const total = query
    .with(names)
    .select({ total: count().as('total') })
    .from(names);
  const [found, [counted]] = await tx.read(rows, compile(total)(given));
  const items = found.map((row) => usedName(kind, row));
  return pageOf(request, items, counted?.total ?? 0, ({ name }) => ({ key: name, id: name }));
}

/** Reads one name; undefined if it is neither used nor registered. */
export async function findName<E extends Entity>(
  tx: Reads,
  kind: Names<E>,
  kinds: readonly Kind<Entity>[],
  name: string,
): Promise<UsedName<E> | undefined> {
  const facets = byPlace(facetsOf(kind, kinds));
  const [entity, [[used]]] = await Promise.all([
    tx.find(kind, name),
    tx.read(usesOfName({ name, facets })),
  ]);
  return entity || used ? { name, uses: used?.uses ?? 0, entity } : undefined;
}
