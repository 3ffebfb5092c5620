import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { requestId } from 'hono/request-id';
import type { Platform, Scope } from '../env.ts';
import type { Context as EvaluationContext } from '../evaluation/context.ts';
import { serverTiming } from '../http/observe.ts';
import { countEvaluation } from '../http/rate_limit.ts';
import { methodNotAllowed as refuseMethod } from '../http/respond.ts';
import type { Database } from '../store/sql/database.ts';
import { type Caller, identify } from './caller.ts';
import { current, openCurrent } from './current.ts';
import type { Snapshot } from './snapshot.ts';
import { logIfSpent } from './spent_patterns.ts';

/** The environment of the routes by which applications ask. */
export interface Door {
  Bindings: Platform;
  Variables: {
    requestId: string;
    db: Database;
    snapshot: Snapshot;
    caller: Caller;
    /** What was evaluated, if anything. */
    evaluated?: EvaluationContext;
  };
}

/** Any app may ask from any page: no cookie is ever looked at, so that there is nothing to borrow. */
const anyOrigin = '*';

const preflight = cors({
  origin: anyOrigin,
  allowMethods: ['GET', 'POST', 'OPTIONS'],
  maxAge: 86_400,
});

/** What every answer says. */
const headersOfAll = {
  'Access-Control-Allow-Origin': anyOrigin,
  'Access-Control-Expose-Headers': 'ETag,Retry-After,Spec-Age,Server-Timing',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
};

/** Answers a preflight before anything is looked for. */
const share: MiddlewareHandler<Door> = (c, next) =>
  c.req.method === 'OPTIONS' ? preflight(c, next) : next();

/** Opens the request's session of the database, and says in each answer what was asked of it. */
const timed: MiddlewareHandler<Door> = async (c, next) => {
  const db = openCurrent(c.env.DB);
  c.set('db', db);
  await next();
  const { headers } = c.res; // `c.header` would make the whole answer again for each of them
  for (const [name, value] of Object.entries(headersOfAll)) headers.set(name, value);
  headers.set('Server-Timing', serverTiming(db.meter));
  headers.set('X-Request-Id', c.get('requestId'));
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'private, no-store');
};

/**
 * Routes by which applications ask; preflights are answered before a key is looked for.
 * See docs/contract/evaluation.md#10-browsers-errors-limits.
 * @param base what their paths begin with
 */
export function door(base: string) {
  const app = new Hono<Door>().basePath(base).use(requestId(), share, timed);
  return app.use(methodNotAllowed({ app, onMethodNotAllowed: refuseMethod }));
}

/** From this age on, in milliseconds, an answer says how old it is: the database cannot be reached. */
const notable = 3000;

/** What is known of the project, for a request. */
const currentFor = (c: Context<Door>) =>
  current(c.get('db'), (look) => c.executionCtx.waitUntil(look(openCurrent(c.env.DB))));

/** Has what is known of the project at hand, in `c.get('snapshot')`. */
export const informed: MiddlewareHandler<Door> = async (c, next) => {
  const { snapshot, age } = await currentFor(c);
  c.set('snapshot', snapshot);
  await next();
  const evaluated = c.get('evaluated');
  if (evaluated) logIfSpent(evaluated, c.get('requestId'), Date.now());
  if (age >= notable) c.res.headers.set('Spec-Age', String(Math.floor(age / 1000)));
};

/** Where a key is looked for, in this order. See docs/contract/evaluation.md#3-keys. */
const keyHeaders = ['X-API-Key', 'STATSIG-API-KEY', 'SERVICE-API-KEY'];

/** The key of a request, from its headers. */
export function keyInHeaders(c: Context): string | undefined {
  const [, bearer] = /^Bearer\s+(\S+)$/i.exec(c.req.header('Authorization') ?? '') ?? [];
  return bearer ?? keyHeaders.map((name) => c.req.header(name)).find((key) => key);
}

/**
 * Requires a key with a scope, which has requests left: 401, 403, 429.
 * @param keyOf where else than in the headers it may be
 */
export const asks =
  (
    scope: Scope,
    keyOf: (c: Context) => string | undefined = keyInHeaders,
  ): MiddlewareHandler<Door> =>
  async (c, next) => {
    c.set('caller', identify(keyOf(c), scope, c.get('snapshot'), c.env));
    const { EVALUATIONS } = c.env;
    // A client key is in everybody's hands, so that it says nothing of who asks; those of servers are not limited.
    if (EVALUATIONS && c.get('caller').type === 'CLIENT')
      await countEvaluation(EVALUATIONS, c.req.header('CF-Connecting-IP') ?? '');
    await next();
  };
