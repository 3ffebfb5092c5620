import type { MiddlewareHandler } from 'hono';
import { Problem } from '../../base/problem.ts';
import type { KeyScope, Service } from '../env.ts';
import { isRead } from './methods.ts';

/** Requires a scope of the API key for reads, and one for changes. @throws Problem 403 */
export const requires =
  (read: KeyScope, write: KeyScope = read): MiddlewareHandler<Service> =>
  async (c, next) => {
    const scope = isRead(c) ? read : write;
    if (!c.get('actor').scopes.includes(scope))
      throw new Problem('forbidden', `This operation needs an API key with the scope ${scope}.`);
    await next();
  };
