import type { Entity } from './columns.ts';
import { anchorsOf, type Derivation, refsOf } from './derived.ts';
import type { Kind } from './kind.ts';
import type { Anchor, Reference } from './naming.ts';
import type { Change } from './transaction.ts';

type Ref = ReturnType<typeof refsOf.of>[number];

const derived = new WeakMap<object, WeakMap<Entity, Set<string>>>();

/** The rows that derive from an entity, as text; it is never changed, so that they are made once, however many are sought. */
function textsOf<Row extends object>(
  derivation: Derivation<Row>,
  kind: Kind<Entity>,
  entity: Entity,
): Set<string> {
  const known = derived.get(derivation) ?? new WeakMap<Entity, Set<string>>();
  derived.set(derivation, known);
  const texts =
    known.get(entity) ?? new Set(derivation.of(kind, entity).map((row) => JSON.stringify(row)));
  known.set(entity, texts);
  return texts;
}

/** The last of some changes that brings a derived row, or takes it away; -1 where none does. */
function lastThat<Row extends object>(
  changes: Change[],
  derivation: Derivation<Row>,
  row: Row,
  wanted: 'brings' | 'takes away',
): number {
  const text = JSON.stringify(row);
  const has = (kind: Kind<Entity>, entity: Entity | undefined) =>
    entity !== undefined && textsOf(derivation, kind, entity).has(text);
  return changes.findLastIndex(({ kind, before, after }) => {
    const [old, now] = [has(kind, before), has(kind, after)];
    return old !== now && now === (wanted === 'brings');
  });
}

/** Which of some changes makes an entity name another, the last of several; -1 where none does. */
export const naming = (changes: Change[], row: Ref): number =>
  lastThat(changes, refsOf, row, 'brings');

/** Which of some changes takes away what can be named, the last of several; -1 where none does. */
export const removing = (changes: Change[], { kind, id }: Anchor): number =>
  lastThat(changes, anchorsOf, { kind, id }, 'takes away');

/** The references that make up one derived row: an entity may name another at several places of one property. */
export const referencesOf = (
  kind: Kind<Entity>,
  entity: Entity | undefined,
  row: Ref,
): Reference[] =>
  (entity ? kind.references(entity) : []).filter(
    ({ kind: toKind, id, property }) =>
      toKind === row.toKind && id === row.toID && property.split('.')[0] === row.field,
  );
