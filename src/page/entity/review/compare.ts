import { isEqual } from '../../../base/equal.ts';
import { isObject, recordOf } from '../../../base/value_types.ts';
import { inlineRules } from '../../../engine/evaluation/compile/inline_rules.ts';
import {
  changeOf,
  type Difference,
  derived,
  inSet,
  isFree,
  isTexts,
  jsonOf,
  valueIn,
} from '../../base/compare_values.ts';
import { exactly, nameOf } from '../../base/words.ts';
import { asNamed, type NamedItem, ofList, singular } from './compare_lists.ts';

const isDigest = (value: unknown) =>
  isObject(value) && Object.keys(value).join() === 'length,sha256' && Number(value.length) > 4000;

/** Uses maps, because a property may be named like a member of `Object.prototype`. */
function propertiesOf(before: object, after: object): Change[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = new Set([...old.keys(), ...now.keys()]);
  return [...names].map((property) => ({
    property,
    old: old.get(property),
    new: now.get(property),
  }));
}

function inRecord(name: string, old: object, now: object): Difference[] {
  const parts = propertiesOf(old, now).flatMap((part) =>
    propertyDifferences(part.property, part.old, part.new),
  );
  return parts.length > 0 ? parts : [changeOf(name, old, now)];
}

function inJSON(name: string, old: unknown, now: unknown, place = ''): Difference[] {
  if (isEqual(old, now)) return [];
  if (!isObject(old) || !isObject(now)) return [changeOf(name, jsonOf(old), jsonOf(now))];
  return propertiesOf(old, now).flatMap((part) => {
    const key = `${place}${part.property}`;
    return inJSON(key, part.old, part.new, `${key}.`);
  });
}

function asNamedLists(old: unknown, now: unknown): [NamedItem[], NamedItem[]] | undefined {
  const [before, after] = [asNamed(old ?? []), asNamed(now ?? [])];
  return before && after && before.length + after.length > 0 ? [before, after] : undefined;
}

function propertyDifferences(property: string, old: unknown, now: unknown): Difference[] {
  const name = nameOf(property);
  if (isEqual(old, now) || (derived.has(property) && !isTexts(now))) return [];
  if (isDigest(old) || isDigest(now))
    return [{ sign: '±', text: `${name}: changed (too long to show)` }];
  if (isFree(property)) return inJSON(name, old, now);
  if (isTexts(old) && isTexts(now)) return inSet(name, old, now);
  const lists = asNamedLists(old, now);
  const items = lists ? ofList(singular(property), ...lists) : [];
  if (items.length > 0) return items;
  if (isObject(old) && isObject(now)) return inRecord(name, old, now);
  if (property.endsWith('Time'))
    return [{ sign: '±', text: `${name}: ${timeInWords(old)} → ${timeInWords(now)}` }];
  return [changeOf(name, valueIn(property, old), valueIn(property, now))];
}

const timeInWords = (value: unknown) => (typeof value === 'number' ? exactly(value) : 'none');

interface Change {
  property: string;
  old?: unknown;
  new?: unknown;
}

function withGroupNames(change: Change, names: Map<unknown, string>): Change {
  const { property, old, new: now } = change;
  if (property === 'groups' || names.size === 0) return change;
  const named = (value: unknown) =>
    JSON.parse(JSON.stringify({ [property]: value }), (name, part) =>
      /groupID$/i.test(name) ? (names.get(part) ?? part) : part,
    )[property];
  return { property, old: named(old), new: named(now) };
}

const groupsOf = (state: object) => asNamed(recordOf(state).groups ?? []) ?? [];

const jsonRules: Record<string, string> = { inlineTargetingRulesJSON: 'targetingRules' };

function withRules(change: Change): Change {
  const property = jsonRules[change.property];
  const read = (value: unknown) =>
    typeof value === 'string' ? inlineRules({ inlineTargetingRulesJSON: value }) : value;
  return property ? { property, old: read(change.old), new: read(change.new) } : change;
}

const follower: Record<string, string> = { status: 'isEnabled' };

/** Describes changes. Group IDs are named by the groups of `states`. */
export function changesInWords(changes: Change[], ...states: object[]): Difference[] {
  const groups = new Map(states.flatMap(groupsOf).map(({ id, name }) => [id, name]));
  const implied = new Set(changes.map(({ property }) => follower[property] ?? `${property}Json5`));
  return changes
    .filter(({ property }) => !implied.has(property))
    .map((change) => withGroupNames(withRules(change), groups))
    .flatMap((change) => propertyDifferences(change.property, change.old, change.new));
}

/** Describes how two states differ. Group IDs are also named by the groups of `states`. */
export function differences(before: object, after: object, ...states: object[]): Difference[] {
  const changes = propertiesOf(before, after).filter((change) => !isEqual(change.old, change.new));
  return changesInWords(changes, before, after, ...states);
}
