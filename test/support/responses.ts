import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { version } from '../../package.json';
import { sha256Hex } from '../../src/base/sha256.ts';
import { isObject, memberOf, recordOf } from '../../src/base/value_types.ts';
import { isChange, type Route } from '../../src/platform/openapi/routes.ts';
import { document, operationOf, type Piece, resolved } from './document.ts';
import { scopeOf } from './scopes.ts';
import { objectOf } from './shapes.ts';
import { usualTrips } from './trips.ts';

/** What the rules need of a request. */
interface Request {
  body?: unknown;
  headers?: Record<string, string>;
  key?: string | null;
  bindings?: object;
  /** Whether the test provokes a failure of the service, a 5xx. */
  fails?: boolean;
}

/** A request to a documented operation, and the response with its cost. */
interface Exchange {
  route: Route;
  url: URL;
  options: Request;
  status: number;
  headers: Headers;
  body: unknown;
  cost: { trips: number; written: number };
  /** Whether no other request ran at the same time. */
  isAlone: boolean;
}

const isOK = (status: number) => status < 300;

const headerOf = ({ options }: Exchange, name: string) =>
  new Headers(options.headers).get(name) ?? undefined;

const isDryRun = ({ url, body }: Exchange) =>
  url.searchParams.get('dryRun') === 'true' || / would be /.test(messageIn(body));

const messageIn = (body: unknown) => String(isObject(body) ? body.message : '');

/** The test whose requests may take more round trips, and why. */
let allowance: { test: string | undefined; because: string } | undefined;

const currentTest = () => expect.getState().currentTestName;

/** Allows more round trips to the requests of the current test: they store what is overdue, for example. */
export function allowMoreTrips(because: string): void {
  allowance = { test: currentTest(), because };
}

/** Whether a request may take more round trips: the test says so, it replaces the database, or others overtake a change. */
const mayTakeMore = ({ route, options, isAlone }: Exchange) =>
  (allowance !== undefined && allowance.test === currentTest()) ||
  'DB' in (options.bindings ?? {}) ||
  (isChange(route) && !isAlone);

/** A rule of all responses; it returns what is wrong. */
type Rule = (exchange: Exchange) => string | false | undefined;

const timing =
  /^trips;desc="\d+", rows_read;desc="\d+", rows_written;desc="\d+", db;dur=\d+(\.\d+)?$/;

const hasUsualHeaders: Rule = ({ status, headers, body }) => {
  const cost = headers.get('Server-Timing') ?? '';
  if (!timing.test(cost)) return `has the Server-Timing "${cost}"`;
  if (headers.get('API-Version') !== version) return 'lacks the API-Version';
  if (!headers.get('X-Request-Id')) return 'lacks an X-Request-Id';
  if (headers.get('Cache-Control') !== 'private, no-cache') return 'may be cached';
  const type = headers.get('Content-Type') ?? '';
  const wanted = status < 400 ? /^$|json|csv/ : /^application\/problem\+json/;
  if (!wanted.test(type) || (type === '' && body !== undefined)) return `is of the type "${type}"`;
};

const documentedNames = Object.keys(document.components.headers);
const documented = new Map<string, string[]>();

/** Returns the names of the documented headers of a response. */
function documentedHeaders(route: Route, status: number): string[] {
  const { responses } = operationOf(route);
  const key = `${route.method} ${route.path} ${status}`;
  const known = documented.get(key);
  if (known) return known;
  const piece: Piece = resolved(responses[status] ?? responses.default);
  const names = Object.keys(piece.headers ?? {});
  documented.set(key, names);
  return names;
}

/** What exists once has no version before it is first set. */
const isSetOnce = /\/(company|environments|wh_connections)$/;

