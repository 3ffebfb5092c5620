import type { MiddlewareHandler } from 'hono';
import type { Scope, Service } from '../env.ts';
import { Problem } from '../problem.ts';
import { isRead } from './methods.ts';

/**
 * Requires a scope of the API key, on the routes of a resource: 403 otherwise.
 * @param read the scope that reading needs
 * @param write the scope that changing needs; the same where left out
 */
export const requires =
  (read: Scope, write: Scope = read): MiddlewareHandler<Service> =>
  async (c, next) => {
    const scope = isRead(c) ? read : write;
    if (!c.get('actor').scopes.includes(scope))
      throw new Problem('forbidden', `This operation needs an API key with the scope ${scope}.`);
    await next();
  };
