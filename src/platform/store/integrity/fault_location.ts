import { type Anchor, fieldOf, type Reference } from '../../../base/naming.ts';
import { sentAs } from '../../../base/problem.ts';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import type { Change } from '../core/transaction.ts';
import { anchorsOf, type Derivation, derivedChanges, refsOf } from '../derived/derived_rows.ts';

/** Returns the name of an entity's property in the request. */
export const sentProperty = (
  { origin, bodyPrefixes }: Pick<Change, 'origin' | 'bodyPrefixes'>,
  property: string,
): string => `${origin}${sentAs(property, bodyPrefixes)}`;

type Ref = ReturnType<typeof refsOf.of>[number];

const stepsOf = <Row extends object>(
  changes: Change[],
  derivation: Derivation<Row>,
  side: 'added' | 'removed',
) =>
  new Map(
    changes.flatMap((change, step) =>
      derivedChanges(derivation, [change])[side].map((row) => [JSON.stringify(row), step]),
    ),
  );

/** Returns a function that finds the last change that adds a reference; -1 if none does. */
export function namingSteps(changes: Change[]): (row: Ref) => number {
  const steps = stepsOf(changes, refsOf, 'added');
  return (row) => steps.get(JSON.stringify(row)) ?? -1;
}

/** Returns a function that finds the last change that removes an anchor; -1 if none does. */
export function removingSteps(changes: Change[]): (anchor: Anchor) => number {
  const steps = stepsOf(changes, anchorsOf, 'removed');
  return ({ kind, id }) => steps.get(JSON.stringify({ kind, id })) ?? -1;
}

/** Returns the references behind a derived row: one property may name an entity in several places. */
export function referencesOf(
  kind: Kind<Entity>,
  entity: Entity | undefined,
): (row: Ref) => Reference[] {
  const all = entity ? kind.refs.outgoing(entity) : [];
  const byTarget = Map.groupBy(all, (to) => JSON.stringify([to.kind, to.id, fieldOf(to)]));
  return ({ toKind, toID, field }) => byTarget.get(JSON.stringify([toKind, toID, field])) ?? [];
}
