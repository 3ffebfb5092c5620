import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { distinct } from '../../shared/distinct.ts';
import { type Anchor, fieldOf, type Reference } from '../../shared/naming.ts';
import type { NetChange } from '../changes/net_changes.ts';
import { isHidden } from '../core/define_kind.ts';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import { deleteFrom, insertInto } from '../sql/rows.ts';
import { anchors, labels, refs } from '../sql/tables.ts';

/** Rows that follow from the state of an entity alone, so that they can be made again at any time. */
export interface Derivation<Row extends object> {
  table: SQLiteTable & { $inferInsert: Row };
  of(kind: Kind<Entity>, entity: Entity): Row[];
}

/** What can be referred to in an entity: itself and its parts, but for one that is archived. */
export const anchorsOf: Derivation<typeof anchors.$inferInsert> = {
  table: anchors,
  of: (kind, entity) =>
    kind.isReferable(entity) ? [{ kind: kind.kind, id: entity.id }, ...kind.parts(entity)] : [],
};

/** A reference of an entity as a row. */
export const refOf = (from: Anchor, to: Reference): typeof refs.$inferInsert => ({
  toKind: to.kind,
  toID: to.id,
  fromKind: from.kind,
  fromID: from.id,
  field: fieldOf(to),
});

/** What an entity refers to. */
export const refsOf: Derivation<typeof refs.$inferInsert> = {
  table: refs,
  of: ({ kind, references }, entity) =>
    references(entity).map((to) => refOf({ kind, id: entity.id }, to)),
};

/** The values of an entity by which lists find it. */
export const labelsOf: Derivation<typeof labels.$inferInsert> = {
  table: labels,
  of: (kind, entity) =>
    Object.entries(kind.labels(entity)).flatMap(([label, values]) =>
      distinct(values).map((value) => ({
        kind: kind.kind,
        label,
        value,
        hidden: isHidden(kind, entity),
        createdTime: entity.createdTime,
        id: entity.id,
      })),
    ),
};

const keyed = <Row extends object>(rows: Row[]) =>
  new Map(rows.map((row) => [JSON.stringify(row), row]));

/** Which of two lists of rows are in one alone. */
export function difference<Row extends object>(before: Row[], after: Row[]) {
  const [old, now] = [keyed(before), keyed(after)];
  const without = (rows: Map<string, Row>, others: Map<string, Row>) =>
    [...rows].filter(([key]) => !others.has(key)).map(([, row]) => row);
  return { removed: without(old, now), added: without(now, old) };
}

/** What some changes take from the derived rows, and what they add. */
export function derivedChanges<Row extends object>({ of }: Derivation<Row>, net: NetChange[]) {
  const rows = (side: 'before' | 'after') =>
    net.flatMap(({ kind, [side]: entity }) => (entity ? of(kind, entity) : []));
  return difference(rows('before'), rows('after'));
}

/** The statements that bring derived rows up to date. */
export function derivedStatements<Row extends object>(
  derivation: Derivation<Row>,
  net: NetChange[],
) {
  const { removed, added } = derivedChanges(derivation, net);
  return {
    removed: deleteFrom(derivation.table, removed),
    added: insertInto(derivation.table, added),
  };
}
