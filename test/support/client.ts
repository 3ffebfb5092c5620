import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { TrieRouter } from 'hono/router/trie-router';
import { expect } from 'vitest';
import * as z from 'zod';
import { app } from '../../src/app.ts';
import type { Platform } from '../../src/env.ts';
import worker from '../../src/index.ts';
import { problemSchema } from '../../src/openapi/problems.ts';
import { type Route, readRoutes } from '../../src/openapi/routes.ts';
import { isEqual } from '../../src/shared/equal.ts';
import { strict } from './arguments.ts';
import { described, statusesOf } from './document.ts';
import { messagesOf } from './messages.ts';

export const base = '/console/v1';

/** The database of the tests, which takes no more than D1 does. */
const DB = strict(env.DB);

/** Every operation of the service, as documented. */
export const routes = readRoutes(app);

/** The operations that are wanted, each with its title, for `test.each`. */
export const each = (wanted: (route: Route) => unknown) =>
  routes.filter(wanted).map((route): [string, Route] => [`${route.method} ${route.path}`, route]);

const router = new TrieRouter<Route>();
for (const route of routes) router.add(route.method, route.path, route);

/** The documented operation that a request reaches. */
function routeOf(method: string, path: string): Route | undefined {
  const [[[route] = []]] = router.match(method, path);
  return route;
}

export interface Options {
  body?: unknown;
  /** A body that is sent as it is. */
  raw?: ReadableStream<Uint8Array> | Uint8Array | string;
  headers?: Record<string, string>;
  /** The API key; the root key by default, none where null. */
  key?: string | null;
  /** Bindings and secrets of the Worker, where they are other than those of the tests. */
  bindings?: Partial<Platform>;
  /** Another isolate of the Worker. */
  worker?: Pick<typeof worker, 'fetch'>;
  /** Takes what the Worker goes on with after its answer. */
  waiting?: Promise<unknown>[];
}

/** Sends a request as a client would, without looking at the answer. */
export function send(method: string, path: string, options: Options = {}) {
  const { body, raw, headers, key, bindings, waiting } = options;
  const own = new Headers(headers);
  if (key !== null) own.set('SERVICE-API-KEY', key ?? env.ROOT_API_KEY);
  if (body !== undefined && !own.has('Content-Type')) own.set('Content-Type', 'application/json');
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const url = new URL(path.startsWith('/') ? path : `${base}/${path}`, 'http://console.test');
  // The Worker's own entry; a fetch of `exports.default` gets slower with every call in this pool.
  const context = createExecutionContext();
  const waitUntil = (work: Promise<unknown>) => waiting?.push(work);
  return (options.worker ?? worker).fetch(
    new Request(url, { method, headers: own, body: raw ?? text }),
    { ...env, DB, ...bindings },
    waiting ? Object.assign(Object.create(context), { waitUntil }) : context,
  );
}

/**
 * Checks a success against what is documented of its operation: status, schema, with nothing more, and message. Each
 * `expect` takes as long as a part of the request itself: it is asked for its words, where something is wrong.
 */
export function checkDocumented(route: Route, status: number, body: unknown): void {
  const { operation } = route;
  const [title, documented] = [`${route.method} ${route.path}`, operation.status ?? 200];
  if (status !== documented) expect(status, `status of ${title}`).toBe(documented);
  const { data, error } = operation.response.safeParse(body);
  if (error) throw new Error(`${title} is not as documented:\n${z.prettifyError(error)}`);
  // What is not documented is not in what was parsed.
  if (!isEqual(data, body)) expect(body, `${title} has more than is documented`).toEqual(data);
  const [{ message }, messages] = [Object(body), messagesOf(route, body)];
  if (!messages.includes(message)) expect(messages, `message of ${title}`).toContain(message);
}

/**
 * Checks that a status other than a success is documented of its operation, and each member of its problem; a path beside
 * those of ids has methods of its own.
 */
function checkFailure(route: Route, status: number, body: unknown, told: string): void {
  const statuses = statusesOf(described(route));
  if (status !== 405 && !statuses.has(status)) expect(statuses, told).toContain(status);
  const unknown = Object.keys(Object(body)).filter((name) => !(name in problemSchema.properties));
  if (unknown.length > 0) expect(unknown, `more than is documented: ${told}`).toEqual([]);
}

/** The text of an answer; `text()` itself warns of types such as that of an export. */
export const textOf = async (answer: Response): Promise<string> =>
  new TextDecoder().decode(await answer.arrayBuffer());

/** Calls an operation and reads its JSON, or the text of its lines; every 2xx must be as documented, every other status be documented. */
export async function call(method: string, path: string, options: Options = {}) {
  const url = path.startsWith('/') ? path : `${base}/${path}`;
  const response = await send(method, url, options);
  const text = await textOf(response);
  const isLines = response.headers.get('Content-Type')?.includes('ndjson');
  const body = isLines || text === '' ? text || undefined : JSON.parse(text);
  const route = routeOf(method, new URL(url, 'http://console.test').pathname);
  if (!route) expect(response.ok, `${method} ${path} is no documented operation`).toBe(false);
  else if (response.ok) checkDocumented(route, response.status, body);
  else checkFailure(route, response.status, body, `${method} ${path}: ${text}`);
  return { status: response.status, headers: response.headers, body, data: body?.data };
}

/** Calls an operation that must succeed, and answers its `data`. */
export async function ok(method: string, path: string, body?: unknown) {
  const answer = await call(method, path, { body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.data;
}

/** Calls an operation that must be a 400, and answers the properties that it names. */
export async function faults(method: string, path: string, body: unknown): Promise<string[]> {
  const answer = await call(method, path, { body });
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(400);
  return answer.body.errors.map(({ property }: { property: string }) => property);
}

/** What a request cost, from its Server-Timing. */
export function costOf({ headers }: { headers: Headers }) {
  const timing = headers.get('Server-Timing') ?? '';
  const figure = (name: string) => Number(timing.match(`${name};desc="(\\d+)"`)?.[1] ?? Number.NaN);
  return { trips: figure('trips'), read: figure('rows_read'), written: figure('rows_written') };
}
