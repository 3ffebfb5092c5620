import { type Anchor, fieldOf, type Reference } from '../shared/naming.ts';
import type { Entity } from './columns.ts';
import { anchorsOf, type Derivation, refsOf } from './derived.ts';
import type { Change, Kind } from './terms.ts';

type Ref = ReturnType<typeof refsOf.of>[number];

/** For each derived row that changes bring, or take away, the last of them that does. */
function stepsOf<Row extends object>(changes: Change[], { of }: Derivation<Row>) {
  const [brings, takes] = [new Map<string, number>(), new Map<string, number>()];
  changes.forEach(({ kind, before, after }, step) => {
    const rows = (entity: Entity | undefined) =>
      new Set((entity ? of(kind, entity) : []).map((row) => JSON.stringify(row)));
    const [old, now] = [rows(before), rows(after)];
    for (const row of now) if (!old.has(row)) brings.set(row, step);
    for (const row of old) if (!now.has(row)) takes.set(row, step);
  });
  return { brings, takes };
}

/** Finds which of some changes makes an entity name another, the last of several; -1 where none does. */
export function namingSteps(changes: Change[]): (row: Ref) => number {
  const { brings } = stepsOf(changes, refsOf);
  return (row) => brings.get(JSON.stringify(row)) ?? -1;
}

/** Finds which of some changes takes away what can be named, the last of several; -1 where none does. */
export function removingSteps(changes: Change[]): (anchor: Anchor) => number {
  const { takes } = stepsOf(changes, anchorsOf);
  return ({ kind, id }) => takes.get(JSON.stringify({ kind, id })) ?? -1;
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