/** Headers that only some responses of a status have. */
function isExpected(exchange: Exchange, name: string): boolean {
  const { status, headers, cost } = exchange;
  // A refused or rolled back batch has no bookmark.
  if (name === 'D1-Bookmark' && (!isOK(status) || (isDryRun(exchange) && cost.trips === 1)))
    return headers.has(name);
  if (name === 'D1-Bookmark') return cost.trips > 0;
  if (name === 'Location') return !isDryRun(exchange);
  if (name === 'Retry-After') return status === 429 || (status === 503 && headers.has(name));
  // An entity that was removed, or one of many changes, has no current version.
  if (name === 'ETag' && status === 412) return headers.has('ETag');
  if (name === 'ETag' && isSetOnce.test(exchange.route.path)) return headers.has('ETag');
  return true;
}

const hasDocumentedHeaders: Rule = (exchange) => {
  const { route, status, headers } = exchange;
  const wanted = documentedHeaders(
    route,
    status === 304 ? (route.operation.status ?? 200) : status,
  );
  for (const name of documentedNames) {
    const expected = wanted.includes(name) && isExpected(exchange, name);
    if (headers.has(name) !== expected) return `${expected ? 'lacks' : 'has'} the header ${name}`;
  }
};

const tagsIn = (text: string) => [...text.matchAll(/"([^"]*)"/g)].map(([, tag = '']) => tag);
const versionOf = (tag: string) => Number(tag.split('.')[0]);

const hasItsVersion: Rule = ({ status, headers, body }) => {
  const [tag] = tagsIn(headers.get('ETag') ?? '');
  if (tag === undefined || !isObject(body)) return;
  if (!/^\d+(\.\w+)?$/.test(tag)) return `has the ETag "${tag}"`;
  const { data, current } = body;
  const shown = objectOf(status === 412 ? current : data);
  // A name that is used but not registered has no version.
  if ('version' in shown && shown.version !== null && shown.version !== versionOf(tag))
    return `has the ETag "${tag}" and the version ${shown.version}`;
};

