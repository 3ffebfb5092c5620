// Requests contain no key: the browser adds the session's cookie.

import type { PropertyError } from '../../base/problem.ts';
import { ended, Refused, readBody, refused, unreachable } from './problems.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Call {
  method: Method;
  path: string;
  body?: object;
  version?: number;
  once?: string;
  note?: string;
}

export interface Pagination {
  itemsPerPage: number;
  pageNumber: number;
  totalItems: number;
  /** A page of large entities can be shorter than its limit. */
  nextPage: string | null;
}

interface Warning {
  property: string;
  message: string;
}

export interface Answer<T> {
  message: string;
  data: T;
  pagination: Pagination;
  warnings?: Warning[];
  ignored?: PropertyError[];
  version: number;
  cost: string;
}

const base = '/console/v1';

const bookmark = 'bookmark';

/** Returns 128 random bits as hex. `crypto.randomUUID` is missing over plain http. */
export const randomID = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
};

const asJSON = { 'Content-Type': 'application/json' };

const ownHeaders = ({ body, version, once, note }: Call): Record<string, string> => ({
  ...(version !== undefined && { 'If-Match': `"${version}"` }),
  ...(once !== undefined && { 'Idempotency-Key': once }),
  // Headers are ASCII: other characters and "%" are percent-encoded.
  ...(note && { 'Change-Note': note.replaceAll(/%|[^ -~]+/gu, encodeURIComponent) }),
  ...(body && asJSON),
});

function headersOf(request: Call): Record<string, string> {
  const seen = sessionStorage.getItem(bookmark);
  return { ...ownHeaders(request), ...(seen !== null && { 'D1-Bookmark': seen }) };
}

export const sessions = new EventTarget();

let signIns = 0;

const reach = (path: string, request: RequestInit) =>
  fetch(path, request).catch(() => {
    throw new Refused(unreachable);
  });

/** Sends a request. A read is sent again if someone signed in meanwhile; a change is not. */
async function send(path: string, request: RequestInit, isChange: boolean): Promise<Response> {
  const before = signIns;
  const response = await reach(path, request);
  if (response.status === 401) {
    if (signIns === before) sessions.dispatchEvent(new Event('lost'));
    else if (!isChange) return send(path, request, isChange);
    throw new Refused(ended);
  }
  if (!response.ok) throw await refused(response);
  return response;
}

/** Calls the API, as a dry run if requested. @throws Refused */
export async function call<T>(request: Call, dryRun = false): Promise<Answer<T>> {
  const { method, path, body } = request;
  const sent = { method, headers: headersOf(request), body: JSON.stringify(body) };
  const isChange = method !== 'GET' && !dryRun;
  const response = await send(`${base}${path}${dryRun ? '?dryRun=true' : ''}`, sent, isChange);
  const seen = response.headers.get('D1-Bookmark');
  if (seen) sessionStorage.setItem(bookmark, seen);
  const answer = await readBody<Answer<T>>(response);
  const version = Number(response.headers.get('ETag')?.match(/\d+/)?.[0] ?? 0);
  return { ...answer, version, cost: response.headers.get('Server-Timing') ?? '' };
}

/** Reads a path of the API. */
export const get = <T>(path: string) => call<T>({ method: 'GET', path });

/** Reads all pages of a list. The path must have a query. */
export async function getAll<T>(path: string): Promise<T[]> {
  const all: T[] = [];
  let next: string | undefined = `${path}&limit=100`;
  while (next) {
    const { data, pagination }: Answer<T[]> = await get<T[]>(next);
    all.push(...data);
    next = pagination.nextPage?.slice(base.length);
  }
  return all;
}

/** Reads, starts or ends the session. */
export async function session<T>(method: Method, body?: object): Promise<T> {
  const response = await reach('/console/session', {
    method,
    ...(body && { headers: asJSON, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw await refused(response);
  if (method === 'POST') signIns += 1;
  const { data } = await readBody<{ data: T }>(response);
  return data;
}

/** Combines changes into one atomic request. A single change is returned unchanged. */
export function together(calls: Call[], once: string): Call {
  const [first, ...others] = calls;
  if (first && others.length === 0) return first.version === undefined ? { ...first, once } : first;
  const changes = calls.map(({ method, path, body, version }) => ({
    method,
    path: `${base}${path}`,
    body,
    ...(version !== undefined && { ifMatch: `"${version}"` }),
  }));
  return { method: 'POST', path: '/changes', body: { changes }, once };
}

/** Returns the warnings of a change, or of all combined changes. */
export const warningsOf = ({ warnings = [], data }: Answer<unknown>): Warning[] => [
  ...warnings,
  ...(Array.isArray(data) ? data.flatMap((result) => result.body?.warnings ?? []) : []),
];

const shellQuoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Returns a request as a curl command. */
export function asCurl(request: Call): string {
  const { method, path, body } = request;
  const lines = [
    `curl -X ${method} ${shellQuoted(`${location.origin}${base}${path}`)}`,
    `-H "SERVICE-API-KEY: $KEY"`,
    ...Object.entries(ownHeaders(request)).map(
      ([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`,
    ),
    ...(body === undefined ? [] : [`-d ${shellQuoted(JSON.stringify(body))}`]),
  ];
  return lines.join(' \\\n  ');
}
