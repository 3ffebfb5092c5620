import type { Context } from 'hono';
import type { Values } from '../evaluation/spec.ts';
import type { Door } from './door.ts';

/**
 * What a request tells of its user. Only the apps of users ask for themselves: a server's address and agent are its own.
 * See docs/contract/evaluation.md#43-what-is-inferred.
 */
export function inferredFrom(c: Context<Door>): Values {
  if (c.get('caller').type !== 'CLIENT') return {};
  return {
    ip: c.req.header('CF-Connecting-IP'),
    country: c.req.raw.cf?.country,
    userAgent: c.req.header('User-Agent'),
  };
}
