import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { requestId } from 'hono/request-id';
import type { EvaluationContext } from '../../engine/evaluation/context.ts';
import type { KeyScope, Platform } from '../../platform/env.ts';
import { serverTiming } from '../../platform/http/observe.ts';
import { countEvaluation } from '../../platform/http/rate_limit.ts';
import { methodNotAllowed as refuseMethod } from '../../platform/http/respond.ts';
import type { Database } from '../../platform/store/sql/database.ts';
import { type Caller, identify } from './caller.ts';
import { currentSnapshot, openCurrent } from './current.ts';
import type { Snapshot } from './snapshot.ts';
import { logIfSpent } from './spent_patterns.ts';

export interface ClientApi {
  Bindings: Platform;
  Variables: {
    requestId: string;
    db: Database;
    snapshot: Snapshot;
    caller: Caller;
    evaluated?: EvaluationContext;
  };
}

/** Safe because no endpoint of applications reads cookies. */
const everyOrigin = '*';

const preflight = cors({
  origin: everyOrigin,
  allowMethods: ['GET', 'POST', 'OPTIONS'],
  maxAge: 86_400,
});

const commonHeaders = {
  'Access-Control-Allow-Origin': everyOrigin,
  'Access-Control-Expose-Headers': 'ETag,Retry-After,Spec-Age,Server-Timing',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
};

const respondToPreflight: MiddlewareHandler<ClientApi> = (c, next) =>
  c.req.method === 'OPTIONS' ? preflight(c, next) : next();

const withSession: MiddlewareHandler<ClientApi> = async (c, next) => {
  const db = openCurrent(c.env.DB);
  c.set('db', db);
  await next();
  const { headers } = c.res; // `c.header` would copy the whole response for each header
  for (const [name, value] of Object.entries(commonHeaders)) headers.set(name, value);
  headers.set('Server-Timing', serverTiming(db.meter));
  headers.set('X-Request-Id', c.get('requestId'));
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'private, no-store');
};

/** Returns an app for application endpoints. See docs/contract/evaluation.md#10-browsers-errors-limits. */
export function clientApi(base: string) {
  const app = new Hono<ClientApi>()
    .basePath(base)
    .use(requestId(), respondToPreflight, withSession);
  return app.use(methodNotAllowed({ app, onMethodNotAllowed: refuseMethod }));
}

/** From this age on, in milliseconds, `Spec-Age` is sent: the database cannot be reached. */
const reportedAge = 3000;

const currentFor = (c: Context<ClientApi>) =>
  currentSnapshot(c.get('db'), (check) => c.executionCtx.waitUntil(check(openCurrent(c.env.DB))));

/** Loads the snapshot into `c.get('snapshot')`. */
export const withSnapshot: MiddlewareHandler<ClientApi> = async (c, next) => {
  const { snapshot, age } = await currentFor(c);
  c.set('snapshot', snapshot);
  await next();
  const evaluated = c.get('evaluated');
  if (evaluated) logIfSpent(evaluated, c.get('requestId'), Date.now());
  if (age >= reportedAge) c.res.headers.set('Spec-Age', String(Math.floor(age / 1000)));
};

/** In order of precedence. See docs/contract/evaluation.md#3-keys. */
const keyHeaders = ['X-API-Key', 'STATSIG-API-KEY', 'SERVICE-API-KEY'];

export function keyInHeaders(c: Context): string | undefined {
  const [, bearer] = /^Bearer\s+(\S+)$/i.exec(c.req.header('Authorization') ?? '') ?? [];
  return bearer ?? keyHeaders.map((name) => c.req.header(name)).find((key) => key);
}

/** Requires an API key with a scope, and for client keys remaining requests: 401, 403, 429. */
export const requireKey =
  (
    scope: KeyScope,
    keyOf: (c: Context) => string | undefined = keyInHeaders,
  ): MiddlewareHandler<ClientApi> =>
  async (c, next) => {
    c.set('caller', identify(keyOf(c), scope, c.get('snapshot'), c.env));
    const { EVALUATIONS } = c.env;
    // A client key is public, so its requests are limited by IP address. Server keys have no limit.
    if (EVALUATIONS && c.get('caller').type === 'CLIENT') await countEvaluation(EVALUATIONS, c);
    await next();
  };
