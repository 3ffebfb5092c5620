import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { TrieRouter } from 'hono/router/trie-router';
import { expect } from 'vitest';
import * as z from 'zod';
import { app } from '../../src/app.ts';
import { isEqual } from '../../src/base/equal.ts';
import { isObject } from '../../src/base/value_types.ts';
import worker from '../../src/index.ts';
import type { Platform } from '../../src/platform/env.ts';
import { problemSchema } from '../../src/platform/openapi/problems.ts';
import { type Route, readRoutes } from '../../src/platform/openapi/routes.ts';
import { withArgumentLimit } from './arguments.ts';
import type { BodyOf } from './bodies.ts';
import { operationOf, statusesOf } from './document.ts';
import { messagesOf } from './messages.ts';
import { checkResponse } from './responses.ts';

export const base = '/console/v1';

/** The database of the tests, with the argument limit of D1. */
const DB = withArgumentLimit(env.DB);

/** Every documented operation of the service. */
export const routes = readRoutes(app);

/** Returns the matching operations with their titles, for `test.each`. */
export const each = (wanted: (route: Route) => unknown) =>
  routes.filter(wanted).map((route): [string, Route] => [`${route.method} ${route.path}`, route]);

/** Checks that each matching operation has the expected outcome; a failure lists those that differ. */
export async function expectOfEach(
  wanted: (route: Route) => unknown,
  outcomeOf: (route: Route) => Promise<unknown>,
  expected: unknown,
): Promise<void> {
  const all = each(wanted);
  const outcomes: Record<string, unknown> = {};
  for (const [title, route] of all) outcomes[title] = await outcomeOf(route);
  expect(all.length).toBeGreaterThan(0);
  expect(outcomes).toEqual(Object.fromEntries(all.map(([title]) => [title, expected])));
}

const router = new TrieRouter<Route>();
for (const route of routes) router.add(route.method, route.path, route);

function routeOf(method: string, path: string): Route | undefined {
  const [[[route] = []]] = router.match(method, path);
  return route;
}

export interface Options {
  body?: unknown;
  /** A body that is sent unchanged. */
  raw?: ReadableStream<Uint8Array> | Uint8Array | string;
  headers?: Record<string, string>;
  /** The API key; the root key by default, no key if null. */
  key?: string | null;
  /** Overrides of the bindings and secrets of the Worker. */
  bindings?: Partial<Platform>;
  /** Another isolate of the Worker. */
  worker?: Pick<typeof worker, 'fetch'>;
  /** Collects the work that the Worker continues after its response. */
  waiting?: Promise<unknown>[];
  /** Whether the test provokes a failure of the service, a 5xx. */
  fails?: boolean;
}

/** Sends a request like a client, without a check of the response. */
export function send(method: string, path: string, options: Options = {}) {
  const { body, raw, headers, key, bindings, waiting } = options;
  const own = new Headers(headers);
  if (key !== null) own.set('SERVICE-API-KEY', key ?? env.ROOT_API_KEY);
  if (body !== undefined && !own.has('Content-Type')) own.set('Content-Type', 'application/json');
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const url = new URL(path.startsWith('/') ? path : `${base}/${path}`, 'http://console.test');
  // Calls the entry directly: fetching `exports.default` gets slower with every call in this pool.
  const context = createExecutionContext();
  const waitUntil = (work: Promise<unknown>) => waiting?.push(work);
  return (options.worker ?? worker).fetch(
    new Request(url, { method, headers: own, body: raw ?? text }),
    { ...env, DB, ...bindings },
    waiting ? Object.assign(Object.create(context), { waitUntil }) : context,
  );
}

/**
 * Checks that a success has the documented status, exactly the documented properties, and a documented message. Calls
 * `expect` only for failures, because it is slow.
 */
