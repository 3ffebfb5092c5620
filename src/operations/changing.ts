import { Hono } from 'hono';
import type * as z from 'zod';
import type { Resource } from '../env.ts';
import { created, oneOf, single } from '../http/envelope.ts';
import { doc, valid } from '../http/valid.ts';
import { Problem } from '../problem.ts';
import { idParam } from '../shared/fields.ts';
import type { Entity } from '../store/columns.ts';
import type { Author, Draft, Transaction } from '../store/transaction.ts';
import { nounOf, type Shown, withArticle } from './shown.ts';

/** Whether a body itself asks to check everything and store nothing. */
type IsDryRun<S extends z.ZodType> = (body: z.output<S>) => boolean | undefined;

/** Has nothing stored; 400 among many changes, which are stored together or not at all. */
function storeNothing(tx: Transaction): void {
  if (tx.origin !== '')
    throw Problem.property('dryRun', 'must be asked of all changes at once, by ?dryRun=true');
  tx.dryRun = true;
}

/** How an entity comes into being. */
interface CreateOperation<E extends Entity, S extends z.ZodType> {
  body: S;
  make: (body: z.output<S>, author: Author) => Draft<E>;
  /** What the draft takes over from others; read in the same round trip as whether the id is free. */
  complete?: (tx: Transaction, draft: Draft<E>) => Promise<Draft<E>>;
  /** 201 where left out. */
  status?: 200 | 201;
  isDryRun?: IsDryRun<S>;
}

/** POST /: creates an entity from a body, and answers its Location. */
export function createRoute<E extends Entity, S extends z.ZodType>(
  shown: Shown<E>,
  create: CreateOperation<E, S>,
) {
  const { collection, response, view } = shown;
  const { body, make, complete = async (_tx, draft) => draft, status = 201, isDryRun } = create;
  const operation = doc(`Create ${withArticle(nounOf(shown))}`, oneOf(response), status);
  return new Hono<Resource>().post('/', operation, valid('json', body), async (c) => {
    const { tx } = c.env;
    const given = c.req.valid('json');
    if (isDryRun?.(given)) storeNothing(tx);
    const draft = make(given, tx.author);
    const entity = await collection.createFrom(c, draft.id, () => complete(tx, draft));
    const message = `${collection.title} created successfully.`;
    return created(c, message, entity, view(entity), status);
  });
}

/** An operation that changes one entity by a body. */
interface ChangeOperation<E extends Entity, S extends z.ZodType> {
  method: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below the entity: `/overrides`; empty for the entity itself. */
  path?: string;
  summary: string;
  /** What history calls it. */
  action: string;
  /** What the message says was done: `updated`. */
  done: string;
  body: S;
  /** The new state; it may be computed more than once. */
  next: (entity: E, body: z.output<S>, author: Author) => E;
  isDryRun?: IsDryRun<S>;
}

/** Changes one entity by a body, under If-Match; answers the new state. */
export function changeRoute<E extends Entity, S extends z.ZodType>(
  { collection, response, view }: Shown<E>,
  change: ChangeOperation<E, S>,
) {
  const { method, path = '', summary, action, done, next, isDryRun } = change;
  return new Hono<Resource>().on(
    method,
    `/:id${path}`,
    doc(summary, oneOf(response)),
    valid('param', idParam),
    valid('json', change.body),
    async (c) => {
      const { id } = c.req.valid('param');
      const body = c.req.valid('json');
      const { tx } = c.env;
      if (isDryRun?.(body)) storeNothing(tx);
      const compute = (current: E) => next(current, body, tx.author);
      const entity = await collection.change(c, id, action, compute);
      return single(c, `${collection.title} ${done} successfully.`, entity, view(entity));
    },
  );
}

/** PATCH /{id}: updates some properties of an entity. */
export const patchRoute = <E extends Entity, S extends z.ZodType>(
  shown: Shown<E>,
  body: S,
  next: ChangeOperation<E, S>['next'],
) =>
  changeRoute(shown, {
    method: 'PATCH',
    summary: `Update some properties of ${withArticle(nounOf(shown))}`,
    action: 'update',
    done: 'updated',
    body,
    next,
  });

/** POST /{id}: replaces all properties of an entity. */
export const replaceRoute = <E extends Entity, S extends z.ZodType>(
  shown: Shown<E>,
  body: S,
  next: ChangeOperation<E, S>['next'],
) =>
  changeRoute(shown, {
    method: 'POST',
    summary: `Replace the properties of ${withArticle(nounOf(shown))}`,
    action: 'update',
    done: 'updated',
    body,
    next,
  });

/** A move of an entity to another status that needs no body. */
export interface Transition<E extends Entity> {
  /** PUT where left out. */
  method?: 'PUT' | 'PATCH';
  /** The last part of its path, and what history calls it. */
  name: string;
  summary: string;
  /** What the message says was done: `enabled`. */
  done: string;
  next: (entity: E, author: Author) => E;
}

/** PUT (or PATCH) /{id}/{name} for each transition. */
export function transitionRoutes<E extends Entity>(
  { collection, response, view }: Shown<E>,
  transitions: Transition<E>[],
) {
  const app = new Hono<Resource>();
  for (const { method = 'PUT', name, summary, done, next } of transitions) {
    const operation = doc(summary, oneOf(response));
    app.on(method, `/:id/${name}`, operation, valid('param', idParam), async (c) => {
      const { id } = c.req.valid('param');
      const compute = (current: E) => next(current, c.env.tx.author);
      const entity = await collection.change(c, id, name, compute);
      return single(c, `${collection.title} ${done} successfully.`, entity, view(entity));
    });
  }
  return app;
}
