import { count, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Anchor } from '../../../base/naming.ts';
import { recordOf } from '../../../base/value_types.ts';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import type { NameKind } from '../core/name_fields.ts';
import { type Order, type Page, type PageRequest, pageOf } from '../core/page.ts';
import { pageRows } from '../core/page_query.ts';
import type { Reads } from '../core/reads.ts';
import { valueColumns } from '../derived/totals.ts';
import { fromRow } from '../entities/mapping.ts';
import { rare } from '../sql/expressions.ts';
import { compileQuery, query, statement } from '../sql/statement.ts';

export type NamingKind<E extends Entity> = Kind<E> & { kind: NameKind };

export type MentionedID = Anchor & { kind: NameKind };

export interface UsedName<E extends Entity> {
  name: string;
  uses: number;
  entity: E | undefined;
}

interface Facet {
  kind: string;
  facet: string;
  nameAt: number;
  /** -1 unless the property also has totals of its own: a gate with equal `teamID` and `team` counts only in those. */
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

function facetsOf(
  { kind: sort, model: { mentions } }: Pick<Kind<Entity>, 'kind' | 'model'>,
  kinds: readonly Kind<Entity>[],
): Facet[] {
  const names = mentions.fields[sort]?.properties ?? [];
  return kinds.flatMap(({ kind, list: { totals: groups } }) => {
    const single = groups.filter(({ length }) => length === 1).flat();
    const alone = new Set(single.filter((property) => names.includes(property)));
    const labels = mentions.labels.map((label) => [label]);
    return [...groups, ...labels].flatMap((group) => facetsIn(kind, group, names, alone));
  });
}

const facets = sql.placeholder('facets');

const byPlace = (of: Facet[]): string =>
  JSON.stringify(valueColumns.map((_, place) => of.filter(({ nameAt }) => nameAt === place)));

const totalsBy = (name: string, position: number, isWanted: (name: SQL) => SQL) => {
  const column = sql.raw(`totals.${name}`);
  return sql`
    select kind, totals.facet, a, b, c, count, ${column} as known
    from (select value->>'kind' as ofKind, value->>'facet' as ofFacet, value->>'aloneAt' as aloneAt
      from json_each(${facets}, ${sql.raw(`'$[${position}]'`)}))
    cross join totals on kind = ofKind and totals.facet = ofFacet
    where ${isWanted(column)}
      and (aloneAt < 0 or ${column} <> iif(aloneAt = 0, a, iif(aloneAt = 1, b, c)))`;
};

function usesWhere(isWanted: (name: SQL) => SQL): SQL {
  const positions = valueColumns.map(({ name }, position) => totalsBy(name, position, isWanted));
  // A union returns each total once, which several of its properties may reach.
  return sql`
    select known, sum(count) as uses from (${sql.join(positions, sql` union `)})
    group by known having uses > 0`;
}

interface NameUse {
  known: string;
  uses: number;
}

const usedNames = usesWhere((name) => sql`${name} <> ''`);
const usesOfName = statement<NameUse>(
  usesWhere((name) => rare(sql`${name} = ${sql.placeholder('name')}`)),
);

const namesOfKind = ({ table }: Kind<Entity>) =>
  query
    .$with('names', { known: sql<string>`known`.as('known'), uses: sql<number>`uses`.as('uses') })
    .as(sql`
      select known, max(uses) as uses
      from (${usedNames} union all select id as known, 0 as uses from ${table})
      group by known`);

const allUses = statement<NameUse>(usedNames);

/** Returns the number of entities that mention each name of a kind at any depth, read from totals. */
export async function usesOfNames(
  tx: Reads,
  kinds: readonly Kind<Entity>[],
  facet: NameKind,
): Promise<Map<string, number>> {
  const counted = kinds.map(({ kind }) => ({
    kind,
    facet,
    nameAt: 0,
    aloneAt: -1,
  }));
  const [rows] = await tx.read(allUses({ facets: byPlace(counted) }));
  return new Map(rows.map(({ known, uses }) => [known, uses]));
}

type NamesOf = ReturnType<typeof namesOfKind>;

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

function usedName<E extends Entity>(kind: Kind<E>, row: object): UsedName<E> {
  const { known, uses, ...columns } = recordOf(row);
  const counted = { name: String(known), uses: Number(uses) };
  return { ...counted, entity: columns.id === null ? undefined : fromRow(kind, columns) };
}

/** Reads a page of used and registered names, in their order, in one round trip. */
export async function listNames<E extends Entity>(
  tx: Reads,
  kind: NamingKind<E>,
  kinds: readonly Kind<Entity>[],
  request: PageRequest,
): Promise<Page<UsedName<E>>> {
  const names = namesOfKind(kind);
  const given = { facets: byPlace(facetsOf(kind, kinds)) };
  const select = (beyond: SQL | undefined) => namesQuery(kind, names, beyond);
  const rows = pageRows(alphabetic(names), request, select, given);
  const total = query
    .with(names)
    .select({ total: count().as('total') })
    .from(names);
  const [found, [counted]] = await tx.read(rows, compileQuery(total)(given));
  const items = found.map((row) => usedName(kind, row));
  return pageOf(request, items, counted?.total ?? 0, ({ name }) => ({ key: name, id: name }));
}

/** Reads one name; undefined if it is neither used nor registered. */
export async function findName<E extends Entity>(
  tx: Reads,
  kind: NamingKind<E>,
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
