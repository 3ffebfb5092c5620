import type { Context } from 'hono';
import type * as z from 'zod';
import { single } from '../http/envelope.ts';
import type { Settles } from '../http/settling.ts';
import type { Entity } from '../store/columns.ts';
import type { Kind } from '../store/kind.ts';

/** A kind of entity, or a part of one, and how it is answered. */
export interface Shown<E extends Entity> {
  kind: Kind<E>;
  /** The schema of its answer, and the function that makes it. */
  response: z.ZodType;
  view: (entity: E, now?: number) => object;
  /** What of its answer the clock decides at a time, as a word that goes into its ETag; empty where that is nothing. */
  mark?: (entity: E, now: number) => string;
  /** What time changes of it. */
  settles?: Settles;
}

/** What a sentence calls it: `gate`, `API key`. */
export const nounOf = ({ kind }: { kind: { title: string } }) =>
  kind.title.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

/** `a gate`, `an API key`. */
export const withArticle = (noun: string) => `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}`;

/** Answers an entity as it is at this moment, with the ETag of that. */
export function answer<E extends Entity>(
  c: Context,
  { view, mark }: Pick<Shown<E>, 'view' | 'mark'>,
  message: string,
  entity: E,
) {
  const now = Date.now();
  const { version } = entity;
  return single(c, message, { version, mark: mark?.(entity, now) }, view(entity, now));
}
