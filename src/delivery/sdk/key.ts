import type { Context } from 'hono';
import type { KeyScope } from '../../platform/env.ts';
import { keyInHeaders, requireKey } from '../serving/client_api.ts';

function keyInPath(c: Context): string | undefined {
  const file = c.req.param('file');
  return file?.endsWith('.json') ? file.slice(0, -'.json'.length) : undefined;
}

/** Requires an API key with a scope, which SDKs send in a header, in the query or in the path. */
export const requireSDKKey = (scope: KeyScope) =>
  requireKey(scope, (c) => keyInHeaders(c) ?? c.req.query('k') ?? keyInPath(c));
