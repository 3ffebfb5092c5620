import { getTableName } from 'drizzle-orm';
import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { Problem } from '../problem.ts';
import type { NetChange } from './net_changes.ts';
import { overRows, remembered } from './rows.ts';
import { constant, failing, joined } from './sqlite.ts';
import { query, type Statement } from './statement.ts';
import type { Change } from './terms.ts';

const refusals = remembered<ReturnType<typeof overRows>>();

/** Refuses a batch where a table has an entity under a given id. */
const refuseTaken = (table: string) =>
  refusals(table, () => {
    const other = sqliteTable(table, { id: text().notNull() });
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

/** Refuses a batch after which two entities have one id whose kinds share them. */
export function namesakeStatements(net: NetChange[]): Statement[] {
  const byKind = Map.groupBy(net.filter(isNew), ({ kind }) => kind);
  return [...byKind].flatMap(([{ sharesIDsWith, table }, changes]) =>
    sharesIDsWith
      .filter((other) => other !== getTableName(table))
      .flatMap((other) => refuseTaken(other)(changes.map(({ id }) => ({ id })))),
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
