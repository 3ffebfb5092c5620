import type { SQL } from 'drizzle-orm';
import { Hono } from 'hono';
import type * as z from 'zod';
import type { Resource } from '../env.ts';
import { listing, listOf, oneOf, pageQuery, single } from '../http/envelope.ts';
import { doc, valid } from '../http/valid.ts';
import { idParam } from '../shared/fields.ts';
import { commonFilters, type listQuery } from '../shared/filters.ts';
import type { Collection } from '../store/collection.ts';
import type { Entity } from '../store/columns.ts';
import { refersTo } from '../store/references.ts';
import { nounOf, type Shown } from './shown.ts';

/** GET /: a page of the entities that pass the filters that all kinds have, and its own. */
export function listRoute<E extends Entity, Q extends z.ZodType<z.output<typeof listQuery>>>(
  shown: Shown<E>,
  query: Q,
  filters: (query: z.output<Q>) => (SQL | undefined)[] = () => [],
) {
  const { collection, response, view } = shown;
  const operation = doc(`List ${nounOf(shown)}s`, listOf(response));
  return new Hono<Resource>().get('/', operation, valid('query', query), async (c) => {
    const page = c.req.valid('query');
    const all = [...commonFilters(collection, page), ...filters(page)];
    const found = await collection.list(c, { page, filters: all });
    return listing(c, `${collection.title}s listed successfully.`, found, view);
  });
}

/** GET /{id}{path}: one entity, or a part of it. */
export function readRoute<E extends Entity>(shown: Shown<E>, path = '', part = '') {
  const { collection, response, view } = shown;
  const what = `one ${nounOf(shown)}`;
  const operation = doc(part ? `Read the ${part} of ${what}` : `Read ${what}`, oneOf(response));
  return new Hono<Resource>().get(`/:id${path}`, operation, valid('param', idParam), async (c) => {
    const entity = await collection.get(c, c.req.valid('param').id);
    return single(c, `${collection.title} read successfully.`, entity, view(entity));
  });
}

/** GET /{id}{path}: the entities of another kind, or this one, whose property `field` names the entity. */
export function referrersRoute<E extends Entity, R extends Entity>(
  of: Collection<E>,
  referrers: Shown<R>,
  { path, field, summary }: { path: string; field: string; summary: string },
) {
  const { collection, response, view } = referrers;
  const operation = doc(summary, listOf(response));
  const [param, query] = [valid('param', idParam), valid('query', pageQuery)];
  return new Hono<Resource>().get(`/:id${path}`, operation, param, query, async (c) => {
    const { id } = c.req.valid('param');
    const filters = [refersTo(collection, of.kind, [id], field)];
    const request = { page: c.req.valid('query'), filters, of: { collection: of, id } };
    const page = await collection.list(c, request);
    return listing(c, `${collection.title}s listed successfully.`, page, view);
  });
}
