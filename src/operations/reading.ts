import type * as z from 'zod';
import { listing, listOf, oneOf, pageQuery, requestedPage } from '../http/envelope.ts';
import { createHandlers } from '../http/handlers.ts';
import { settled } from '../http/settling.ts';
import { told } from '../http/success.ts';
import { doc, valid } from '../http/valid.ts';
import { idParam } from '../shared/ids.ts';
import type { Entity } from '../store/core/entity.ts';
import type { Kind } from '../store/core/kind.ts';
import { isCounted } from '../store/derived/totals.ts';
import { look } from '../store/entities/entities.ts';
import { refersTo } from '../store/integrity/references.ts';
import { list as listEntities } from '../store/lists/list.ts';
import { type ListQuery, listRequest, type OwnFilters } from './query.ts';
import { answer, done, listed, nounOf, type Shown } from './shown.ts';
import { archivedToo, unlessArchived } from './status.ts';

/**
 * A page of the entities that pass the filters that all kinds have, and its own: the parameters of `query` that are columns
 * of the table filter by these, and `filters` says what the others mean.
 */
export function list<E extends Entity, Q extends z.ZodType<ListQuery>>(
  shown: Shown<E>,
  query: Q,
  filters: (query: z.output<Q>) => OwnFilters = () => ({}),
) {
  const { kind, response, view, settles } = shown;
  const operation = doc(`List ${nounOf(shown)}s`, listed(kind), listOf(response));
  return createHandlers(operation, valid('query', query), async (c) => {
    const asked = c.req.valid('query');
    const request = listRequest(kind.table, asked, filters(asked));
    const page = await settled(c, settles, undefined, (tx) => listEntities(tx, kind, request));
    return listing(c, page, view);
  });
}

/** One entity, or a part of it. */
export function read<E extends Entity>(shown: Shown<E>, part = '') {
  const { kind, response, settles } = shown;
  const what = `one ${nounOf(shown)}`;
  const operation = doc(
    part ? `Read the ${part} of ${what}` : `Read ${what}`,
    done(kind, 'read', part),
    oneOf(response),
  );
  return createHandlers(operation, valid('param', idParam), async (c) => {
    const { id } = c.req.valid('param');
    const entity = await settled(c, settles, id, (tx) => look(tx, kind, id));
    return answer(c, shown, told(c), entity);
  });
}

/** The query of a list of referrers: those that are archived still refer to it, and can be left out. */
const referrersQuery = pageQuery.extend({ includeArchived: archivedToo });

/** The entities of another kind, or this one, whose property `field` names the entity. */
export function referrers<E extends Entity, R extends Entity>(
  of: Kind<E>,
  { kind, response, view, settles }: Shown<R>,
  field: string,
  summary: string,
) {
  const [param, query] = [valid('param', idParam), valid('query', referrersQuery)];
  return createHandlers(doc(summary, listed(kind), listOf(response)), param, query, async (c) => {
    const { id } = c.req.valid('param');
    const asked = c.req.valid('query');
    // An index and a total of its values know more of them than the references do.
    const naming = isCounted(kind, field)
      ? { column: field, values: [id] }
      : refersTo(kind, of.kind, id, field);
    const filters = [naming, unlessArchived(asked)];
    const request = {
      ...requestedPage(asked),
      filters,
      all: true,
      of: { kind: of, id },
    };
    const page = await settled(c, settles, undefined, (tx) => listEntities(tx, kind, request));
    return listing(c, page, view);
  });
}
