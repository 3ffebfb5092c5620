import { and, between, eq, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import { oneOf } from '../http/envelope.ts';
import { createHandlers } from '../http/handlers.ts';
import { settled } from '../http/settling.ts';
import { told } from '../http/success.ts';
import { doc, valid } from '../http/valid.ts';
import { lastOfEach } from '../shared/distinct.ts';
import { idParam } from '../shared/ids.ts';
import { fieldOf, partID } from '../shared/naming.ts';
import type { Entity } from '../store/core/entity.ts';
import { get } from '../store/entities/entities.ts';
import { compile, query } from '../store/sql/statement.ts';
import { refs } from '../store/sql/tables.ts';
import { nounOf, type Shown } from './shown.ts';

/** How many entities that name one are listed, at most. */
const most = 1000;

const reference = z
  .object({
    kind: z.string(),
    id: z.string(),
    field: z.string().meta({ description: 'The property that names it.' }),
  })
  .meta({ id: 'NamedBy' });

const referencesResponse = z
  .object({
    usedBy: z.array(reference),
    uses: z.array(reference),
    more: z.boolean().meta({ description: `Whether more than ${most} name it.` }),
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

const naming = () =>
  query
    .select({ fromKind: refs.fromKind, fromID: refs.fromID, field: refs.field })
    .from(refs)
    .where(and(eq(refs.toKind, sql.placeholder('kind')), eq(refs.toID, sql.placeholder('id'))));

const namingParts = query
  .selectDistinct({ fromKind: refs.fromKind, fromID: refs.fromID, field: refs.field })
  .from(refs)
  .where(
    and(
      eq(refs.toKind, sql.placeholder('part')),
      between(refs.toID, sql.placeholder('first'), sql.placeholder('beyond')),
      eq(refs.fromKind, sql.placeholder('by')),
    ),
  );

const namesIt = compile(naming().limit(most + 1));
const namesItOrParts = compile(unionAll(naming(), namingParts).limit(most + 1));

/** Parts of an entity that those of another kind name without it. */
interface NamedAlone {
  part: string;
  by: string;
}

/** What names an entity, or its parts without it; whatever else names a part names the entity as well. */
function usedBy(kind: string, id: string, alone: NamedAlone | undefined) {
  if (!alone) return namesIt({ kind, id });
  // In the order of texts `;` follows the `:` that stands before the name of a part.
  return namesItOrParts({ kind, id, ...alone, first: partID(id, ''), beyond: `${id};` });
}

/** The entities that one names, by themselves or by a part, each once for each property. */
function namedBy<E extends Entity>(kind: Shown<E>['kind'], entity: E) {
  const named = kind.references(entity).map((to) => {
    const { kind, id } = to.of ?? to;
    return { kind, id, field: fieldOf(to) };
  });
  return lastOfEach(named);
}

/**
 * What names one entity, and what it names itself, in one round trip.
 * @param alone the parts of it that are named without it
 */
export function references<E extends Entity>(
  shown: Pick<Shown<E>, 'kind' | 'settles'>,
  alone?: NamedAlone,
) {
  const { kind, settles } = shown;
  const summary = `List what names one ${nounOf(shown)}, and what it names`;
  const operation = doc(
    summary,
    { title: 'References', done: 'listed' },
    oneOf(referencesResponse),
    { reads: true },
  );
  return createHandlers(operation, valid('param', idParam), async (c) => {
    const { id } = c.req.valid('param');
    const [entity, [found]] = await settled(c, settles, id, (tx) =>
      Promise.all([get(tx, kind, id), tx.read(usedBy(kind.kind, id, alone))]),
    );
    const data = {
      usedBy: found
        .slice(0, most)
        .map(({ fromKind, fromID, field }) => ({ kind: fromKind, id: fromID, field })),
      uses: namedBy(kind, entity),
      more: found.length > most,
    };
    return c.json({ message: told(c), data });
  });
}
