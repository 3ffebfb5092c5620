import type { Context } from 'hono';
import type * as z from 'zod';
import type { Service } from '../env.ts';
import { ifMatch } from '../http/conditional.ts';
import { created, oneOf } from '../http/envelope.ts';
import { createHandlers } from '../http/handlers.ts';
import { watching } from '../http/settling.ts';
import { said } from '../http/success.ts';
import { storeNothing, transact } from '../http/transact.ts';
import { doc, valid } from '../http/valid.ts';
import { idParam } from '../shared/ids.ts';
import type { ActionName } from '../shared/log_names.ts';
import type { Author } from '../store/core/author.ts';
import type { Entity } from '../store/core/entity.ts';
import type { Draft, Transaction } from '../store/core/transaction.ts';
import * as entities from '../store/entities/entities.ts';
import {
  answer,
  answerOf,
  done,
  nounOf,
  type Remark,
  remarking,
  type Shown,
  withArticle,
} from './shown.ts';

/** Whether a body itself asks to check everything and store nothing. */
type IsDryRun<S extends z.ZodType> = (body: z.output<S>) => boolean | undefined;

/** How an entity comes into being. */
interface Creation<E extends Entity, S extends z.ZodType> {
  body: S;
  make: (body: z.output<S>, author: Author) => Draft<E>;
  /** What the draft takes over from others; read in the same round trip as whether the id is free. */
  complete?: (tx: Transaction, draft: Draft<E>) => Promise<Draft<E>>;
  /** 201 where left out. */
  status?: 200 | 201;
  isDryRun?: IsDryRun<S>;
}

/** Creates an entity from a body, and answers its Location. */
export function create<E extends Entity, S extends z.ZodType>(
  shown: Shown<E>,
  { body, make, complete, status = 201, isDryRun }: Creation<E, S>,
) {
  const { kind, response, view } = shown;
  const summary = `Create ${withArticle(nounOf(shown))}`;
  const operation = doc(summary, done(kind, 'created'), oneOf(response), {
    status,
    isUnversioned: true,
  });
  return createHandlers(operation, valid('json', body), (c) =>
    transact(c, async (tx) => {
      const given = c.req.valid('json');
      if (isDryRun?.(given)) storeNothing(tx);
      const draft = make(given, tx.author);
      const whole = () => complete?.(tx, draft) ?? draft;
      const entity = await entities.create(tx, kind, draft.id, whole);
      return created(c, said(c, tx), entity, view(entity), {}, status);
    }),
  );
}

/** What a change is called, and what its answer says beside. */
interface Called<E extends Entity> {
  /** What history calls it. */
  action: ActionName;
  remark?: Remark<E> | undefined;
}

/** Changes one entity under If-Match, and answers its new state. */
export async function changeOne<E extends Entity>(
  c: Context<Service>,
  tx: Transaction,
  shown: Shown<E>,
  id: string,
  { action, remark }: Called<E>,
  next: (entity: E) => E,
  body?: object,
): Promise<Response> {
  const { kind, settles } = shown;
  const step = { action, ifMatch: ifMatch(c) };
  const [entity, say] = await watching(tx, settles, id, async () => {
    const remarks = await remarking(tx, kind, id, remark, body);
    return [await entities.change(tx, kind, id, step, next), remarks] as const;
  });
  const { members, ...own } = say(entity);
  return answer(c, shown, said(c, tx, own), entity, members);
}

/** A change of one entity by a body. */
export interface Change<E extends Entity, S extends z.ZodType> extends Called<E> {
  summary: string;
  /** The part of an entity that is changed, where the message names that: `overrides`. */
  part?: string;
  /** What the message says was done: `updated`. */
  done: string;
  body: S;
  /** What the body takes over from others; read in the same round trip as the entity. */
  complete?: ((tx: Transaction, body: z.output<S>) => Promise<z.output<S>>) | undefined;
  /** The new state; it may be computed more than once. It says to `tx` where the body calls properties something else. */
  next: (entity: E, body: z.output<S>, author: Author, tx: Transaction) => E;
  isDryRun?: IsDryRun<S>;
}

/** Changes one entity by a body, under If-Match; answers the new state. */
export function change<E extends Entity, S extends z.ZodType>(
  shown: Shown<E>,
  { summary, part, done: deed, body, complete, next, isDryRun, ...called }: Change<E, S>,
) {
  const [param, json] = [valid('param', idParam), valid('json', body)];
  const operation = doc(
    summary,
    done(shown.kind, deed, part, called.remark?.ending),
    answerOf(shown.response, called.remark),
  );
  return createHandlers(operation, param, json, (c) =>
    transact(c, async (tx) => {
      const { id } = c.req.valid('param');
      const sent = c.req.valid('json');
      if (isDryRun?.(sent)) storeNothing(tx);
      const [given] = complete
        ? await Promise.all([complete(tx, sent), tx.find(shown.kind, id)])
        : [sent];
      const compute = (current: E) => next(current, given, tx.author, tx);
      return changeOne(c, tx, shown, id, called, compute, Object(given));
    }),
  );
}

/** What an update may be given beside its body. */
type Extra<E extends Entity, S extends z.ZodType> = Pick<Change<E, S>, 'isDryRun' | 'remark'>;

const updating =
  (what: string) =>
  <E extends Entity, S extends z.ZodType>(
    shown: Shown<E>,
    body: S,
    next: Change<E, S>['next'],
    extra: Extra<E, S> = {},
  ) => {
    const summary = `${what} of ${withArticle(nounOf(shown))}`;
    return change(shown, { summary, action: 'update', done: 'updated', body, next, ...extra });
  };

/** Updates some properties of an entity. */
export const patch = updating('Update some properties');

/** Replaces all properties of an entity. */
export const replace = updating('Replace the properties');

/** A move of an entity to another status that needs no body. */
interface Transition<E extends Entity> {
  /** What history calls it: `enable`. */
  action: ActionName;
  summary: string;
  /** What the message says was done: `enabled`. */
  done: string;
  next: (entity: E, author: Author) => E;
}

/** Moves one entity to another status, under If-Match; answers the new state. */
export function transition<E extends Entity>(
  shown: Shown<E>,
  { summary, done: deed, next, ...called }: Transition<E>,
) {
  const operation = doc(summary, done(shown.kind, deed), oneOf(shown.response));
  return createHandlers(operation, valid('param', idParam), (c) =>
    transact(c, (tx) => {
      const compute = (current: E) => next(current, tx.author);
      return changeOne(c, tx, shown, c.req.valid('param').id, called, compute);
    }),
  );
}

/** Removes one entity, under If-Match, and answers what it was; its history stays. */
export function remove<E extends Entity>(shown: Shown<E>) {
  const { kind, response, view, settles } = shown;
  const operation = doc(`Delete one ${nounOf(shown)}`, done(kind, 'deleted'), oneOf(response));
  return createHandlers(operation, valid('param', idParam), (c) =>
    transact(c, async (tx) => {
      const { id } = c.req.valid('param');
      const removal = () => entities.remove(tx, kind, id, ifMatch(c));
      const entity = await watching(tx, settles, id, removal);
      return c.json({ message: said(c, tx), data: view(entity) });
    }),
  );
}
