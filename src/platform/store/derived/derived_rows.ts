import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { distinct } from '../../../base/distinct.ts';
import { type Anchor, fieldOfReference, type Reference } from '../../../base/naming.ts';
import { isOnlyDescription, type NetChange, netChanges } from '../changes/net_changes.ts';
import { isHidden } from '../core/define_kind.ts';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import type { StagedChange } from '../core/transaction.ts';
import { deleteFrom, insertInto } from '../sql/rows.ts';
import { anchors, labels, refs } from '../sql/tables.ts';

/** Rows that depend only on the state of one entity, so that they can be rebuilt at any time. */
export interface Derivation<Row extends object> {
  table: SQLiteTable & { $inferInsert: Row };
  of(kind: Kind<Entity>, entity: Entity): Row[];
}

/** The possible targets of references in an entity: itself and its parts, unless it is archived. */
export const anchorsOf: Derivation<typeof anchors.$inferInsert> = {
  table: anchors,
  of: (kind, entity) =>
    kind.refs.referable(entity)
      ? [{ kind: kind.kind, id: entity.id }, ...kind.refs.parts(entity)]
      : [],
};

export const refOf = (from: Anchor, to: Reference): typeof refs.$inferInsert => ({
  toKind: to.kind,
  toID: to.id,
  fromKind: from.kind,
  fromID: from.id,
  field: fieldOfReference(to),
});

export const refsOf: Derivation<typeof refs.$inferInsert> = {
  table: refs,
  of: ({ kind, refs: { outgoing } }, entity) =>
    outgoing(entity).map((to) => refOf({ kind, id: entity.id }, to)),
};

export const labelsOf: Derivation<typeof labels.$inferInsert> = {
  table: labels,
  of: (kind, entity) =>
    Object.entries(kind.list.labels(entity)).flatMap(([label, values]) =>
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

interface Difference<Row extends object> {
  removed: Row[];
  added: Row[];
}

/** Returns the rows that only one of two lists has. */
export function difference<Row extends object>(before: Row[], after: Row[]): Difference<Row> {
  const [old, now] = [keyed(before), keyed(after)];
  const without = (rows: Map<string, Row>, others: Map<string, Row>) =>
    [...rows].filter(([key]) => !others.has(key)).map(([, row]) => row);
  return { removed: without(old, now), added: without(now, old) };
}

export function derivedChanges<Row extends object>(
  { of }: Derivation<Row>,
  net: NetChange[],
): Difference<Row> {
  const rows = (side: 'before' | 'after') =>
    net.flatMap(({ kind, [side]: entity }) => (entity ? of(kind, entity) : []));
  return difference(rows('before'), rows('after'));
}

export interface DerivedEffect {
  net: NetChange[];
  counted: NetChange[];
  anchors: Difference<typeof anchors.$inferInsert>;
  refs: Difference<typeof refs.$inferInsert>;
  labels: Difference<typeof labels.$inferInsert>;
}

/** Combines the steps of a transaction, and compares its derived rows. */
export function effectOf(changes: StagedChange[]): DerivedEffect {
  const net = netChanges(changes);
  const counted = net.filter((change) => !isOnlyDescription(change));
  return {
    net,
    counted,
    anchors: derivedChanges(anchorsOf, counted),
    refs: derivedChanges(refsOf, counted),
    labels: derivedChanges(labelsOf, counted),
  };
}

/** Returns the statements that update derived rows. */
export const derivedStatements = <Row extends object>(
  { table }: Derivation<Row>,
  { removed, added }: Difference<Row>,
) => ({ removed: deleteFrom(table, removed), added: insertInto(table, added) });
