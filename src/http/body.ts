import type { Context, MiddlewareHandler } from 'hono';
import { Problem, type PropertyError } from '../problem.ts';
import { most } from '../shared/bounds.ts';
import { parsed } from '../shared/json.ts';
import { losesDigits } from '../shared/number_loss.ts';
import { cutOff } from './bytes.ts';
import { isRead } from './methods.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** The text of a body; 400 where it is not UTF-8, as its letters would be stored as others. */
function decoded(bytes: ArrayBuffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Problem('malformed', 'The body is not UTF-8.');
  }
}

/** 415 for a body that is encoded, as by gzip; SDKs may do so, whose bodies are read elsewhere. */
export function refuseEncoded(c: Context): void {
  if (/^(identity)?$/i.test(c.req.header('Content-Encoding') ?? '')) return;
  throw new Problem('media_type', 'Send the body as it is, without Content-Encoding.');
}

/** Takes an empty body for `{}`, and a body without a type for JSON; what is encoded, or not UTF-8, is refused. */
export const jsonBody: MiddlewareHandler = async (c, next) => {
  if (isRead(c)) return next();
  refuseEncoded(c);
  if (!c.req.raw.headers.has('Content-Type')) {
    const headers = new Headers(c.req.raw.headers);
    headers.set('Content-Type', 'application/json');
    c.req.raw = new Request(c.req.raw, { headers });
  }
  if (/json/i.test(c.req.header('Content-Type') ?? '')) {
    const text = decoded(await c.req.raw.arrayBuffer().catch(cutOff)) || '{}';
    Object.assign(c.req.bodyCache, { text: Promise.resolve(text) }); // where Hono keeps what it reads once
  }
  return next();
};

const jsonType = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

/** 415 for a body that does not say that it is JSON, with the types that it may have. */
export function requireJSON(c: Context, types = 'application/json'): void {
  if (jsonType.test(c.req.header('Content-Type') ?? '')) return;
  throw new Problem('media_type', `Send the body with Content-Type: ${types}.`);
}

const code = (character: string) => character.charCodeAt(0);
const [quote, backslash] = [code('"'), code('\\')];
const opening = new Set(['{', '['].map(code));
const closing = new Set(['}', ']'].map(code));

/** Whether a JSON text nests deeper than so many levels; the text is gone over once, whatever is in it. */
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

/**
 * How JSON may write what the database would store as something else: one half of a surrogate pair, which alone is no
 * character, or a number that is too large for one.
 */
const suspect = /\\ud[89a-f]|\de\+?\d{3}|(?<!\d)\d{100}/i;

/** What may be a number that loses digits; those of 15 are held. Texts may have it too. */
const long = /[\d.]{16,}(?:e[+-]?\d+)?/gi;

/** A number beyond 2^53 that would be stored as another. */
class Lost {
  constructor(readonly stored: number) {}
}

/** A part of JSON as it is, but for lost numbers. The runtime hands on how a number is written. */
const withLost = (_key: string, value: unknown, how?: { source?: string }): unknown =>
  typeof value === 'number' && losesDigits(how?.source?.replace(/^-/, '') ?? '')
    ? new Lost(value)
    : value;

const halved = 'must not contain half of a character';
const infinite = 'must be a finite number';

const isHalf = (text: string) => !text.isWellFormed();

/** What is at fault in a value, apart from those within. */
function faultOf(value: unknown): string | undefined {
  if (value instanceof Lost) return `must be sent as text: as a number it would be ${value.stored}`;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : infinite;
  return typeof value === 'string' && isHalf(value) ? halved : undefined;
}

const holdsOthers = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Lost);

/** What is at fault in the names and values within a value. A path is made for those alone that hold others. */
function* misfitsWithin(value: object, path: string[]): Generator<PropertyError> {
  for (const [key, part] of Object.entries(value)) {
    const errorMessage = faultOf(part);
    if (isHalf(key)) yield { property: path.join('.') || 'body', errorMessage: halved };
    else if (holdsOthers(part)) yield* misfitsWithin(part, [...path, key]);
    else if (errorMessage) yield { property: [...path, key].join('.'), errorMessage };
  }
}

/** What is at fault in a value, and in the names and values within. */
function misfits(value: unknown, path: string[]): Iterable<PropertyError> {
  if (holdsOthers(value)) return misfitsWithin(value, path);
  const errorMessage = faultOf(value);
  return errorMessage ? [{ property: path.join('.') || 'body', errorMessage }] : [];
}

/** What a JSON text holds that cannot be stored as it is, and where, after a path. */
export function unfitIn(text: string, path: string[]): Iterable<PropertyError> {
  if (text.match(long)?.some(losesDigits)) return misfits(parsed(text, withLost), path);
  return suspect.test(text) ? misfits(parsed(text), path) : [];
}

/** How many faults are looked for: no more are named. */
const mostFaults = 100;

/**
 * 400 for JSON that nests too deep, before anything walks it, or that holds what cannot be stored as it is.
 * @param path where in the body it stands; none for the body itself
 */
export function refuseUnfit(text: string, path: string[], levels: number): void {
  if (isTextTooDeep(text, levels))
    throw Problem.property(path[0] ?? 'body', `must not nest deeper than ${levels} levels`);
  const found: PropertyError[] = [];
  for (const fault of unfitIn(text, path)) if (found.push(fault) === mostFaults) break;
  if (found.length > 0) throw Problem.invalid(found);
}