export function checkDocumented(route: Route, status: number, body: unknown): void {
  const { operation } = route;
  const [title, documented] = [`${route.method} ${route.path}`, operation.status ?? 200];
  if (status !== documented) expect(status, `status of ${title}`).toBe(documented);
  const { data, error } = operation.response.safeParse(body);
  if (error) throw new Error(`${title} does not match its schema:\n${z.prettifyError(error)}`);
  // Parsing removes undocumented properties.
  if (!isEqual(data, body)) expect(body, `${title} has undocumented properties`).toEqual(data);
  const message = isObject(body) ? body.message : undefined;
  const messages = messagesOf(route, body);
  if (!messages.some((known) => known === message))
    expect(messages, `message of ${title}`).toContain(message);
}

/** Checks that the status of a failure and each member of its problem are documented; any path may return 405. */
function checkFailure(route: Route, status: number, body: unknown, label: string): void {
  const statuses = statusesOf(operationOf(route));
  if (status !== 405 && !statuses.has(status)) expect(statuses, label).toContain(status);
  const unknown = Object.keys(isObject(body) ? body : {}).filter(
    (name) => !(name in problemSchema.properties),
  );
  if (unknown.length > 0) expect(unknown, `undocumented: ${label}`).toEqual([]);
}

/** Returns the text of a response; `text()` warns about some types, such as the type of an export. */
export const textOf = async (response: Response): Promise<string> =>
  new TextDecoder().decode(await response.arrayBuffer());

/** The number of requests by `call`, and of those that have no response yet. */
let [started, open] = [0, 0];

/** Sends a request, and returns whether no other ran at the same time. */
async function sendCounted(method: string, url: string, options: Options) {
  const [number, startsAlone] = [++started, open === 0];
  open++;
  try {
    const response = await send(method, url, options);
    return { response, isAlone: startsAlone && started === number };
  } finally {
    open--;
  }
}

/** Calls an operation, checks the response against the document, and returns its JSON or text. */
export async function call(method: string, path: string, options: Options = {}) {
  const url = path.startsWith('/') ? path : `${base}/${path}`;
  const { response, isAlone } = await sendCounted(method, url, options);
  const text = await textOf(response);
  const isText = /ndjson|csv/.test(response.headers.get('Content-Type') ?? '');
  const body = isText || text === '' ? text || undefined : JSON.parse(text);
  const { status, headers } = response;
  const whole = new URL(url, 'http://console.test');
  const route = routeOf(method, whole.pathname);
  if (!route) expect(response.ok, `${method} ${path} is not a documented operation`).toBe(false);
  else {
    if (response.ok) checkDocumented(route, status, body);
    else checkFailure(route, status, body, `${method} ${path}: ${text}`);
    const label = `${method} ${path} is ${status}: ${text.slice(0, 300)}\nIt`;
    const exchange = { route, url: whole, options, status, headers, body, cost: costOf(response) };
    await checkResponse({ ...exchange, isAlone }, label);
  }
  return { status, headers, body, data: body?.data };
}

/** Calls an operation that must succeed, and returns its `data`. */
export async function ok<Method extends string, Path extends string>(
  method: Method,
  path: Path,
  body?: BodyOf<Method, Path>,
) {
  const response = await call(method, path, { body });
  if (response.status >= 300)
    throw new Error(`${method} ${path}: ${JSON.stringify(response.body)}`);
  return response.data;
}

/** Calls an operation that must return 400, and returns the properties in its errors. */
export async function invalidPropertiesOf(
  method: string,
  path: string,
  body: unknown,
): Promise<string[]> {
  const response = await call(method, path, { body });
  expect(response.status, `${method} ${path}: ${JSON.stringify(response.body)}`).toBe(400);
  return response.body.errors.map(({ property }: { property: string }) => property);
}

/** Returns the cost of a request from its Server-Timing. */
export function costOf({ headers }: { headers: Headers }) {
  const timing = headers.get('Server-Timing') ?? '';
  const figure = (name: string) => Number(timing.match(`${name};desc="(\\d+)"`)?.[1] ?? Number.NaN);
  return { trips: figure('trips'), read: figure('rows_read'), written: figure('rows_written') };
}
