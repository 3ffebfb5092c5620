import { madeOnce } from '../shared/made_once.ts';
import { numberOf } from '../shared/numbers.ts';
import { epochMilliseconds, isLong } from '../shared/readable.ts';

// How operators read a value of a user: as text, as a time, as the parts of a version; `numberOf` as a number.

/** Absent and null are missing; "" is a value. */
export const isMissing = (value: unknown): value is null | undefined =>
  value === undefined || value === null;

/** The JSON of an array or object, of which many conditions may ask. */
export const jsonOf = madeOnce((value: object) => JSON.stringify(value));

/**
 * The text of a value: numbers, booleans and arrays as JSON writes them; missing values and objects have none, nor have
 * numbers such as 1e400, of which JSON would write null.
 */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (value === Infinity || value === -Infinity) return undefined;
  if (typeof value === 'number' || typeof value === 'boolean') return JSON.stringify(value);
  if (Array.isArray(value)) return jsonOf(value);
  return undefined;
}

const isoTime = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * The time that a value is, in epoch milliseconds: a number or numeric text of milliseconds or seconds, or ISO 8601,
 * which is UTC where it names no zone.
 */
export function timeOf(value: unknown): number | undefined {
  const number = numberOf(value);
  if (number !== undefined) return epochMilliseconds(number);
  const parts = typeof value === 'string' ? isoTime.exec(value) : null;
  if (!parts) return undefined;
  const [, day, time = '00:00', zone = 'Z'] = parts;
  const parsed = Date.parse(`${day}T${time}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
  return Number.isNaN(parsed) ? undefined : parsed;
}

/** The parts of a version, without what follows the first hyphen. */
function partsOf(value: unknown): string[] | undefined {
  const text = textOf(value);
  if (text === undefined || isLong(text)) return undefined;
  return text.split('-', 1)[0]?.split('.');
}

/** Blanks around a part, and a plus before it, are as in the SDKs no part of it. */
const integer = /^\s*\+?\d+\s*$/;

/**
 * Compares two versions part by part as integers, of which absent ones are 0: below 0, 0 or above 0. Undefined where a
 * part that is reached is no integer.
 */
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
