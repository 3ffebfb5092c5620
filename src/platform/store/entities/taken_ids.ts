import { getTableName, inArray, sql } from 'drizzle-orm';
import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import type { Transaction } from '../core/transaction.ts';
import { valuesIn } from '../sql/expressions.ts';
import { remembered } from '../sql/rows.ts';
import { compileQuery, query } from '../sql/statement.ts';

/** The tables of other kinds that share the ID space of a kind. */
export const othersOf = ({ refs, table }: Pick<Kind<Entity>, 'refs' | 'table'>) =>
  refs.idsSharedWith.filter((other) => other !== getTableName(table));

/** Declares only the ID of a table: Drizzle would read every column of a table for an unnamed one. */
export const idTable = (name: string) => sqliteTable(name, { id: text('id').notNull() });

const takenIDs = (table: string) => {
  const other = idTable(table);
  const isGiven = inArray(other.id, valuesIn(sql.placeholder('ids')));
  return compileQuery(query.select({ id: other.id }).from(other).where(isGiven));
};

const lookups = remembered<ReturnType<typeof takenIDs>>();

/** Returns the IDs that other kinds of the same ID space already use, staged changes included. */
export async function takenByOthers<E extends Entity>(
  tx: Transaction,
  kind: Kind<E>,
  ids: readonly string[],
): Promise<Set<string>> {
  const [given, others] = [{ ids: JSON.stringify(ids) }, othersOf(kind)];
  const found = await tx.read(
    ...others.map((other) => lookups(other, () => takenIDs(other))(given)),
  );
  const taken = new Set(found.flat().map(({ id }) => id));
  for (const change of tx.changes) {
    if (!others.includes(getTableName(change.kind.table))) continue;
    if (change.after) taken.add(change.id);
    else taken.delete(change.id);
  }
  return taken;
}
