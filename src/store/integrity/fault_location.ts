import { sentAs } from '../../problem.ts';
import { type Anchor, fieldOf, type Reference } from '../../shared/naming.ts';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import type { Change } from '../core/transaction.ts';
import { anchorsOf, type Derivation, derivedChanges, refsOf } from '../derived/derived_rows.ts';

/** What the request calls a property of the entity that a change brings. */
export const sentProperty = (
  { origin, sentAs: names }: Pick<Change, 'origin' | 'sentAs'>,
  property: string,
): string => `${origin}${sentAs(property, names)}`;

type Ref = ReturnType<typeof refsOf.of>[number];

/** For each derived row that changes add, or remove, the last of them that does. */
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

/** Finds which of some changes makes an entity name another, the last of several; -1 where none does. */
export function namingSteps(changes: Change[]): (row: Ref) => number {
  const steps = stepsOf(changes, refsOf, 'added');
  return (row) => steps.get(JSON.stringify(row)) ?? -1;
}

/** Finds which of some changes takes away what can be named, the last of several; -1 where none does. */
export function removingSteps(changes: Change[]): (anchor: Anchor) => number {
  const steps = stepsOf(changes, anchorsOf, 'removed');
  return ({ kind, id }) => steps.get(JSON.stringify({ kind, id })) ?? -1;
}

/** Finds the references that make up a derived row: an entity may name another at several places of one property. */
export function referencesOf(
  kind: Kind<Entity>,
  entity: Entity | undefined,
): (row: Ref) => Reference[] {
  const all = entity ? kind.references(entity) : [];
  const byTarget = Map.groupBy(all, (to) => JSON.stringify([to.kind, to.id, fieldOf(to)]));
  return ({ toKind, toID, field }) => byTarget.get(JSON.stringify([toKind, toID, field])) ?? [];
}
