import { dequal } from 'dequal/lite';
import type { Condition, Rule } from './types.ts';
import { conditionInWords, nameOf, percent, ruleInWords } from './words.ts';

export type Sign = '+' | '-' | '±';

/** One thing that differs, in words. */
export interface Difference {
  sign: Sign;
  text: string;
  lines?: { sign: '+' | '-'; text: string }[];
}

/** Properties that follow from others, or say who changed it when: no difference of their own. */
const derived = new Set([
  'version',
  'createdTime',
  'creatorID',
  'creatorName',
  'creatorEmail',
  'lastModifiedTime',
  'lastModifierID',
  'lastModifierName',
  'lastModifierEmail',
  'isEnabled',
  'typeReason',
  'isStale',
  'checksPerHour',
  'archivedFrom',
  'forceArchive',
  'healthChecks',
  'healthCheckStatus',
  'count',
  'lineage',
  'isStarted',
  'baseID',
]);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value in a line. */
export function shown(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.length === 0) return 'nothing';
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return value.join(', ');
  return JSON.stringify(value);
}

const isShort = (text: string) => text.length <= 40 && !text.includes('\n');

const linesOf = (sign: '+' | '-', value: unknown) =>
  value === undefined || value === null || value === ''
    ? []
    : shown(value)
        .split('\n')
        .map((text) => ({ sign, text }));

/** A value that became another: in one line where both are short. */
function became(name: string, old: unknown, now: unknown): Difference {
  const [before, after] = [shown(old), shown(now)];
  if (isShort(before) && isShort(after))
    return { sign: '±', text: `${name}: ${before} → ${after}` };
  return {
    sign: '±',
    text: `${name} changes`,
    lines: [...linesOf('-', old), ...linesOf('+', now)],
  };
}

/** Texts of a set that came and went. */
function inSet(name: string, old: string[], now: string[]): Difference[] {
  const list = (texts: string[]) =>
    texts.length > 8
      ? `${texts.slice(0, 8).join(', ')}, and ${texts.length - 8} more`
      : texts.join(', ');
  const [added, gone] = [
    now.filter((text) => !old.includes(text)),
    old.filter((text) => !now.includes(text)),
  ];
  const parts: Difference[] = [];
  if (added.length > 0) parts.push({ sign: '+', text: `${name}: ${list(added)}` });
  if (gone.length > 0) parts.push({ sign: '-', text: `${name} without ${list(gone)}` });
  return parts.length > 0 ? parts : [{ sign: '±', text: `${name} in another order` }];
}

type Named = Record<string, unknown> & { id?: string; name: string };

const isNamed = (value: unknown): value is Named =>
  isRecord(value) && typeof value.name === 'string';
const isRule = (value: unknown): value is Rule =>
  isNamed(value) && Array.isArray(value.conditions) && 'passPercentage' in value;
const isNamedList = (value: unknown): value is Named[] =>
  Array.isArray(value) && value.every(isNamed);

const keyOf = ({ id, name }: Named) => id ?? name;

const conditionLines = (sign: '+' | '-', conditions: Condition[], others: Condition[]) =>
  conditions
    .filter((one) => !others.some((other) => dequal(one, other)))
    .map((one) => ({ sign, text: conditionInWords(one) }));

/** What became of one rule. */
function ofRule(old: Rule, now: Rule): Difference[] {
  const title = `Rule “${old.name}”`;
  const parts: Difference[] = [];
  if (old.name !== now.name) parts.push({ sign: '±', text: `${title} is called “${now.name}”` });
  if (old.passPercentage !== now.passPercentage) {
    const text = `${title} passes ${percent(old.passPercentage)} → ${percent(now.passPercentage)}`;
    parts.push({ sign: '±', text });
  }
  if (!dequal(old.conditions, now.conditions)) {
    const lines = [
      ...conditionLines('-', old.conditions, now.conditions),
      ...conditionLines('+', now.conditions, old.conditions),
    ];
    parts.push({ sign: '±', text: `${title} asks for something else`, lines });
  }
  if (!dequal(old.environments, now.environments)) {
    const where = now.environments?.length ? now.environments.join(', ') : 'all environments';
    parts.push({ sign: '±', text: `${title} holds in ${where}` });
  }
  if (!dequal(old.returnValue, now.returnValue))
    parts.push(became(`${title} returns`, old.returnValue, now.returnValue));
  return parts;
}

