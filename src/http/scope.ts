import type { MiddlewareHandler } from 'hono';
import type { Scope, Service } from '../env.ts';
import { Problem } from '../problem.ts';
import { isRead } from './methods.ts';

/**
 * Returns middleware that requires a scope of the API key, and throws Problem 403 otherwise.
 * @param write the scope for changes; by default that for reads
 */
export const requires =
  (read: Scope, write: Scope = read): MiddlewareHandler<Service> =>
  async (c, next) => {
    const scope = isRead(c) ? read : write;
    if (!c.get('actor').scopes.includes(scope))
      throw new Problem('forbidden', `This operation needs an API key with the scope ${scope}.`);
    await next();
  };
