import type { Context } from 'hono';
import type { Scope } from '../env.ts';
import { asks, keyInHeaders } from '../serving/door.ts';

/** The key in a path that ends with `<key>.json`. */
function keyInPath(c: Context): string | undefined {
  const file = c.req.param('file');
  return file?.endsWith('.json') ? file.slice(0, -'.json'.length) : undefined;
}

/** Requires a key with a scope, where SDKs send it: in a header, in the query, in the path. */
export const asksSDK = (scope: Scope) =>
  asks(scope, (c) => keyInHeaders(c) ?? c.req.query('k') ?? keyInPath(c));
