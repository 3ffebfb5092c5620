import { type Column, desc, eq, max, type SQL } from 'drizzle-orm';
import { lastOfEach } from '../../shared/distinct.ts';
import { sha256 } from '../../shared/sha256.ts';
import { recordOf } from '../../shared/value_types.ts';
import { changedProperties, type Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import type { Transaction } from '../core/transaction.ts';
import {
  constant,
  givenOrder,
  larger,
  numbering,
  orElse,
  placeAmong,
  plus,
  property,
} from '../sql/expressions.ts';
import { overRows, partsOf, valuesOf } from '../sql/rows.ts';
import { query, type Statement } from '../sql/statement.ts';
import type { PropertyChange } from '../sql/tables.ts';
import { actors, type RowNumber, revisions } from '../sql/tables.ts';

/** Returns the changed properties between two states. Secrets appear as changed, without their value. */
export function changesBetween(
  { concealed }: Pick<Kind<Entity>, 'concealed'>,
  before: Entity | undefined,
  after: Entity | undefined,
): PropertyChange[] {
  const shown = (entity: Entity | undefined) => recordOf(entity && concealed(entity));
  const [old, current] = [shown(before), shown(after)];
  return changedProperties(before ?? {}, after ?? {}).map((property) => ({
    property,
    old: old[property],
    new: current[property],
  }));
}

/** The longest value that history stores in full, in characters of JSON. */
const maxShown = 4000;

/** Replaces a long value by its length and SHA-256, which distinguish it from others. */
function listed(value: unknown): unknown {
  const json = JSON.stringify(value) ?? '';
  return json.length <= maxShown ? value : { length: json.length, sha256: sha256(json) };
}

/** Shortens changes, so that no long value is stored again next to the state. */
const shortened = (changes: PropertyChange[]): PropertyChange[] =>
  changes.map(({ property, old, new: current }) => ({
    property,
    old: listed(old),
    new: listed(current),
  }));

/** Represents an import of rows as changes. */
const imported = (summary: object): PropertyChange[] =>
  Object.entries(summary).map(([property, value]) => ({ property, new: value }));

const latest = query
  .select({ time: revisions.time })
  .from(revisions)
  .orderBy(desc(revisions.seq))
  .limit(1);

/** A number within the rows that share a value in a column. */
type Nth = (number: Column, alike: Column) => SQL;

/** Places a row after all others: the next numbers, and a time that is not before theirs. */
const inOrder = (numberOf: Nth) => ({
  seq: numbering,
  time: larger(property('time'), orElse(latest, constant(0))),
  nthOfKind: numberOf(revisions.nthOfKind, revisions.kind),
  nthOfAction: numberOf(revisions.nthOfAction, revisions.action),
  nthOfActor: numberOf(revisions.nthOfActor, revisions.actorID),
});

/** The number of the last stored row with the same value. */
const lastOf: Nth = (number, alike) => {
  const newest = query.select({ number: max(number) }).from(revisions);
  return orElse(newest.where(eq(alike, property(alike.name))), constant(0));
};

/** The number of a row that holds its own distance from the last stored row. */
const nth: Nth = (number, alike) => plus(lastOf(number, alike), property(number.name));

/** Returns a function that counts its calls for each key, from 1. */
function counter() {
  const counts = new Map<string, number>();
  return (name: string) => {
    const number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    return number;
  };
}

/** Numbers rows of the same kind and action, from 1. */
function numbered<Row extends { kind: string; action: string }>(rows: Row[]) {
  const next = counter();
  return rows.map((row) => ({
    ...row,
    nthOfKind: next(`kind ${row.kind}`),
    nthOfAction: next(`action ${row.action}`),
    nthOfActor: next('actor'),
  }));
}

const record = overRows((given) =>
  query.insert(revisions).select(valuesOf(revisions, given, inOrder(nth))),
);

/** Numbers rows of many requests. Counting reads each row several times. */
const nthOn: Nth = (number, alike) =>
  plus(lastOf(number, alike), placeAmong(property(alike.name), givenOrder));

const recordOfOld = overRows((given) =>
  query.insert(revisions).select(valuesOf(revisions, given, inOrder(nthOn)).orderBy(givenOrder)),
);

/** Stores the names of the authors of imported rows, because their keys are not imported. */
const nameActors = overRows((given) =>
  query.insert(actors).select(valuesOf(actors, given)).onConflictDoNothing(),
);

/** An imported revision. */
type OldRevision = Omit<typeof revisions.$inferInsert, RowNumber>;

/** Returns the statements that store imported history in its order. */
export const historyStatements = (rows: readonly OldRevision[]): Statement[] => [
  ...recordOfOld(rows),
  ...nameActors(actorsOf(rows)),
];

/** Returns the authors of rows, once under each name. */
const actorsOf = (rows: readonly OldRevision[]) =>
  lastOfEach(rows.map(({ actorName: name, actorID: id }) => ({ name, id })));

/**
 * Returns the statements that record a transaction: one row for each step of each entity, and one for each import.
 */
export function revisionStatements({ changes, imports, author }: Transaction): Statement[] {
  const { actor, time, requestID, note } = author;
  const by = { actorID: actor.id, actorName: actor.name, time, requestID, note };
  const steps = changes
    .filter(({ isRecorded }) => !isRecorded)
    .map(({ kind, id, version, action, before, after, twin }) => ({
      ...by,
      kind: kind.kind,
      id,
      version,
      action,
      snapshot: after ?? before,
      changes: shortened(changesBetween(kind, before ?? twin, after ?? twin)),
    }));
  const nextOf = counter();
  const rows = imports.map(({ kind, action = 'import', summary }) => ({
    ...by,
    kind,
    id: requestID,
    version: nextOf(kind),
    action,
    snapshot: summary,
    changes: imported(summary),
  }));
  // Each part of a large change counts from 1. All numbers are set before the split, because they take room in the
  // parts.
  return partsOf(numbered([...steps, ...rows])).flatMap((part) => record(numbered(part)));
}
