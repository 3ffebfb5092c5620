import { type Anchor, fieldOfReference, type Reference } from '../../../base/naming.ts';
import { sentAs } from '../../../base/problem.ts';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import type { StagedChange } from '../core/transaction.ts';
import { anchorsOf, type Derivation, derivedChanges, refsOf } from '../derived/derived_rows.ts';

/** Returns the name of an entity's property in the request. */
export const sentProperty = (
  { origin, bodyPrefixes }: Pick<StagedChange, 'origin' | 'bodyPrefixes'>,
  property: string,
): string => `${origin}${sentAs(property, bodyPrefixes)}`;

type DerivedRef = ReturnType<typeof refsOf.of>[number];

const derivedSteps = <Row extends object>(
  changes: StagedChange[],
  derivation: Derivation<Row>,
  side: 'added' | 'removed',
) =>
  new Map(
    changes.flatMap((change, step) =>
      derivedChanges(derivation, [change])[side].map((row) => [JSON.stringify(row), step]),
    ),
  );

/** Returns a function that finds the last change that adds a reference; -1 if none does. */
export function namingSteps(changes: StagedChange[]): (row: DerivedRef) => number {
  const steps = derivedSteps(changes, refsOf, 'added');
  return (row) => steps.get(JSON.stringify(row)) ?? -1;
}

/** Returns a function that finds the last change that removes an anchor; -1 if none does. */
export function removingSteps(changes: StagedChange[]): (anchor: Anchor) => number {
  const steps = derivedSteps(changes, anchorsOf, 'removed');
  return ({ kind, id }) => steps.get(JSON.stringify({ kind, id })) ?? -1;
}

/** Returns the references behind a derived row: one property may name an entity in several places. */
export function referencesOfRow(
  kind: Kind<Entity>,
  entity: Entity | undefined,
): (row: DerivedRef) => Reference[] {
  const all = entity ? kind.refs.outgoing(entity) : [];
  const byTarget = Map.groupBy(all, (to) => JSON.stringify([to.kind, to.id, fieldOfReference(to)]));
  return ({ toKind, toID, field }) => byTarget.get(JSON.stringify([toKind, toID, field])) ?? [];
}
