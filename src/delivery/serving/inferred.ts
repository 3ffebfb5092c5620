import type { Context } from 'hono';
import type { Values } from '../../engine/evaluation/spec.ts';
import type { ClientApi } from './client_api.ts';

/** Only for client keys: a server's address is not its user's. See docs/contract/evaluation.md#43-what-is-inferred. */
export function inferredFrom(c: Context<ClientApi>): Values {
  if (c.get('caller').type !== 'CLIENT') return {};
  return {
    ip: c.req.header('CF-Connecting-IP'),
    country: c.req.raw.cf?.country,
    userAgent: c.req.header('User-Agent'),
  };
}
