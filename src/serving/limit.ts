import { Problem } from '../problem.ts';

/** In seconds: the longer of the two periods that the platform's binding can have. */
const longestPeriod = '60';

/**
 * Counts a request against the limit of its address (evaluation, section 10).
 * @throws Problem 429, with the seconds to wait, where the address has none left
 */
export async function countEvaluation(limit: RateLimit, address: string): Promise<void> {
  const { success } = await limit.limit({ key: address });
  if (success) return;
  const message = 'Too many requests from this address; wait a minute.';
  throw new Problem('rate_limited', message, { headers: { 'Retry-After': longestPeriod } });
}
