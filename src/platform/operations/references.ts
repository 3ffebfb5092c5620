import { and, between, eq, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import { lastOfEach } from '../../base/distinct.ts';
import { idParam } from '../../base/ids.ts';
import { fieldOfReference, partID } from '../../base/naming.ts';
import { dataEnvelope } from '../http/envelope.ts';
import { createHandlers } from '../http/handlers.ts';
import { readCurrent } from '../http/overdue.ts';
import { readMessage } from '../http/success.ts';
import { doc, valid } from '../http/valid.ts';
import type { Entity } from '../store/core/entity.ts';
import { readEntity } from '../store/entities/entities.ts';
import { compileQuery, query } from '../store/sql/statement.ts';
import { refs } from '../store/sql/tables.ts';
import { type Handled, nounOf } from './resource.ts';

export const maxReferrers = 1000;

export const reference = z
  .object({
    kind: z.string(),
    id: z.string(),
    field: z.string(),
  })
  .meta({ id: 'NamedBy' });

export const referencesResponse = z
  .object({
    usedBy: z.array(reference),
    uses: z.array(reference),
    more: z.boolean(),
  })
  .meta({
    id: 'References',
    examples: [
      {
        usedBy: [{ kind: 'experiment', id: 'checkout_button', field: 'targetingGateID' }],
        uses: [{ kind: 'segment', id: 'beta_testers', field: 'rules' }],
        more: false,
      },
    ],
  });

const selectReferrers = () =>
  query
    .select({ fromKind: refs.fromKind, fromID: refs.fromID, field: refs.field })
    .from(refs)
    .where(and(eq(refs.toKind, sql.placeholder('kind')), eq(refs.toID, sql.placeholder('id'))));

const selectPartReferrers = query
  .selectDistinct({ fromKind: refs.fromKind, fromID: refs.fromID, field: refs.field })
  .from(refs)
  .where(
    and(
      eq(refs.toKind, sql.placeholder('part')),
      between(refs.toID, sql.placeholder('first'), sql.placeholder('beyond')),
      eq(refs.fromKind, sql.placeholder('by')),
    ),
  );

const referrersOf = compileQuery(selectReferrers().limit(maxReferrers + 1));
const referrersOfParts = compileQuery(
  unionAll(selectReferrers(), selectPartReferrers).limit(maxReferrers + 1),
);

interface PartReferences {
  part: string;
  by: string;
}

function usedBy(kind: string, id: string, parts: PartReferences | undefined) {
  if (!parts) return referrersOf({ kind, id });
  // A part ID is `entity:part`, and `;` is the character after `:`.
  return referrersOfParts({ kind, id, ...parts, first: partID(id, ''), beyond: `${id};` });
}

function outgoingReferences<E extends Entity>(kind: Handled<E>['kind'], entity: E) {
  const named = kind.refs.outgoing(entity).map((to) => {
    const { kind, id } = to.of ?? to;
    return { kind, id, field: fieldOfReference(to) };
  });
  return lastOfEach(named);
}

/** Returns handlers that list the referrers and references of an entity and its `parts`, in one round trip. */
export function referencesHandlers<E extends Entity>(
  resource: Pick<Handled<E>, 'kind' | 'overdueChanges'>,
  parts?: PartReferences,
) {
  const { kind, overdueChanges } = resource;
  const summary = `List the entities that refer to one ${nounOf(resource)}, and those it refers to`;
  const operation = doc(
    summary,
    { title: 'References', done: 'listed' },
    dataEnvelope(referencesResponse),
    { reads: true },
  );
  return createHandlers(operation, valid('param', idParam), async (c) => {
    const { id } = c.req.valid('param');
    const [entity, [found]] = await readCurrent(c, overdueChanges, id, (tx) =>
      Promise.all([readEntity(tx, kind, id), tx.read(usedBy(kind.kind, id, parts))]),
    );
    const data = {
      usedBy: found
        .slice(0, maxReferrers)
        .map(({ fromKind, fromID, field }) => ({ kind: fromKind, id: fromID, field })),
      uses: outgoingReferences(kind, entity),
      more: found.length > maxReferrers,
    };
    return c.json({ message: readMessage(c), data });
  });
}
