import type { Context } from 'hono';
import { Problem } from '../problem.ts';
import type { Door } from './door.ts';

/** In seconds: the longer of the two periods that the platform's binding can have. */
const longestPeriod = '60';

/**
 * Counts a request of a client key against the limit of its address, where the deployment has the binding `EVALUATIONS`
 * (evaluation, section 10). Such a key is in everybody's hands, so that it says nothing of who asks; those of servers
 * are not limited.
 * @throws Problem 429, with the seconds to wait, where the address has none left
 */
export async function countEvaluation(c: Context<Door>): Promise<void> {
  const { EVALUATIONS } = c.env;
  if (!EVALUATIONS || c.get('caller').type !== 'CLIENT') return;
  const { success } = await EVALUATIONS.limit({ key: c.req.header('CF-Connecting-IP') ?? '' });
  if (success) return;
  const message = 'Too many requests from this address; wait a minute.';
  throw new Problem('rate_limited', message, { headers: { 'Retry-After': longestPeriod } });
}
