import type * as z from 'zod';
import { idParam } from '../../base/ids.ts';
import { dataEnvelope, listEnvelope, listing, pageQuery, requestedPage } from '../http/envelope.ts';
import { createHandlers } from '../http/handlers.ts';
import { readCurrent } from '../http/overdue.ts';
import { readMessage } from '../http/success.ts';
import { doc, valid } from '../http/valid.ts';
import type { Entity } from '../store/core/entity.ts';
import type { Kind } from '../store/core/kind.ts';
import { isCounted } from '../store/derived/totals.ts';
import { getForResponse } from '../store/entities/entities.ts';
import { refersTo } from '../store/integrity/references.ts';
import { readList as listEntities } from '../store/lists/list.ts';
import { type ListQuery, listRequest, type OwnFilters } from './query.ts';
import {
  enrichedPage,
  type Handled,
  listSuccess,
  nounOf,
  respondWith,
  successOf,
} from './resource.ts';
import { archivedToo, unlessArchived } from './status.ts';

/** Returns handlers that list entities, filtered by query parameters that are columns and by `filters`. */
export function listHandlers<E extends Entity, Q extends z.ZodType<ListQuery>>(
  resource: Handled<E>,
  query: Q,
  filters: (query: z.output<Q>) => OwnFilters = () => ({}),
) {
  const { kind, response, view, overdueChanges } = resource;
  const operation = doc(`List ${nounOf(resource)}s`, listSuccess(kind), listEnvelope(response));
  return createHandlers(operation, valid('query', query), async (c) => {
    const given = c.req.valid('query');
    const request = listRequest(kind.table, given, filters(given));
    const page = await readCurrent(c, overdueChanges, undefined, (tx) =>
      listEntities(tx, kind, request),
    );
    return listing(c, await enrichedPage(resource, page), view);
  });
}

/** Returns handlers that read one entity, or a part of it. */
export function readHandlers<E extends Entity>(resource: Handled<E>, part = '') {
  const { kind, response, overdueChanges } = resource;
  const what = `one ${nounOf(resource)}`;
  const operation = doc(
    part ? `Read the ${part} of ${what}` : `Read ${what}`,
    successOf(kind, 'read', part),
    dataEnvelope(response),
  );
  return createHandlers(operation, valid('param', idParam), async (c) => {
    const { id } = c.req.valid('param');
    const entity = await readCurrent(c, overdueChanges, id, (tx) => getForResponse(tx, kind, id));
    return respondWith(c, resource, readMessage(c), entity);
  });
}

const referrersQuery = pageQuery.extend({ includeArchived: archivedToo });

/** Returns handlers that list the entities of type R whose property `field` refers to the entity. */
export function referrersHandlers<E extends Entity, R extends Entity>(
  of: Kind<E>,
  resource: Handled<R>,
  field: string,
  summary: string,
) {
  const { kind, response, view, overdueChanges } = resource;
  const [param, query] = [valid('param', idParam), valid('query', referrersQuery)];
  return createHandlers(
    doc(summary, listSuccess(kind), listEnvelope(response)),
    param,
    query,
    async (c) => {
      const { id } = c.req.valid('param');
      const given = c.req.valid('query');
      // An index with totals is faster than the references.
      const naming = isCounted(kind, field)
        ? { column: field, values: [id] }
        : refersTo(kind, of.kind, id, field);
      const filters = [naming, unlessArchived(given)];
      const request = {
        ...requestedPage(given),
        filters,
        all: true,
        of: { kind: of, id },
      };
      const page = await readCurrent(c, overdueChanges, undefined, (tx) =>
        listEntities(tx, kind, request),
      );
      return listing(c, await enrichedPage(resource, page), view);
    },
  );
}
