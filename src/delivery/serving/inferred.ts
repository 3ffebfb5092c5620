import type { Context } from 'hono';
import type { ReadonlyRecord } from '../../base/value_types.ts';
import type { ClientApi } from './client_api.ts';

/** Only for client keys: a server's address is not its user's. See docs/contract/evaluation.md#43-what-is-inferred. */
export function inferredFrom(c: Context<ClientApi>): ReadonlyRecord {
  if (c.get('caller').type !== 'CLIENT') return {};
  return {
    ip: c.req.header('CF-Connecting-IP'),
    country: c.req.raw.cf?.country,
    userAgent: c.req.header('User-Agent'),
  };
}
