import { isObject } from './value_types.ts';

/**
 * Whether two JSON values are equal, whatever their keys are called: packages that compare go by `constructor`, which
 * here is a key like any other. What has a key without a value differs from what has not that key.
 */
export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  // By their places: the keys of a long one take ten times as long.
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, at) => isEqual(item, other[at]));
  if (!isObject(one) || !isObject(other)) return Number.isNaN(one) && Number.isNaN(other);
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqual(one[key], other[key]))
  );
}
