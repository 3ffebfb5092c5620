import type * as z from 'zod';
import { oneOf } from '../http/envelope.ts';
import type { Entity } from '../store/columns.ts';
import type { Kind } from '../store/kind.ts';
import type { Transaction } from '../store/transaction.ts';

/** A kind of entity, or a part of one, and how it is answered. */
export interface Shown<E extends Entity> {
  kind: Kind<E>;
  /** The schema of its answer, and the function that makes it. */
  response: z.ZodType;
  view: (entity: E) => object;
}

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

/** What a sentence calls it: `gate`, `API key`. */
export const nounOf = ({ kind }: { kind: { title: string } }) =>
  kind.title.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

/** `a gate`, `an API key`. */
export const withArticle = (noun: string) => `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}`;
