import type { Context } from 'hono';
import type * as z from 'zod';
import { show } from '../../base/fields.ts';
import type { Success } from '../env.ts';
import { dataEnvelope, single } from '../http/envelope.ts';
import type { OverdueChanges } from '../http/overdue.ts';
import { inSentence } from '../store/core/define_kind.ts';
import type { Entity } from '../store/core/entity.ts';
import type { HookedKind } from '../store/core/hooks.ts';
import type { Kind } from '../store/core/kind.ts';
import type { Page } from '../store/core/page.ts';
import type { Transaction } from '../store/core/transaction.ts';

export interface Handled<E extends Entity> {
  kind: HookedKind<E>;
  response: z.ZodType;
  /** Adds what the view needs and only loads on demand, to entities that were read. */
  enrich?: (entities: readonly E[]) => Promise<readonly E[]>;
  view: (entity: E, now?: number) => object;
  /** The state of the response at a time in epoch milliseconds, if it depends on time: a word of its ETag, or empty. */
  mark?: (entity: E, now: number) => string;
  overdueChanges?: readonly OverdueChanges[] | undefined;
}

/** Returns a resource whose response has the stored properties that the schema lists. */
export const resourceOf = <
  S extends z.ZodObject,
  E extends Entity & z.output<S>,
  K extends HookedKind<E>,
>(
  kind: HookedKind<E> & K,
  response: S,
) => ({ kind, response, view: (entity: E): z.output<S> => show(response, entity) });

/** Returns a page whose entities have what the view needs. */
export const enrichedPage = async <E extends Entity>(
  { enrich }: Pick<Handled<E>, 'enrich'>,
  page: Page<E>,
): Promise<Page<E>> => (enrich ? { ...page, items: [...(await enrich(page.items))] } : page);

interface Additions {
  ending?: string;
  members?: object;
}

export interface Remark<E extends Entity> {
  members: z.ZodRawShape;
  /** The documented end of the message, if it always has one. */
  ending?: string;
  /** Reads the necessary state, in the round trip of the entity; returns a function that compares the states. */
  prepare(
    tx: Transaction,
    id: string,
    body: object | undefined,
  ): Promise<(before: E | undefined, after: E) => Additions>;
}

/** Returns the response schema of a change, with the members of the remark. */
export const entityResponse =
  <E extends Entity>(response: z.ZodType, remark: Remark<E> | undefined) =>
  () =>
    remark ? dataEnvelope(response)().extend(remark.members) : dataEnvelope(response)();

/** Reads the state before a change, and returns the function that compares it; one round trip. */
export async function prepareRemark<E extends Entity>(
  tx: Transaction,
  kind: Kind<E>,
  id: string,
  remark: Remark<E> | undefined,
  body?: object,
): Promise<(after: E) => Additions> {
  if (!remark) return () => ({});
  const [before, say] = await Promise.all([tx.find(kind, id), remark.prepare(tx, id, body)]);
  return (after) => say(before, after);
}

/** Returns the noun in a sentence: `gate`, `API key`. */
export const nounOf = ({ kind }: { kind: { title: string } }) => inSentence(kind.title);

/** Returns the success message of an operation on an entity, or on a part of it: `Gate enabled`, `Gate rule added`. */
export const successOf = (
  { title }: { title: string },
  deed: string,
  part = '',
  ending = '',
): Success => ({ title: part ? `${title} ${part}` : title, done: deed, ending });

export const listSuccess = ({ title }: { title: string }) =>
  successOf({ title: `${title}s` }, 'listed');

export const withArticle = (noun: string) => `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}`;

/** Responds with an entity at the current time, and its ETag. */
export async function respondWith<E extends Entity>(
  c: Context,
  { enrich, view, mark }: Pick<Handled<E>, 'enrich' | 'view' | 'mark'>,
  message: string,
  found: E,
  more?: object,
) {
  const now = Date.now();
  const [entity = found] = enrich ? await enrich([found]) : [];
  const { version } = entity;
  return single(c, message, { version, mark: mark?.(entity, now) }, view(entity, now), more);
}
