import type { Context } from 'hono';
import type { Service } from '../env.ts';

/** What an operation says of its success: `Gate` `enabled`, or a sentence of its own. */
export type Success =
  | string
  | {
      /** What it is about. */
      title: string;
      /** What was done with it. */
      done: string;
      /** How the sentence ends in the document, where each answer has an end of its own: `, 1 entry removed`. */
      ending?: string;
    };

/** The sentence, as the document shows it: that of a change which is made. */
export const sentenceOf = (success: Success): string =>
  typeof success === 'string'
    ? success
    : `${success.title} ${success.done} successfully${success.ending ?? ''}.`;

/** What the operation that is called says of its success, as it is documented. */
function successOf(c: Context<Service>): Success {
  const success = c.get('success');
  if (success === undefined) throw new Error(`${c.req.path} says nothing of its success`);
  return success;
}

/** What a read says. */
export const told = (c: Context<Service>): string => sentenceOf(successOf(c));

/**
 * What a change says it did; of a dry run, what it would do.
 * @param own what it says of this one change otherwise: another deed, or an end of the sentence
 */
export function said(
  c: Context<Service>,
  { dryRun }: { dryRun: boolean },
  own: { done?: string; ending?: string } = {},
): string {
  const success = successOf(c);
  if (typeof success === 'string') return success;
  const { title } = success;
  const { done = success.done, ending = '' } = own;
  return dryRun ? `${title} would be ${done}${ending}.` : sentenceOf({ title, done, ending });
}
