import { and, count, eq, inArray, sql } from 'drizzle-orm';
import { type Anchor, fieldOfReference } from '../../../base/naming.ts';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import type { Transaction } from '../core/transaction.ts';
import { compileQuery, query, type SQLCondition } from '../sql/statement.ts';
import { refs } from '../sql/tables.ts';

/** Selects entities that refer to one of another kind by a property. */
export function refersTo<E extends Entity>(
  { kind, table }: Kind<E>,
  toKind: string,
  id: string,
  field: string,
): SQLCondition {
  const isReferring = and(
    eq(refs.toKind, toKind),
    eq(refs.toID, sql.placeholder('refersTo')),
    eq(refs.fromKind, kind),
    eq(refs.field, field),
  );
  const referring = query.select({ fromID: refs.fromID }).from(refs).where(isReferring);
  return {
    name: `refers to ${toKind} ${field}`,
    where: inArray(table.id, referring),
    values: { refersTo: id },
    namesIDs: true,
    // By one property, each entity is counted once.
    total: query
      .select({ total: count().as('total') })
      .from(refs)
      .where(isReferring),
  };
}

const naming = compileQuery(
  query
    .select({ fromID: refs.fromID })
    .from(refs)
    .where(
      and(
        eq(refs.toKind, sql.placeholder('kind')),
        eq(refs.toID, sql.placeholder('id')),
        eq(refs.fromKind, sql.placeholder('fromKind')),
        eq(refs.field, sql.placeholder('field')),
      ),
    ),
);

/** Returns the IDs of entities that name a new one. A round trip is needed only if this request removed it before. */
export async function referrersOf(
  tx: Transaction,
  { kind, id }: Anchor,
  by: { kind: string; field: string },
): Promise<string[]> {
  const first = tx.changes.find((change) => change.kind.kind === kind && change.id === id);
  const wasThere = first?.before !== undefined;
  const [stored] = wasThere
    ? await tx.read(naming({ kind, id, fromKind: by.kind, field: by.field }))
    : [[]];
  const staged = new Map(
    tx.changes
      .filter((change) => change.kind.kind === by.kind)
      .map((change) => [change.id, change]),
  );
  const isNaming = [...staged.values()].filter(({ kind: of, after }) =>
    (after ? of.refs.outgoing(after) : []).some(
      (to) => to.kind === kind && to.id === id && fieldOfReference(to) === by.field,
    ),
  );
  return [
    ...stored.map((row) => row.fromID).filter((from) => !staged.has(from)),
    ...isNaming.map((change) => change.id),
  ];
}
