import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { isEqual } from '../../../base/equal.ts';
import { recordOf } from '../../../base/value_types.ts';
import type { NetChange } from '../changes/net_changes.ts';
import { isHidden } from '../core/define_kind.ts';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import { mentionsIn } from '../core/mentions.ts';
import { rare } from '../sql/expressions.ts';
import { insertRows, overRows } from '../sql/rows.ts';
import { query, type Statement, statement } from '../sql/statement.ts';
import { totals } from '../sql/tables.ts';
import { labelsOf } from './derived_rows.ts';

type Total = typeof totals.$inferInsert;

/** The first facet is the total of the kind. A later one counts only entities with the facet's first property. */
function totalsOf(kind: Kind<Entity>, entity: Entity): Total[] {
  const { fields } = kind.model.mentions;
  const values = recordOf(entity);
  const hidden = Number(isHidden(kind, entity));
  const one = (facet: string, [a = '', b = '', c = '']: string[]): Total => ({
    kind: kind.kind,
    facet,
    a,
    b,
    c,
    count: 1,
    hidden,
  });
  const groups = kind.list.totals.filter(
    ([first = ''], index) => index === 0 || values[first] != null,
  );
  return [
    ...groups.map((group) =>
      one(
        group.join(),
        group.map((property) => String(values[property] ?? '')),
      ),
    ),
    ...labelsOf.of(kind, entity).map(({ label, value }) => one(label, [value])),
    ...mentionsIn(kind, entity)
      .filter((named) => fields[named.kind]?.isCounted)
      .map((named) => one(named.kind, [named.id])),
  ];
}

type CountedChange = Pick<NetChange, 'kind' | 'before' | 'after'>;

function growth(net: CountedChange[]): Total[] {
  const byKey = new Map<string, Total>();
  const add = (sign: 1 | -1, total: Total) => {
    const key = JSON.stringify([total.kind, total.facet, total.a, total.b, total.c]);
    const { count, hidden } = byKey.get(key) ?? { count: 0, hidden: 0 };
    byKey.set(key, {
      ...total,
      count: count + sign * total.count,
      hidden: hidden + sign * total.hidden,
    });
  };
  for (const { kind, before, after } of net) {
    const counted = (entity: typeof before) => (entity ? totalsOf(kind, entity) : []);
    const [old, now] = [counted(before), counted(after)];
    if (isEqual(old, now)) continue; // as in most changes
    for (const total of old) add(-1, total);
    for (const total of now) add(1, total);
  }
  return [...byKey.values()].filter(({ count, hidden }) => count !== 0 || hidden !== 0);
}

const grow = overRows((given) =>
  statement(sql`
    ${insertRows(totals, given)}
    on conflict (kind, facet, a, b, c) do update
      set count = count + excluded.count, hidden = hidden + excluded.hidden`),
);

/** Returns the statements that update the totals. */
export const totalStatements = (net: CountedChange[]): Statement[] => grow(growth(net));

export const valueColumns = [totals.a, totals.b, totals.c];

/** Whether the property has a total for each value. */
export const isCounted = (kind: Kind<Entity>, property: string): boolean =>
  kind.list.totals.some((group) => group.some((name) => name === property));

interface TotalCount {
  property: string;
  are: (value: SQLiteColumn) => SQL;
}

/** Returns the query for the number of entities of a kind; `all` includes hidden ones, `counted` limits the values. */
export function totalOfKind(kind: Kind<Entity>, all: boolean, counted?: TotalCount) {
  const property = counted?.property ?? '';
  const group = kind.list.totals.find((names) => !counted || names.includes(property)) ?? [
    property,
  ];
  const column = valueColumns[group.indexOf(property)] ?? totals.a;
  // The primary key finds the rows by the first value; other values have an index of their own.
  const are = column === totals.a ? counted?.are(column) : counted && rare(counted.are(column));
  const counts = all ? totals.count : sql`${totals.count} - ${totals.hidden}`;
  return query
    .select({ total: sql<number>`coalesce(sum(${counts}), 0)`.as('total') })
    .from(totals)
    .where(and(eq(totals.kind, kind.kind), eq(totals.facet, group.join()), are))
    .$dynamic();
}
