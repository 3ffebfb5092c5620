import type { Context } from 'hono';
import type { Service, Success } from '../env.ts';

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
