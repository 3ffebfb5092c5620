import type { MiddlewareHandler } from 'hono';
import type { Service } from '../env.ts';
import { Problem } from '../problem.ts';

/** Limits the changes of each API key by the platform's binding; locally and in tests nothing is limited. */
export const rateLimit: MiddlewareHandler<Service> = async (c, next) => {
  const isChange = c.req.method !== 'GET' && c.req.method !== 'HEAD';
  if (isChange && c.env.CHANGES && c.env.CHANGE_LIMIT !== 'none') {
    const { success } = await c.env.CHANGES.limit({ key: c.get('actor').id });
    if (!success)
      throw new Problem('rate_limited', 'Too many changes with this API key; wait a minute.', {
        headers: { 'Retry-After': '60' },
      });
  }
  await next();
};
