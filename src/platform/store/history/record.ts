import { sql } from 'drizzle-orm';
import { lastOfEach } from '../../../base/distinct.ts';
import { sha256Hex } from '../../../base/sha256.ts';
import { recordOf } from '../../../base/value_types.ts';
import { changedProperties, type Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import type { Transaction } from '../core/transaction.ts';
import { overRows, rowParts } from '../sql/rows.ts';
import { type Statement, statement } from '../sql/statement.ts';
import type { PropertyChange, RowNumber, revisions } from '../sql/tables.ts';

/** Returns the changed properties between two states. Secrets appear as changed, without their value. */
export function changesBetween(
  kind: Pick<Kind<Entity>, 'redact' | 'stamped'>,
  before: Entity | undefined,
  after: Entity | undefined,
): PropertyChange[] {
  const shown = (entity: Entity | undefined) => recordOf(entity && kind.redact(entity));
  const [old, current] = [shown(before), shown(after)];
  return changedProperties(kind, before ?? {}, after ?? {}).map((property) => ({
    property,
    old: old[property],
    new: current[property],
  }));
}

/** The longest value that history stores in full, in characters of JSON. */
const maxShown = 4000;

/** Replaces a long value by its length and SHA-256, which distinguish it from others. */
function loggedValue(value: unknown): unknown {
  const json = JSON.stringify(value) ?? '';
  return json.length <= maxShown ? value : { length: json.length, sha256: sha256Hex(json) };
}

const shortenedChanges = (changes: PropertyChange[]): PropertyChange[] =>
  changes.map(({ property, old, new: current }) => ({
    property,
    old: loggedValue(old),
    new: loggedValue(current),
  }));

const imported = (summary: object): PropertyChange[] =>
  Object.entries(summary).map(([property, value]) => ({ property, new: value }));

function counter() {
  const counts = new Map<string, number>();
  return (name: string) => {
    const number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    return number;
  };
}

function numberedRows<Row extends { kind: string; action: string }>(rows: Row[]) {
  const next = counter();
  return rows.map((row) => ({
    ...row,
    nthOfKind: next(`kind ${row.kind}`),
    nthOfAction: next(`action ${row.action}`),
    nthOfActor: next('actor'),
  }));
}

const columns = sql.raw(
  'kind, id, version, action, actorID, actorName, requestID, snapshot, note, changes',
);

const values = sql.raw(`
  value->>'kind', value->>'id', value->>'version', value->>'action', value->>'actorID',
  value->>'actorName', value->>'requestID', value->'snapshot', value->>'note', value->'changes'`);

/** Never before the last row. */
const time = sql`
  max(value->>'time', coalesce((select time from revisions order by seq desc limit 1), 0))`;

const lastOfKind = sql`
  coalesce((select max(nthOfKind) from revisions where kind = value->>'kind'), 0)`;
const lastOfAction = sql`
  coalesce((select max(nthOfAction) from revisions where action = value->>'action'), 0)`;
const lastOfActor = sql`
  coalesce((select max(nthOfActor) from revisions where actorID = value->>'actorID'), 0)`;

/** Each row holds its distances from the last stored rows. */
const record = overRows((given) =>
  statement(sql`
    insert into revisions (seq, time, ${columns}, nthOfKind, nthOfAction, nthOfActor)
    select null, ${time}, ${values}, ${lastOfKind} + (value->>'nthOfKind'),
      ${lastOfAction} + (value->>'nthOfAction'), ${lastOfActor} + (value->>'nthOfActor')
    from ${given}`),
);

/** Numbers rows of many requests. Counting reads each row several times. */
const recordOfOld = overRows((given) =>
  statement(sql`
    insert into revisions (seq, time, ${columns}, nthOfKind, nthOfAction, nthOfActor)
    select null, ${time}, ${values},
      ${lastOfKind} + row_number() over (partition by value->>'kind' order by key),
      ${lastOfAction} + row_number() over (partition by value->>'action' order by key),
      ${lastOfActor} + row_number() over (partition by value->>'actorID' order by key)
    from ${given} order by key`),
);

const nameActors = overRows((given) =>
  statement(sql`
    insert into actors (name, id)
    select value->>'name', value->>'id' from ${given} where true
    on conflict do nothing`),
);

type OldRevision = Omit<typeof revisions.$inferInsert, RowNumber>;

/** Returns the statements that store imported history in its order. */
export const historyStatements = (rows: readonly OldRevision[]): Statement[] => [
  ...recordOfOld(rows),
  ...nameActors(actorsOf(rows)),
];

const actorsOf = (rows: readonly OldRevision[]) =>
  lastOfEach(rows.map(({ actorName: name, actorID: id }) => ({ name, id })));

/** Returns the statements that record a transaction: one row for each change of an entity, and one for each of `loggedRows`. */
export function revisionStatements({ changes, loggedRows, author }: Transaction): Statement[] {
  const { actor, time, requestID, note } = author;
  const by = { actorID: actor.id, actorName: actor.name, time, requestID, note };
  const steps = changes
    .filter(({ isRecorded }) => !isRecorded)
    .map(({ kind, id, version, action, before, after, renamedFrom, renamedTo }) => ({
      ...by,
      kind: kind.kind,
      id,
      version,
      action,
      snapshot: after ?? before,
      changes: shortenedChanges(changesBetween(kind, before ?? renamedFrom, after ?? renamedTo)),
    }));
  const nextOf = counter();
  const rows = loggedRows.map(({ kind, action = 'import', summary }) => ({
    ...by,
    kind,
    id: requestID,
    version: nextOf(kind),
    action,
    snapshot: summary,
    changes: imported(summary),
  }));
  // Each part of a large change counts from 1. All numbers are set before the split, because they take room.
  return rowParts(numberedRows([...steps, ...rows])).flatMap((part) => record(numberedRows(part)));
}