const agreesWithIfMatch: Rule = (exchange) => {
  const { status, headers } = exchange;
  const given = headerOf(exchange, 'If-Match');
  const [tag] = tagsIn(headers.get('ETag') ?? '');
  const many = exchange.route.path.endsWith('/changes');
  if (given === undefined) return status === 412 && !many && 'is 412 without If-Match';
  if (tag === undefined || given === '*') return;
  const named = tagsIn(given.replace(/W\/"[^"]*"/g, '')).map(versionOf);
  const known = versionOf(tag);
  // A used name has the version 0 until it is registered.
  if (isOK(status) && ![known, known - 1, 0].some((version) => named.includes(version)))
    return `stores the version ${known} under If-Match ${given}`;
  if (status === 412 && named.includes(known)) return `refuses its own ETag "${tag}"`;
};

const agreesWithIfNoneMatch: Rule = (exchange) => {
  const { status, headers, route } = exchange;
  const given = headerOf(exchange, 'If-None-Match');
  const [tag] = tagsIn(headers.get('ETag') ?? '');
  const isKnown =
    given !== undefined && (given === '*' || (tag !== undefined && tagsIn(given).includes(tag)));
  if (status === 304) return !isKnown && `is 304 for If-None-Match ${given}`;
  const mayBeKnown = isOK(status) && route.method === 'GET' && tag !== undefined;
  // Results that are not loaded yet have the version 0, and are read again.
  return mayBeKnown && isKnown && !tag.startsWith('0.') && `is ${status} for its own ETag`;
};

const takesItsTrips: Rule = (exchange) => {
  const { route, options, status, cost } = exchange;
  if (mayTakeMore(exchange)) return;
  const usual = usualTrips(route, options.body);
  const isReplay = exchange.headers.has('Idempotency-Replayed');
  const isExact = isOK(status) && !isReplay && (cost.written > 0 || !isChange(route));
  // A key that is new to the isolate is looked up, a refusal may read why, a repeated request its first response, and
  // a read of results first their version.
  const more =
    (typeof options.key === 'string' ? 1 : 0) +
    (status >= 400 ? 2 : 0) +
    (headerOf(exchange, 'Idempotency-Key') === undefined || isExact ? 0 : 1) +
    (headerOf(exchange, 'If-None-Match') === undefined || status === 304 ? 0 : 1);
  const most = usual.most + more;
  if (cost.trips < (isExact ? usual.least : 0) || cost.trips > most)
    return `takes ${cost.trips} round trips instead of ${usual.most}`;
};

const writesOnlyChanges: Rule = (exchange) => {
  const { route, status, headers } = exchange;
  const { written } = exchange.cost;
  if (written === 0 || mayTakeMore(exchange)) return;
  if (!isOK(status)) return `is ${status} and writes ${written} rows`;
  if (headers.has('Idempotency-Replayed')) return `is a replay and writes ${written} rows`;
  if (isDryRun(exchange)) return `is a dry run and writes ${written} rows`;
  return !isChange(route) && `is a read and writes ${written} rows`;
};

const dryRunSaysSo: Rule = ({ url, status, body }) => {
  if (url.searchParams.get('dryRun') !== 'true' || !isOK(status)) return;
  const message = messageIn(body);
  // One operation returns the bare source, without a message.
  return (
    isObject(body) && 'message' in body && !message.includes(' would be ') && `says ${message}`
  );
};

const failsOnlyOnPurpose: Rule = ({ options, status }) =>
  status >= 500 && options.fails !== true && `is ${status}, which the test does not provoke`;

const paging = ['page', 'limit', 'after', 'before'];

/** Returns the parameters of a list that its pages share. */
const shared = ({ pathname, searchParams }: URL) =>
  `${pathname} ${[...searchParams].filter(([name]) => !paging.includes(name)).join('&')}`;

/** Whether a link leads to a page of the list, of the same size. */
function isLink(link: unknown, url: URL, limit: number, isPage: (page: number) => boolean) {
  if (link === null) return true;
  const to = new URL(String(link), url);
  const [page, size] = ['page', 'limit'].map((name) => Number(to.searchParams.get(name)));
  return shared(to) === shared(url) && size === limit && isPage(page ?? 0);
}

const linksItsPages: Rule = ({ url, body }) => {
  const pagination = recordOf(memberOf(body, 'pagination'));
  if (Object.keys(pagination).length === 0) return;
  const limit = Number(url.searchParams.get('limit') ?? 100);
  const page = Number(url.searchParams.get('page') ?? 1);
  const { itemsPerPage, pageNumber, nextPage, previousPage, all } = pagination;
  const data = memberOf(body, 'data');
  const count = Array.isArray(data) ? data.length : 0;
  const before = (to: number) => to >= 1 && (to < page || page === 1);
  const isRight =
    [itemsPerPage, pageNumber, all].join() === [limit, page, url.pathname].join() &&
    count <= limit &&
    isLink(nextPage, url, limit, (to) => to === page + 1) &&
    isLink(previousPage, url, limit, before);
  return !isRight && `has the pagination ${JSON.stringify(pagination)}`;
};

const rules = [
  failsOnlyOnPurpose,
  hasUsualHeaders,
  takesItsTrips,
  hasDocumentedHeaders,
  hasItsVersion,
  agreesWithIfMatch,
  agreesWithIfNoneMatch,
  writesOnlyChanges,
  dryRunSaysSo,
  linksItsPages,
];

/** A response without its scope is 401 or 403, and no other is. */
async function scopeFault({ route, options, status }: Exchange): Promise<string | false> {
  const { key, bindings } = options;
  if (key === null) return isOK(status) && 'succeeds without a key';
  if (key === undefined)
    return bindings === undefined && [401, 403].includes(status) && `is ${status} for the root key`;
  if (!isOK(status)) return false;
  const reading = env.DB.prepare('select scopes from keys where hash = ?').bind(sha256Hex(key));
  const scopes = (await reading.first<{ scopes: string }>())?.scopes ?? '';
  const needed = scopeOf(route);
  return !scopes.includes(`"${needed}"`) && `succeeds for a key with ${scopes}, not ${needed}`;
}

/** Throws for the first rule that a response breaks. */
export async function checkResponse(exchange: Exchange, label: string): Promise<void> {
  for (const rule of rules) {
    const fault = rule(exchange);
    if (fault) throw new Error(`${label} ${fault}.`);
  }
  const fault = await scopeFault(exchange);
  if (fault) throw new Error(`${label} ${fault}.`);
}
