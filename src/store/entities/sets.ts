import { isObject } from '../../shared/value_types.ts';
import { mentionFields, opaque } from '../core/mentions.ts';

/** Properties that hold sets of texts, so that their order in a body is irrelevant. */
const sets: ReadonlySet<string> = new Set([
  ...Object.values(mentionFields).flatMap(({ properties }) => properties),
  'actions',
  'allowedReviewers',
  'dynamicConfigIDs',
  'experimentIDs',
  'failingIDs',
  'failingUserIDs',
  'featureList',
  'gateIDs',
  'ids',
  'kinds',
  'layerIDs',
  'passingIDs',
  'passingUserIDs',
  'promptIDs',
  'scopes',
]);

function isSameSet(one: readonly unknown[], other: readonly unknown[]): boolean {
  const members = new Set(other);
  return new Set(one).size === members.size && one.every((member) => members.has(member));
}

/** Returns the new value with every set in its stored order if its members are the same. */
export function inStoredOrder(before: unknown, after: unknown, property = ''): unknown {
  if (before === after || opaque.has(property)) return after;
  if (Array.isArray(before) && Array.isArray(after)) {
    if (sets.has(property) && isSameSet(before, after)) return before;
    return after.map((item, index) => inStoredOrder(before[index], item));
  }
  if (!isObject(before) || !isObject(after)) return after;
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, inStoredOrder(before[name], value, name)]),
  );
}
