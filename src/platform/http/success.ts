import type { Context } from 'hono';
import type { Service, Success } from '../env.ts';

/** Returns the success message for the OpenAPI document. */
export const documentedMessage = (success: Success): string =>
  typeof success === 'string'
    ? success
    : `${success.title} ${success.done} successfully${success.ending ?? ''}.`;

function requireSuccess(c: Context<Service>): Success {
  const success = c.get('success');
  if (success === undefined) throw new Error(`${c.req.path} documents no success message`);
  return success;
}

/** Returns the message of a read. */
export const readMessage = (c: Context<Service>): string => documentedMessage(requireSuccess(c));

/** Returns the message of a change or its dry run; `own` replaces the documented verb or ending. */
export function changeMessage(
  c: Context<Service>,
  { dryRun }: { dryRun: boolean },
  own: { done?: string; ending?: string } = {},
): string {
  const success = requireSuccess(c);
  if (typeof success === 'string') return success;
  const { title } = success;
  const { done = success.done, ending = '' } = own;
  return dryRun
    ? `${title} would be ${done}${ending}.`
    : documentedMessage({ title, done, ending });
}
