import { and, eq, getTableName, inArray, type SQL, sql } from 'drizzle-orm';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import { columnsOf, type EntityTable } from '../sql/columns.ts';
import { valuesIn } from '../sql/expressions.ts';
import { remembered } from '../sql/rows.ts';
import { compileQuery, type Filled, query, type SQLCondition } from '../sql/statement.ts';
import { revisions } from '../sql/tables.ts';

const ofOne = remembered<Filled<object>>();
const completeOnes = remembered<Filled<object>>();
const ofMany = remembered<Filled<object>>();

/** The time of the read in epoch milliseconds, for columns computed from other tables. */
export const readNow = sql.placeholder('now');

/** Returns the column `extraColumn`, computed from other tables; nothing if the kind has none. */
export const extraColumnOf = (
  extraColumn: SQL<string | null> | undefined,
): Record<string, SQL.Aliased<string | null>> =>
  extraColumn ? { extraColumn: extraColumn.as('extraColumn') } : {};

const one = (table: EntityTable, extraColumn?: SQL<string | null>) =>
  compileQuery(
    query
      .select({ ...columnsOf(table), ...extraColumnOf(extraColumn) })
      .from(table)
      .where(eq(table.id, sql.placeholder('id'))),
  );

export const rowOfEntity = ({ table }: Pick<Kind<Entity>, 'table'>, id: string) =>
  ofOne(getTableName(table), () => one(table))({ id });

/** Returns the statement that reads an entity with `extraColumn`. */
export const completeRowOf = ({ table, list }: Pick<Kind<Entity>, 'table' | 'list'>, id: string) =>
  completeOnes(getTableName(table), () => one(table, list.extraColumn))({ id, now: Date.now() });

export const rowsWhere = (
  { table }: Pick<Kind<Entity>, 'table'>,
  { name, where, values }: SQLCondition,
) =>
  ofMany(`${getTableName(table)} ${name}`, () =>
    compileQuery(query.select(columnsOf(table)).from(table).where(where)),
  )(values);

/** Selects existing IDs by first revisions: a search for a missing ID in the table would read large rows on its way. */
export function idsCondition(
  { kind, table }: Pick<Kind<Entity>, 'kind' | 'table'>,
  ids: readonly string[],
): SQLCondition {
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
