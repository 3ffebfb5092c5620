import type { Context, MiddlewareHandler } from 'hono';
import { Problem } from '../problem.ts';
import { most } from '../shared/bounds.ts';
import { parsed } from '../shared/json.ts';

/** Takes an empty body for `{}`, and a body without a type for JSON. */
export const jsonBody: MiddlewareHandler = async (c, next) => {
  const { raw } = c.req;
  const isRead = raw.method === 'GET' || raw.method === 'HEAD';
  const isEmpty = raw.body === null || raw.headers.get('Content-Length') === '0';
  if (!isRead && (isEmpty || !raw.headers.has('Content-Type'))) {
    const headers = new Headers(raw.headers);
    if (!headers.has('Content-Type')) headers.set('Content-Type', 'application/json');
    headers.delete('Content-Length');
    const body = isEmpty ? '{}' : raw.body;
    c.req.raw = new Request(raw.url, { method: raw.method, headers, body });
  }
  await next();
};

const jsonType = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

/** 415 for a body that does not say that it is JSON. */
export function requireJSON(c: Context): void {
  if (jsonType.test(c.req.header('Content-Type') ?? '')) return;
  throw new Problem('media_type', 'Send the body with Content-Type: application/json.');
}

const code = (character: string) => character.charCodeAt(0);
const [quote, backslash] = [code('"'), code('\\')];
const opening = new Set(['{', '['].map(code));
const closing = new Set(['}', ']'].map(code));

/** Whether a JSON text nests deeper than some levels; it is read once, whatever is in it. */
export function isTextTooDeep(text: string, levels: number = most.depth): boolean {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const next = text.charCodeAt(at);
    if (next === quote) isQuoted = !isQuoted;
    else if (isQuoted && next === backslash) at++;
    else if (!isQuoted && opening.has(next)) depth++;
    else if (!isQuoted && closing.has(next)) depth--;
    if (depth > levels) return true;
  }
  return false;
}

/** How JSON writes half of a character of two; alone it is no character, and the database would store another. */
const half = /\\ud[89a-f]/i;

/** The places of the texts, and of the names, in which a character is half. */
function halves(value: unknown, path: string[] = []): string[] {
  if (typeof value === 'string') return value.isWellFormed() ? [] : [path.join('.') || 'body'];
  return Object.entries(Object(value)).flatMap(([key, part]) =>
    key.isWellFormed() ? halves(part, [...path, key]) : [path.join('.') || 'body'],
  );
}

/** 400 for a body that nests too deep, before anything walks it, or in which a character is half. */
export async function refuseUnfit(c: Context): Promise<void> {
  const text = await c.req.text();
  if (isTextTooDeep(text))
    throw Problem.property('body', `must not nest deeper than ${most.depth} levels`);
  const found = half.test(text) ? halves(parsed(text)) : [];
  const errorMessage = 'must not contain half of a character';
  if (found.length > 0)
    throw Problem.invalid(found.map((property) => ({ property, errorMessage })));
}