/** What became of one item of a list. */
function ofItem(noun: string, old: Named, now: Named): Difference[] {
  if (isRule(old) && isRule(now)) return ofRule(old, now);
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...names]
    .filter((name) => name !== 'id' && !derived.has(name) && !dequal(old[name], now[name]))
    .flatMap((name) => {
      if (isNamedList(old[name]) && isNamedList(now[name]))
        return ofList(`${noun} “${old.name}”, ${singular(name)}`, old[name], now[name]);
      return [became(`${noun} “${old.name}”, ${nameOf(name).toLowerCase()}`, old[name], now[name])];
    });
}

/** `groups` → "group". */
const singular = (property: string) => nameOf(property).replace(/s$/, '').toLowerCase();
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const summary = (item: Named) => {
  if (isRule(item)) return ruleInWords(item);
  const { id: _, name: __, ...rest } = item;
  return Object.entries(rest)
    .filter(([, value]) => shown(value) !== 'nothing' && shown(value) !== 'no')
    .map(([property, value]) => `${nameOf(property).toLowerCase()} ${shown(value)}`)
    .join(', ');
};

/** What became of a list whose items have names. */
function ofList(noun: string, old: Named[], now: Named[]): Difference[] {
  const [before, after] = [
    new Map(old.map((item) => [keyOf(item), item])),
    new Map(now.map((item) => [keyOf(item), item])),
  ];
  const came = now.flatMap((item, index): Difference[] => {
    const earlier = before.get(keyOf(item));
    if (earlier) return ofItem(capital(noun), earlier, item);
    const text = `New ${noun} “${item.name}”, place ${index + 1}`;
    return [{ sign: '+', text, lines: [{ sign: '+', text: summary(item) }] }];
  });
  const went = old
    .filter((item) => !after.has(keyOf(item)))
    .map(
      (item): Difference => ({
        sign: '-',
        text: `${capital(noun)} “${item.name}” goes`,
        lines: [{ sign: '-', text: summary(item) }],
      }),
    );
  return [...came, ...went, ...moved(noun, [...before.keys()], [...after.keys()])];
}

/** Whether those that stay have another order. */
function moved(noun: string, old: string[], now: string[]): Difference[] {
  const stays = old.filter((key) => now.includes(key));
  const order = now.filter((key) => old.includes(key));
  return dequal(stays, order) ? [] : [{ sign: '±', text: `${capital(noun)}s in another order` }];
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** A value that history is too short for. */
const isDigest = (value: unknown) => isRecord(value) && typeof value.sha256 === 'string';

/** How two objects differ, property by property. */
function inRecord(name: string, old: Record<string, unknown>, now: Record<string, unknown>) {
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  const parts = names.flatMap((part) => propertyDifferences(part, old[part], now[part]));
  return parts.length > 0 ? parts : [became(name, old, now)];
}

/** Two lists of named things; one that is not there yet has none. */
function asNamedLists(old: unknown, now: unknown): [Named[], Named[]] | undefined {
  const [before, after] = [old ?? [], now ?? []];
  const isList = Array.isArray(old) || Array.isArray(now);
  return isList && isNamedList(before) && isNamedList(after) ? [before, after] : undefined;
}

/** How a property differs, in words. */
export function propertyDifferences(property: string, old: unknown, now: unknown): Difference[] {
  const name = nameOf(property);
  if (derived.has(property) || dequal(old, now)) return [];
  if (isDigest(old) || isDigest(now))
    return [{ sign: '±', text: `${name} changes, and is too long to show here` }];
  if (isTexts(old) && isTexts(now)) return inSet(name, old, now);
  const lists = asNamedLists(old, now);
  if (lists) return ofList(singular(property), ...lists);
  if (isRecord(old) && isRecord(now)) return inRecord(name, old, now);
  if (property.endsWith('Time'))
    return [{ sign: '±', text: `${name}: ${timeShown(old)} → ${timeShown(now)}` }];
  return [became(name, old, now)];
}

const timeShown = (value: unknown) =>
  typeof value === 'number'
    ? new Date(value).toISOString().slice(0, 16).replace('T', ' ')
    : 'never';

/** A property and its two values, as history has them. */
interface Change {
  property: string;
  old?: unknown;
  new?: unknown;
}

/** Changes in words; what is said of a value need not be said again of its JSON5 text. */
export function changesInWords(changes: Change[]): Difference[] {
  const names = new Set(changes.map(({ property }) => property));
  return changes
    .filter(
      ({ property }) => !names.has(property.replace(/Json5$/, '')) || !/Json5$/.test(property),
    )
    .flatMap((change) => propertyDifferences(change.property, change.old, change.new));
}

/** How two states differ, in words. */
export function differences(before: object, after: object): Difference[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const changes = [...new Set([...old.keys(), ...now.keys()])]
    .map((property) => ({ property, old: old.get(property), new: now.get(property) }))
    .filter((change) => !dequal(change.old, change.new));
  return changesInWords(changes);
}
