import { sql } from 'drizzle-orm';
import { Problem } from '../../../base/problem.ts';
import type { NetChange } from '../changes/net_changes.ts';
import type { StagedChange } from '../core/transaction.ts';
import { idTable, othersOf } from '../entities/taken_ids.ts';
import { failing } from '../sql/expressions.ts';
import { overRows, remembered } from '../sql/rows.ts';
import { type Statement, statement } from '../sql/statement.ts';

const refusals = remembered<ReturnType<typeof overRows>>();

const refuseTaken = (table: string) =>
  refusals(table, () => {
    const other = idTable(table);
    const failure = failing(sql`'taken ' || ${other.id}`);
    return overRows((_, isGiven) =>
      statement(sql`select ${failure} from ${other} where ${isGiven([other.id])} limit 1`),
    );
  });

const isNew = ({ before, after }: NetChange) => !before && after !== undefined;

/** Fails the batch if two entities of one ID space would have the same ID. */
export function sharedIDStatements(net: NetChange[]): Statement[] {
  const byKind = Map.groupBy(net.filter(isNew), ({ kind }) => kind);
  return [...byKind].flatMap(([kind, changes]) =>
    othersOf(kind).flatMap((other) => refuseTaken(other)(changes.map(({ id }) => ({ id })))),
  );
}

/** Returns the 409 for a taken ID, with the change that requested it. */
export function explainTaken(changes: StagedChange[], error: unknown): Problem {
  const [, taken] = /console: taken (.+?)'(?::|$)/.exec(String(error)) ?? [];
  const isRequesting = ({ id, before, kind }: StagedChange) =>
    id === taken && !before && kind.refs.idsSharedWith.length > 0;
  const origin = changes.findLast(isRequesting)?.origin ?? '';
  return new Problem('taken', 'Name is already in use').from(origin);
}
