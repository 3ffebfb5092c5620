import { memoize } from '../shared/memoize.ts';
import { numberOf } from '../shared/numbers.ts';
import { epochMilliseconds, isLong } from '../shared/readable.ts';

/** Undefined and null are missing; "" is a value. */
export const isMissing = (value: unknown): value is null | undefined =>
  value === undefined || value === null;

/** Caches the JSON of an array or object, which many conditions may read. */
export const jsonOf = memoize((value: object) => JSON.stringify(value));

/** Returns the text of a value, as JSON except for texts; undefined for objects, missing values, and 1e400. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (value === Infinity || value === -Infinity) return undefined;
  if (typeof value === 'number' || typeof value === 'boolean') return JSON.stringify(value);
  if (Array.isArray(value)) return jsonOf(value);
  return undefined;
}

const isoTime = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/;

/** Returns epoch milliseconds of a number in milliseconds or seconds, or of ISO 8601, in UTC without a zone. */
export function timeOf(value: unknown): number | undefined {
  const number = numberOf(value);
  if (number !== undefined) return epochMilliseconds(number);
  const parts = typeof value === 'string' ? isoTime.exec(value) : null;
  if (!parts) return undefined;
  const [, day, time = '00:00', zone = 'Z'] = parts;
  const parsed = Date.parse(`${day}T${time}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
  return Number.isNaN(parsed) ? undefined : parsed;
}

/** Splits a version, without a suffix after the first hyphen. */
function partsOf(value: unknown): string[] | undefined {
  const text = textOf(value);
  if (text === undefined || isLong(text)) return undefined;
  return text.split('-', 1)[0]?.split('.');
}

/** SDKs ignore blanks around a part, and a plus sign before it. */
const integer = /^\s*\+?\d+\s*$/;

/** Compares versions by integer parts; missing parts are 0. Returns undefined if a compared part is not an integer. */
export function compareVersions(one: unknown, other: unknown): number | undefined {
  const [left, right] = [partsOf(one), partsOf(other)];
  if (!left || !right) return undefined;
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const [a, b] = [left[index] ?? '0', right[index] ?? '0'];
    if (!integer.test(a) || !integer.test(b)) return undefined;
    if (Number(a) !== Number(b)) return Number(a) - Number(b);
  }
  return 0;
}
