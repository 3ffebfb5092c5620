import type { Context } from 'hono';
import type * as z from 'zod';
import { idParam } from '../../base/ids.ts';
import type { ActionName } from '../../base/log_names.ts';
import type { Problem } from '../../base/problem.ts';
import { recordOf } from '../../base/value_types.ts';
import type { Service } from '../env.ts';
import { ifMatch } from '../http/conditional.ts';
import { dataEnvelope, respondCreated } from '../http/envelope.ts';
import { createHandlers } from '../http/handlers.ts';
import { withOverdue } from '../http/overdue.ts';
import { changeMessage } from '../http/success.ts';
import { storeNothing, transact } from '../http/transact.ts';
import { doc, valid } from '../http/valid.ts';
import type { Author } from '../store/core/author.ts';
import type { Entity } from '../store/core/entity.ts';
import type { Draft, Transaction } from '../store/core/transaction.ts';
import * as entities from '../store/entities/entities.ts';
import {
  entityResponse,
  type Handled,
  nounOf,
  prepareRemark,
  type Remark,
  respondWith,
  successOf,
  withArticle,
} from './resource.ts';

type IsDryRun<S extends z.ZodType> = (body: z.output<S>) => boolean | undefined;

interface CreateOptions<E extends Entity, S extends z.ZodType> {
  body: S;
  make: (body: z.output<S>, author: Author) => Draft<E>;
  /** Adds properties read from other entities, in the round trip that checks the ID. */
  complete?: (tx: Transaction, draft: Draft<E>) => Promise<Draft<E>>;
  status?: 200 | 201;
  isDryRun?: IsDryRun<S>;
}

/** Returns handlers that create an entity from a body and respond with its Location. */
export function creationHandlers<E extends Entity, S extends z.ZodType>(
  resource: Handled<E>,
  { body, make, complete, status = 201, isDryRun }: CreateOptions<E, S>,
) {
  const { kind, response, view } = resource;
  const summary = `Create ${withArticle(nounOf(resource))}`;
  const operation = doc(summary, successOf(kind, 'created'), dataEnvelope(response), {
    status,
    isUnversioned: true,
  });
  return createHandlers(operation, valid('json', body), (c) =>
    transact(c, async (tx) => {
      const given = c.req.valid('json');
      if (isDryRun?.(given)) storeNothing(tx);
      const draft = make(given, tx.author);
      const whole = () => complete?.(tx, draft) ?? draft;
      const entity = await entities.createEntity(tx, kind, draft.id, whole);
      return respondCreated(c, changeMessage(c, tx), entity, view(entity), {}, status);
    }),
  );
}

interface ChangeNaming<E extends Entity> {
  action: ActionName;
  remark?: Remark<E> | undefined;
}

/** Stages a change of one entity under If-Match, and responds with its new state. */
export async function changeOne<E extends Entity>(
  c: Context<Service>,
  tx: Transaction,
  resource: Handled<E>,
  id: string,
  { action, remark }: ChangeNaming<E>,
  next: (entity: E) => E,
  body?: object,
): Promise<Response> {
  const { kind, overdueChanges } = resource;
  const step = { action, ifMatch: ifMatch(c) };
  const [entity, say] = await withOverdue(tx, overdueChanges, id, async () => {
    const remarks = await prepareRemark(tx, kind, id, remark, body);
    return [await entities.changeEntity(tx, kind, id, step, next), remarks] as const;
  });
  const { members, ...own } = say(entity);
  return respondWith(c, resource, changeMessage(c, tx, own), entity, members);
}

export interface ChangeOptions<E extends Entity, S extends z.ZodType> extends ChangeNaming<E> {
  summary: string;
  part?: string;
  done: string;
  body: S;
  /** Adds values read from other entities to the body, in the round trip that reads the entity. */
  complete?: ((tx: Transaction, body: z.output<S>) => Promise<z.output<S>>) | undefined;
  guard?:
    | ((tx: Transaction, body: z.output<S>, id: string) => Promise<Problem | undefined>)
    | undefined; // the same trip
  /** Returns the new state; it may run more than once. It sets `tx.bodyPrefixes` if the body names properties differently. */
  next: (entity: E, body: z.output<S>, author: Author, tx: Transaction) => E;
  isDryRun?: IsDryRun<S>;
}

/** Returns handlers that change one entity by a body, under If-Match. */
export function changeHandlers<E extends Entity, S extends z.ZodType>(
  resource: Handled<E>,
  {
    summary,
    part,
    done: deed,
    body,
    complete,
    guard,
    next,
    isDryRun,
    ...naming
  }: ChangeOptions<E, S>,
) {
  const [param, json] = [valid('param', idParam), valid('json', body)];
  const operation = doc(
    summary,
    successOf(resource.kind, deed, part, naming.remark?.ending),
    entityResponse(resource.response, naming.remark),
  );
  return createHandlers(operation, param, json, (c) =>
    transact(c, async (tx) => {
      const { id } = c.req.valid('param');
      const sent = c.req.valid('json');
      if (isDryRun?.(sent)) storeNothing(tx);
      const [given] = complete
        ? await Promise.all([complete(tx, sent), tx.find(resource.kind, id)])
        : [sent];
      const compute = (current: E) => next(current, given, tx.author, tx);
      const changing = changeOne(c, tx, resource, id, naming, compute, recordOf(given));
      const [response, problem] = await Promise.all([changing, guard?.(tx, sent, id)]);
      if (problem) throw problem;
      return response;
    }),
  );
}

type Extra<E extends Entity, S extends z.ZodType> = Pick<
  ChangeOptions<E, S>,
  'isDryRun' | 'remark'
>;

const updating =
  (what: string) =>
  <E extends Entity, S extends z.ZodType>(
    resource: Handled<E>,
    body: S,
    next: ChangeOptions<E, S>['next'],
    extra: Extra<E, S> = {},
  ) => {
    const summary = `${what} of ${withArticle(nounOf(resource))}`;
    return changeHandlers(resource, {
      summary,
      action: 'update',
      done: 'updated',
      body,
      next,
      ...extra,
    });
  };

export const patchHandlers = updating('Update some properties');

export const replaceHandlers = updating('Replace the properties');

interface Transition<E extends Entity> {
  action: ActionName;
  summary: string;
  done: string;
  next: (entity: E, author: Author) => E;
}

/** Returns handlers that change the status of one entity, under If-Match. */
export function transitionHandlers<E extends Entity>(
  resource: Handled<E>,
  { summary, done: deed, next, ...naming }: Transition<E>,
) {
  const operation = doc(summary, successOf(resource.kind, deed), dataEnvelope(resource.response));
  return createHandlers(operation, valid('param', idParam), (c) =>
    transact(c, (tx) => {
      const compute = (current: E) => next(current, tx.author);
      return changeOne(c, tx, resource, c.req.valid('param').id, naming, compute);
    }),
  );
}

/** Returns handlers that remove one entity under If-Match, and respond with its last state; its history remains. */
export function removalHandlers<E extends Entity>(resource: Handled<E>) {
  const { kind, response, view, overdueChanges } = resource;
  const operation = doc(
    `Delete one ${nounOf(resource)}`,
    successOf(kind, 'deleted'),
    dataEnvelope(response),
  );
  return createHandlers(operation, valid('param', idParam), (c) =>
    transact(c, async (tx) => {
      const { id } = c.req.valid('param');
      const removal = () => entities.removeEntity(tx, kind, id, ifMatch(c));
      const entity = await withOverdue(tx, overdueChanges, id, removal);
      return c.json({ message: changeMessage(c, tx), data: view(entity) });
    }),
  );
}
