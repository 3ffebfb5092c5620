import type { Context } from 'hono';
import type * as z from 'zod';
import type { Success } from '../env.ts';
import { oneOf, single } from '../http/envelope.ts';
import type { Settles } from '../http/settling.ts';
import { show } from '../shared/fields.ts';
import { inSentence } from '../store/core/define_kind.ts';
import type { Entity } from '../store/core/entity.ts';
import type { Kind } from '../store/core/kind.ts';
import type { Transaction } from '../store/core/transaction.ts';

/** A kind of entity, or a part of one, and how it is answered. */
export interface Shown<E extends Entity> {
  kind: Kind<E>;
  /** The schema of its answer, and the function that makes it. */
  response: z.ZodType;
  view: (entity: E, now?: number) => object;
  /**
   * What of its answer the clock decides at a time, in epoch milliseconds, as a word that goes into its ETag; empty where
   * that is nothing.
   */
  mark?: (entity: E, now: number) => string;
  /** What time changes of it. */
  settles?: readonly Settles[] | undefined;
}

/** A kind that is answered as it is stored: the properties that the schema of its answer has. */
export const shownBy = <S extends z.ZodObject, E extends Entity & z.output<S>, K extends Kind<E>>(
  kind: Kind<E> & K,
  response: S,
) => ({ kind, response, view: (entity: E): z.output<S> => show(response, entity) });

/** What the answer of a change says beside its message and data. */
interface Said {
  /** The end of the message: `, 3 entries removed`. */
  ending?: string;
  members?: object;
}

/** How the answer of a change comes to say more. */
export interface Remark<E extends Entity> {
  /** The further members of the answer. */
  members: z.ZodRawShape;
  /** How the message ends in the document, where it has an end each time. */
  ending?: string;
  /**
   * Reads what it needs, in the round trip of the entity.
   * @param body that of the request; absent where it has none
   * @returns what to say of a change from one state to another
   */
  prepare(
    tx: Transaction,
    id: string,
    body: object | undefined,
  ): Promise<(before: E | undefined, after: E) => Said>;
}

/** The answer of a change, with what it may say beside. */
export const answerOf = <E extends Entity>(response: z.ZodType, remark: Remark<E> | undefined) =>
  remark ? oneOf(response).extend(remark.members) : oneOf(response);

/** The state of an entity before a change, and what to say of the change; one round trip. */
export async function remarking<E extends Entity>(
  tx: Transaction,
  kind: Kind<E>,
  id: string,
  remark: Remark<E> | undefined,
  body?: object,
): Promise<(after: E) => Said> {
  if (!remark) return () => ({});
  const [before, say] = await Promise.all([tx.find(kind, id), remark.prepare(tx, id, body)]);
  return (after) => say(before, after);
}

/** How a sentence calls it: `gate`, `API key`. */
export const nounOf = ({ kind }: { kind: { title: string } }) => inSentence(kind.title);

/** What an operation on one of a kind, or on a part of one, says of its success: `Gate enabled`, `Gate rule added`. */
export const done = (
  { title }: { title: string },
  deed: string,
  part = '',
  ending = '',
): Success => ({ title: part ? `${title} ${part}` : title, done: deed, ending });

/** What a list of a kind says: `Gates listed`. */
export const listed = ({ title }: { title: string }) => done({ title: `${title}s` }, 'listed');

/** `a gate`, `an API key`. */
export const withArticle = (noun: string) => `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}`;

/** Answers an entity as it is at this moment, with the ETag of that, and what else there is to say. */
export function answer<E extends Entity>(
  c: Context,
  { view, mark }: Pick<Shown<E>, 'view' | 'mark'>,
  message: string,
  entity: E,
  more?: object,
) {
  const now = Date.now();
  const { version } = entity;
  return single(c, message, { version, mark: mark?.(entity, now) }, view(entity, now), more);
}
