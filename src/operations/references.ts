import { and, eq, sql } from 'drizzle-orm';
import * as z from 'zod';
import { oneOf } from '../http/envelope.ts';
import { createHandlers } from '../http/handlers.ts';
import { settled } from '../http/settling.ts';
import { told } from '../http/success.ts';
import { doc, valid } from '../http/valid.ts';
import { idParam } from '../shared/ids.ts';
import { fieldOf } from '../shared/naming.ts';
import type { Entity } from '../store/columns.ts';
import { get } from '../store/entities.ts';
import { compile, query } from '../store/statement.ts';
import { refs } from '../store/tables.ts';
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

const naming = compile(
  query
    .select({ fromKind: refs.fromKind, fromID: refs.fromID, field: refs.field })
    .from(refs)
    .where(and(eq(refs.toKind, sql.placeholder('kind')), eq(refs.toID, sql.placeholder('id'))))
    .limit(most + 1),
);

/** What an entity names, each once for each property. */
function namedBy<E extends Entity>(kind: Shown<E>['kind'], entity: E) {
  const named = kind
    .references(entity)
    .filter(({ refines }) => refines === undefined)
    .map((to) => ({ kind: to.kind, id: to.id, field: fieldOf(to) }));
  return [...new Map(named.map((one) => [JSON.stringify(one), one])).values()];
}

/** What names one entity, and what it names itself, in one round trip. */
export function references<E extends Entity>(shown: Pick<Shown<E>, 'kind' | 'settles'>) {
  const { kind, settles } = shown;
  const summary = `List what names one ${nounOf(shown)}, and what it names`;
  const operation = doc(
    summary,
    { title: 'References', done: 'listed' },
    oneOf(referencesResponse),
    200,
    { reads: true },
  );
  return createHandlers(operation, valid('param', idParam), async (c) => {
    const { id } = c.req.valid('param');
    const [entity, [found]] = await settled(c, settles, id, (tx) =>
      Promise.all([get(tx, kind, id), tx.read(naming({ kind: kind.kind, id }))]),
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
