import { memoize, memoizeText } from '../../base/memoize.ts';
import { numberOf } from '../../base/numbers.ts';
import { epochMilliseconds, isLong } from './readable.ts';

/** Undefined and null are missing; "" is a value. */
export const isMissing = (value: unknown): value is null | undefined =>
  value === undefined || value === null;

/** Caches the JSON of an array or object, which many conditions may read. */
export const jsonOf = memoize((value: object) => JSON.stringify(value));

/** Returns the text of a value, as JSON except for texts; undefined for objects, missing values, and 1e400. */
export function textOfValue(value: unknown): string | undefined {
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

/** SDKs ignore blanks around a part, and a plus sign before it. */
const integer = /^\s*\+?\d+\s*$/;

const maxVersions = 1000;

const partsOf = memoizeText(maxVersions, (text): readonly number[] => {
  const [version = ''] = text.split('-', 1);
  return version.split('.').map((part) => (integer.test(part) ? Number(part) : Number.NaN));
});

/** Returns the parts of a version, without a suffix after the first hyphen; NaN for a part that is not an integer. */
export function versionNumbers(value: unknown): readonly number[] | undefined {
  const text = textOfValue(value);
  return text === undefined || isLong(text) ? undefined : partsOf(text);
}

/** Compares versions; missing parts are 0. Returns undefined if a compared part is NaN. */
export function compareVersions(
  one: readonly number[] | undefined,
  other: readonly number[] | undefined,
): number | undefined {
  if (!one || !other) return undefined;
  for (let index = 0; index < Math.max(one.length, other.length); index++) {
    const a = one[index] ?? 0;
    const b = other[index] ?? 0;
    if (Number.isNaN(a) || Number.isNaN(b)) return undefined;
    if (a !== b) return a - b;
  }
  return 0;
}
