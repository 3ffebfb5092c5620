import type * as z from 'zod';
import type { Settles } from '../http/settling.ts';
import type { Entity } from '../store/columns.ts';
import type { Kind } from '../store/kind.ts';

/** A kind of entity, or a part of one, and how it is answered. */
export interface Shown<E extends Entity> {
  kind: Kind<E>;
  /** The schema of its answer, and the function that makes it. */
  response: z.ZodType;
  view: (entity: E) => object;
  /** What time changes of it. */
  settles?: Settles;
}

/** What a sentence calls it: `gate`, `API key`. */
export const nounOf = ({ kind }: { kind: { title: string } }) =>
  kind.title.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

/** `a gate`, `an API key`. */
export const withArticle = (noun: string) => `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}`;
