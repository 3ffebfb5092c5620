import { isObject } from '../../../base/value_types.ts';
import type { Model } from '../core/model.ts';

function isSameSet(one: readonly unknown[], other: readonly unknown[]): boolean {
  const members = new Set(other);
  return new Set(one).size === members.size && one.every((member) => members.has(member));
}

/** Returns the new value with every set in its stored order if its members are the same. */
export function inStoredOrder(
  model: Model,
  before: unknown,
  after: unknown,
  property = '',
): unknown {
  if (before === after || model.mentions.opaque.has(property)) return after;
  if (Array.isArray(before) && Array.isArray(after)) {
    if (model.sets.has(property) && isSameSet(before, after)) return before;
    return after.map((item, index) => inStoredOrder(model, before[index], item));
  }
  if (!isObject(before) || !isObject(after)) return after;
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [
      name,
      inStoredOrder(model, before[name], value, name),
    ]),
  );
}
