import type { Context, MiddlewareHandler } from 'hono';
import { parseJSON } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { losesDigits } from '../../base/number_loss.ts';
import { Problem, type PropertyError } from '../../base/problem.ts';
import { cutOff } from './bytes.ts';
import { isRead } from './methods.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** Decodes UTF-8 strictly: a lenient decoder would store replacement characters. */
function decodeUTF8(bytes: ArrayBuffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Problem('malformed', 'The body is not UTF-8.');
  }
}

/** Throws Problem 415 for a body with a Content-Encoding; SDK bodies are read elsewhere. */
export function refuseEncoded(c: Context): void {
  if (/^(identity)?$/i.test(c.req.header('Content-Encoding') ?? '')) return;
  throw new Problem('media_type', 'Send the body uncompressed, without Content-Encoding.');
}

/** Treats an empty body as `{}` and an untyped body as JSON. @throws Problem 415 if encoded, 400 if not UTF-8 */
export const jsonBody: MiddlewareHandler = async (c, next) => {
  if (isRead(c)) return next();
  refuseEncoded(c);
  if (!c.req.raw.headers.has('Content-Type')) {
    const headers = new Headers(c.req.raw.headers);
    headers.set('Content-Type', 'application/json');
    c.req.raw = new Request(c.req.raw, { headers });
  }
  if (/json/i.test(c.req.header('Content-Type') ?? '')) {
    const text = decodeUTF8(await c.req.raw.arrayBuffer().catch(cutOff)) || '{}';
    Object.assign(c.req.bodyCache, { text: Promise.resolve(text) }); // Hono's cache of the body
  }
  return next();
};

const jsonType = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

/** Throws Problem 415 unless the Content-Type is JSON; the message lists the accepted types. */
export function requireJSON(c: Context, types = 'application/json'): void {
  if (jsonType.test(c.req.header('Content-Type') ?? '')) return;
  throw new Problem('media_type', `Send the body with Content-Type: ${types}.`);
}

const code = (character: string) => character.charCodeAt(0);
const [quote, backslash] = [code('"'), code('\\')];
const opening = new Set(['{', '['].map(code));
const closing = new Set(['}', ']'].map(code));

/** Whether a JSON text nests deeper than `levels`, in one scan of the text. */
export function isTextTooDeep(text: string, levels: number = limits.depth): boolean {
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

/** Values that may not be storable: half of a surrogate pair, or a number that overflows to Infinity. */
const suspect = /\\ud[89a-f]|\de\+?\d{3}|(?<!\d)\d{100}/i;

/** Possible numbers that lose digits: a double keeps 15. */
const longNumber = /[\d.]{16,}(?:e[+-]?\d+)?/gi;

class LossyNumber {
  constructor(readonly stored: number) {}
}

/** A JSON reviver that wraps lossy numbers; the runtime passes the source text of a number. */
const markLossy = (_key: string, value: unknown, how?: { source?: string }): unknown =>
  typeof value === 'number' && losesDigits(how?.source?.replace(/^-/, '') ?? '')
    ? new LossyNumber(value)
    : value;

const halfMessage = 'must not contain half of a character';
const infiniteMessage = 'must be a finite number';

const isHalf = (text: string) => !text.isWellFormed();

function jsonFault(value: unknown): string | undefined {
  if (value instanceof LossyNumber)
    return `must be sent as text: as a number it would be ${value.stored}`;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : infiniteMessage;
  return typeof value === 'string' && isHalf(value) ? halfMessage : undefined;
}

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof LossyNumber);

function* faultsWithin(value: object, path: string[]): Generator<PropertyError> {
  for (const [key, part] of Object.entries(value)) {
    const errorMessage = jsonFault(part);
    if (isHalf(key)) yield { property: path.join('.') || 'body', errorMessage: halfMessage };
    else if (isContainer(part)) yield* faultsWithin(part, [...path, key]);
    else if (errorMessage) yield { property: [...path, key].join('.'), errorMessage };
  }
}

function faultsIn(value: unknown, path: string[]): Iterable<PropertyError> {
  if (isContainer(value)) return faultsWithin(value, path);
  const errorMessage = jsonFault(value);
  return errorMessage ? [{ property: path.join('.') || 'body', errorMessage }] : [];
}

/** Returns the parts of a JSON text that cannot be stored unchanged; `path` is the prefix of their names. */
export function unstorableIn(text: string, path: string[]): Iterable<PropertyError> {
  if (text.match(longNumber)?.some(losesDigits)) return faultsIn(parseJSON(text, markLossy), path);
  return suspect.test(text) ? faultsIn(parseJSON(text), path) : [];
}

const maxFaults = 100;

/** Throws Problem 400 for JSON at `path` that nests too deep for later walks, or cannot be stored unchanged. */
export function refuseUnfit(text: string, path: string[], levels: number): void {
  if (isTextTooDeep(text, levels))
    throw Problem.property(path[0] ?? 'body', `must not nest deeper than ${levels} levels`);
  const found: PropertyError[] = [];
  for (const fault of unstorableIn(text, path)) if (found.push(fault) === maxFaults) break;
  if (found.length > 0) throw Problem.invalid(found);
}
