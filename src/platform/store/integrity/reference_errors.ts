import { sql } from 'drizzle-orm';
import { distinct } from '../../../base/distinct.ts';
import { inWords } from '../../../base/english.ts';
import { type Anchor, anchorKey, type Reference } from '../../../base/naming.ts';
import { Problem } from '../../../base/problem.ts';
import type { StagedChange, Transaction } from '../core/transaction.ts';
import type { DerivedEffect } from '../derived/derived_rows.ts';
import { isAmongMany, jsonArrays } from '../sql/rows.ts';
import { compileQuery, query, statement } from '../sql/statement.ts';
import { anchors, type refs } from '../sql/tables.ts';
import { namingSteps, referencesOfRow, removingSteps, sentProperty } from './fault_location.ts';

const maxNamed = 100;

type StoredRef = typeof refs.$inferSelect;

/** The kinds of all changes have one model. */
const mayDangle = ([change]: StagedChange[], row: StoredRef): boolean =>
  change?.kind.model.mayDangle(row) ?? false;

const target = ({ toKind, toID }: StoredRef): Anchor => ({ kind: toKind, id: toID });

const referrers = statement<StoredRef>(sql`
  select toKind, toID, fromKind, fromID, field
  from json_each(${sql.placeholder('rows')}) cross join refs
  where toKind = value->>'kind' and toID = value->>'id'
  limit ${sql.placeholder('limit')}`);

const known = compileQuery(
  query
    .select()
    .from(anchors)
    .where(isAmongMany([anchors.kind, anchors.id], ['toKind', 'toID'])),
);

/**
 * Explains why the triggers refused a transaction: 409 with referrers, or 400 naming properties with missing targets.
 * If it both removes and names an entity, the later change is at fault. Returns undefined if the reason is gone.
 */
export async function explainRefusal(
  tx: Transaction,
  { anchors: anchored, refs: linked }: DerivedEffect,
): Promise<Problem | undefined> {
  const { changes } = tx;
  const [naming, removing] = [namingSteps(changes), removingSteps(changes)];
  const taken = anchored.removed.toSorted((one, other) => removing(one) - removing(other));
  const limit = maxNamed + linked.removed.length; // removed referrers are left out later
  const [using, existing] = await Promise.all([
    tx.read(...jsonArrays(taken).map((rows) => referrers({ rows, limit }))),
    tx.read(...jsonArrays(linked.added).map((rows) => known({ rows }))),
  ]);
  const removed = new Set(anchored.removed.map(anchorKey));
  const staying = existing.flat().filter((anchor) => !removed.has(anchorKey(anchor)));
  const there = new Set([...staying, ...anchored.added].map(anchorKey));
  const released = new Set(linked.removed.map((row) => JSON.stringify(row)));
  const dangling = linked.added.filter(
    (row) => !mayDangle(changes, row) && !there.has(anchorKey(target(row))),
  );
  const users = [
    ...using.flat().filter((row) => !released.has(JSON.stringify(row))),
    // A single change names nothing before it removes it.
    ...(changes.length > 1 ? dangling.filter((row) => removing(target(row)) > naming(row)) : []),
  ];
  if (users.length > 0) return inUse(changes, users, removing);
  return dangling.length > 0 ? unknownReferences(changes, dangling, naming) : undefined;
}

/** Checks that no change removes what an earlier one names; triggers see only the final state. @throws Problem 409 */
export function requireNoUseBeforeRemoval({ changes }: Transaction, effect: DerivedEffect): void {
  if (changes.length < 2) return;
  const gone = new Set(effect.anchors.removed.map(anchorKey));
  if (gone.size === 0) return;
  const [naming, removing] = [namingSteps(changes), removingSteps(changes)];
  const users = effect.refs.added.filter(
    (row) =>
      mayDangle(changes, row) &&
      gone.has(anchorKey(target(row))) &&
      removing(target(row)) > naming(row),
  );
  if (users.length > 0) throw inUse(changes, users, removing);
}

/** Returns the error for a refusal that cannot be explained: its target comes and goes. */
export const unexplained = (failure: 'in use' | 'unknown reference'): Problem =>
  failure === 'in use'
    ? new Problem('in_use', 'It is referred to by another entity; change that first.')
    : new Problem('unknown_reference', 'It names an entity that does not exist or is archived.');

function inUse(
  changes: StagedChange[],
  rows: StoredRef[],
  removing: (anchor: Anchor) => number,
): Problem {
  const references = rows.map(({ toKind, toID, fromKind, fromID, field }) => ({
    kind: fromKind,
    id: fromID,
    property: field,
    refersTo: { kind: toKind, id: toID },
  }));
  const list = references.map(({ kind, id }) => `${inWords(kind)} ${id}`);
  const message = `It is referred to by ${distinct(list).slice(0, 10).join(', ')}; change these first.`;
  const first = rows.reduce((least, row) => Math.min(least, removing(target(row))), changes.length);
  const { origin = '' } = changes[first] ?? {};
  const members = { references: references.slice(0, maxNamed) };
  return new Problem('in_use', message, { members, origin });
}

/** A refining reference names a type that the target does not have. */
function referenceFault({ kind, id, refines }: Reference): string {
  if (refines !== undefined) return `must be the type of the ${inWords(refines)} ${id}`;
  return `names the ${inWords(kind)} ${id}, which does not exist or is archived`;
}

function unknownReferences(
  changes: StagedChange[],
  rows: StoredRef[],
  naming: (row: StoredRef) => number,
): Problem {
  const places = changes.map(({ kind, after }) => referencesOfRow(kind, after));
  const missing = new Set(rows.map((row) => anchorKey(target(row))));
  const faults = rows.flatMap((row) => {
    const step = naming(row);
    const change = changes[step];
    // If a part is missing altogether, its type is not reported as missing too.
    const references = places[step]?.(row).filter(
      ({ refines, id }) => refines === undefined || !missing.has(anchorKey({ kind: refines, id })),
    );
    return change && references ? references.map((reference) => ({ change, reference })) : [];
  });
  const errors = faults.slice(0, maxNamed).map(({ change, reference }) => ({
    property: sentProperty(change, reference.property),
    errorMessage: referenceFault(reference),
  }));
  const sentences = errors.slice(0, 10).map((error) => `${error.property} ${error.errorMessage}`);
  const more =
    faults.length > sentences.length ? ` (and ${faults.length - sentences.length} more)` : '';
  return new Problem('unknown_reference', `${sentences.join('; ')}${more}.`, {
    errors,
    origin: faults[0]?.change.origin ?? '',
  });
}
