import { Hono } from 'hono';
import type * as z from 'zod';
import type { Resource } from '../env.ts';
import type { Collection } from '../store/collection.ts';
import type { Entity } from '../store/columns.ts';

/** A kind of entity, or a part of one, and how it is answered. */
export interface Shown<E extends Entity> {
  collection: Collection<E>;
  /** The schema of its answer, and the function that makes it. */
  response: z.ZodType;
  view: (entity: E) => object;
}

/** The routes of a resource, in the order in which a path is looked for. */
export function combine(...parts: Hono<Resource>[]): Hono<Resource> {
  const app = new Hono<Resource>();
  for (const part of parts) app.route('/', part);
  return app;
}

/** What a sentence calls it: `gate`, `API key`. */
export const nounOf = ({ collection }: { collection: { title: string } }) =>
  collection.title.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

/** `a gate`, `an API key`. */
export const withArticle = (noun: string) => `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}`;
