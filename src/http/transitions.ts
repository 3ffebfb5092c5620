import { Hono } from 'hono';
import type { Resource } from '../env.ts';
import { idParam } from '../fields.ts';
import type { Entity } from '../store/columns.ts';
import type { Shown } from './entity.ts';
import { oneOf, single } from './envelope.ts';
import { doc, valid } from './valid.ts';

/** A move of an entity to another status that needs no body. */
export interface Transition<E extends Entity> {
  /** The last part of its path. */
  name: string;
  summary: string;
  /** What the message says was done: `enabled`. */
  done: string;
  next: (entity: E) => E;
}

/** PUT /{id}/{name} for each transition. */
export function transitionRoutes<E extends Entity>(
  { collection, response, view }: Shown<E>,
  transitions: Transition<E>[],
) {
  const app = new Hono<Resource>();
  for (const { name, summary, done, next } of transitions)
    app.put(`/:id/${name}`, doc(summary, oneOf(response)), valid('param', idParam), async (c) => {
      const entity = await collection.change(c, c.req.valid('param').id, name, next);
      return single(c, `${collection.title} ${done} successfully.`, entity, view(entity));
    });
  return app;
}
