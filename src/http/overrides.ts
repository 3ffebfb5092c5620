import { Hono } from 'hono';
import type * as z from 'zod';
import type { Resource } from '../env.ts';
import { idParam } from '../fields.ts';
import type { Edit } from '../overrides.ts';
import type { Collection } from '../store/collection.ts';
import type { Entity } from '../store/columns.ts';
import { oneOf, single } from './envelope.ts';
import { doc, valid } from './valid.ts';

interface Overridable<E extends Entity, S extends z.ZodType> {
  collection: Collection<E>;
  request: S;
  response: z.ZodType;
  /** The overrides of an entity, as they are answered. */
  view: (entity: E) => object;
  edit: (entity: E, edit: Edit, body: z.output<S>) => E;
}

const edits = [
  { method: 'POST', edit: 'replace', summary: 'Replace the overrides of one' },
  { method: 'PATCH', edit: 'add', summary: 'Add to the overrides of one' },
  { method: 'DELETE', edit: 'remove', summary: 'Remove overrides, or all without a body, of one' },
] as const;

/** GET, POST (replace), PATCH (add) and DELETE (remove) of an entity's overrides (completions, section 4). */
export function overridesRoutes<E extends Entity, S extends z.ZodType>(of: Overridable<E, S>) {
  const { collection, request, response, view } = of;
  const noun = collection.title.toLowerCase();
  const answer = oneOf(response);
  const app = new Hono<Resource>().get(
    '/:id/overrides',
    doc(`Read the overrides of one ${noun}`, answer),
    valid('param', idParam),
    async (c) => {
      const entity = await collection.get(c, c.req.valid('param').id);
      return single(c, 'Overrides read successfully.', entity, view(entity));
    },
  );
  for (const { method, edit, summary } of edits)
    app.on(
      method,
      '/:id/overrides',
      doc(`${summary} ${noun}`, answer),
      valid('param', idParam),
      valid('json', request),
      async (c) => {
        const { id } = c.req.valid('param');
        const body = c.req.valid('json');
        const next = (current: E) => of.edit(current, edit, body);
        const entity = await collection.change(c, id, `${edit}_overrides`, next);
        return single(c, 'Overrides updated successfully.', entity, view(entity));
      },
    );
  return app;
}
