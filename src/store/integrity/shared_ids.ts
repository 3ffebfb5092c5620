import { getTableName, inArray, sql } from 'drizzle-orm';
import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { Problem } from '../../problem.ts';
import type { NetChange } from '../changes/net_changes.ts';
import type { Entity } from '../core/entity.ts';
import type { Change, Kind, Transaction } from '../core/terms.ts';
import { constant, failing, joined, valuesIn } from '../sql/expressions.ts';
import { overRows, remembered } from '../sql/rows.ts';
import { compile, query, type Statement } from '../sql/statement.ts';

/** The tables of other kinds that have none of the ids of a kind. */
const othersOf = ({ sharesIDsWith, table }: Pick<Kind<Entity>, 'sharesIDsWith' | 'table'>) =>
  sharesIDsWith.filter((other) => other !== getTableName(table));

/** A table of which the ids alone are known here: of an unnamed column, Drizzle would take it for all that the table has. */
const idTable = (name: string) => sqliteTable(name, { id: text('id').notNull() });

const idsOf = (table: string) => {
  const other = idTable(table);
  const isAsked = inArray(other.id, valuesIn(sql.placeholder('ids')));
  return compile(query.select({ id: other.id }).from(other).where(isAsked));
};

const lookups = remembered<ReturnType<typeof idsOf>>();

/** Those of some ids that are taken by entities of the other kinds which share ids with this one, or by what is staged. */
export async function takenBeside<E extends Entity>(
  tx: Transaction,
  kind: Kind<E>,
  ids: readonly string[],
): Promise<Set<string>> {
  const [asked, others] = [{ ids: JSON.stringify(ids) }, othersOf(kind)];
  const found = await tx.read(...others.map((other) => lookups(other, () => idsOf(other))(asked)));
  const taken = new Set(found.flat().map(({ id }) => id));
  for (const change of tx.changes) {
    if (!others.includes(getTableName(change.kind.table))) continue;
    if (change.after) taken.add(change.id);
    else taken.delete(change.id);
  }
  return taken;
}

const refusals = remembered<ReturnType<typeof overRows>>();

/** Refuses a batch where a table has an entity under a given id. */
const refuseTaken = (table: string) =>
  refusals(table, () => {
    const other = idTable(table);
    const failure = failing(joined(constant('taken '), other.id)).as('failure');
    return overRows((_, isGiven) =>
      query
        .select({ failure })
        .from(other)
        .where(isGiven([other.id]))
        .limit(1),
    );
  });

/** Whether an entity comes into being. */
const isNew = ({ before, after }: NetChange) => !before && after !== undefined;

/** Refuses a batch after which two entities of kinds that share ids have the same one. */
export function namesakeStatements(net: NetChange[]): Statement[] {
  const byKind = Map.groupBy(net.filter(isNew), ({ kind }) => kind);
  return [...byKind].flatMap(([kind, changes]) =>
    othersOf(kind).flatMap((other) => refuseTaken(other)(changes.map(({ id }) => ({ id })))),
  );
}

/** Says which of many changes asked for an id that is taken: 409. */
export function explainTaken(changes: Change[], error: unknown): Problem {
  const [, taken] = /console: taken (.+?)'(?::|$)/.exec(String(error)) ?? [];
  const isAsking = ({ id, before, kind }: Change) =>
    id === taken && !before && kind.sharesIDsWith.length > 0;
  const origin = changes.findLast(isAsking)?.origin ?? '';
  return new Problem('taken', 'Name is already in use').from(origin);
}
