import { isObject } from './value_types.ts';

/** Whether JSON values are equal. Packages treat the ordinary key `constructor` specially. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  // by index: 10 times faster than by keys
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, at) => isEqual(item, other[at]));
  if (!isObject(one) || !isObject(other)) return Number.isNaN(one) && Number.isNaN(other);
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqual(one[key], other[key]))
  );
}
