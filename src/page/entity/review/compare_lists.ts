import { isEqual } from '../../../base/equal.ts';
import { isObject } from '../../../base/value_types.ts';
import {
  changeOf,
  type Difference,
  derived,
  inSet,
  isTexts,
  jsonOf,
  quoted,
  valueIn,
  valueInWords,
} from '../../base/compare_values.ts';
import {
  conditionInWords,
  environmentsInWords,
  ruleInWords,
  typeInWords,
} from '../../base/rule_words.ts';
import type { Condition, Rule } from '../../base/types.ts';
import { capital, lower, nameOf, percent } from '../../base/words.ts';

export type NamedItem = Record<string, unknown> & { id?: string; name: string };

const isNamed = (value: unknown): value is NamedItem =>
  isObject(value) && typeof value.name === 'string';
const isRule = (value: unknown): value is Rule =>
  isNamed(value) && Array.isArray(value.conditions) && 'passPercentage' in value;
const isNamedList = (value: unknown): value is NamedItem[] =>
  Array.isArray(value) && value.every(isNamed);

const ownKey = ({ id, name }: NamedItem) => id || name;

const withType = (item: NamedItem) => `${ownKey(item)} ${item.type}`;

function keyIn(...lists: NamedItem[][]): (item: NamedItem) => string {
  const isUnique = (key: (item: NamedItem) => string) =>
    lists.every((list) => new Set(list.map(key)).size === list.length);
  return [ownKey, withType].find(isUnique) ?? ((item) => JSON.stringify(item));
}

const sameSubject = (one: Condition) => (other: Condition) =>
  isEqual({ ...one, targetValue: 0 }, { ...other, targetValue: 0 });

function comparedConditionInWords(one: Condition, others: Condition[]): string {
  const words = conditionInWords(one, others.find(sameSubject(one)));
  const alike = others.find((other) => conditionInWords(other, one) === words);
  if (!alike) return words;
  if (alike.type !== one.type) return `${words} (${typeInWords(one.type)})`;
  return conditionInWords({ ...one, targetValue: JSON.stringify(one.targetValue) });
}

const conditionKey = (condition: Condition) => JSON.stringify(Object.entries(condition).sort());

function conditionLines(sign: '+' | '-', conditions: Condition[], others: Condition[]) {
  const keys = new Set(others.map(conditionKey)); // comparing all pairs of thousands of conditions takes seconds
  return conditions
    .filter((one) => !keys.has(conditionKey(one)))
    .map((one) => ({ sign, text: comparedConditionInWords(one, others) }));
}

function ofRule(noun: string, old: Rule, now: Rule): Difference[] {
  const title = `${noun} ${quoted(old.name)}`;
  const parts: Difference[] = [];
  if (old.name !== now.name)
    parts.push({ sign: '±', text: `${title} renamed to ${quoted(now.name)}` });
  if (old.passPercentage !== now.passPercentage) {
    const text = `${title} passes ${percent(old.passPercentage)} → ${percent(now.passPercentage)}`;
    parts.push({ sign: '±', text });
  }
  if (!isEqual(old.conditions, now.conditions)) {
    const lines = [
      ...conditionLines('-', old.conditions, now.conditions),
      ...conditionLines('+', now.conditions, old.conditions),
    ];
    parts.push({ sign: '±', text: `${title}: conditions`, lines });
  }
  if (!isEqual(old.environments, now.environments)) {
    const where = environmentsInWords(now.environments);
    parts.push({ sign: '±', text: `${title} applies in ${where}` });
  }
  if (!isEqual(old.returnValue, now.returnValue))
    parts.push(changeOf(`${title} returns`, old.returnValue, now.returnValue));
  if (!isEqual(old.variants, now.variants))
    parts.push(...ofList(`${title}, variant`, old.variants ?? [], now.variants ?? []));
  if (old.salt !== now.salt) parts.push(changeOf(`${title}, salt`, old.salt, now.salt));
  return parts;
}

function ofItem(noun: string, old: NamedItem, now: NamedItem): Difference[] {
  if (isRule(old) && isRule(now)) return ofRule(noun, old, now);
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...names]
    .filter((name) => name !== 'id' && !derived.has(name) && !isEqual(old[name], now[name]))
    .flatMap((name) => {
      if (isNamedList(old[name]) && isNamedList(now[name]))
        return ofList(`${noun} ${quoted(old.name)}, ${singular(name)}`, old[name], now[name]);
      const title = `${noun} ${quoted(old.name)}, ${lower(nameOf(name))}`;
      if (isTexts(old[name]) && isTexts(now[name])) return inSet(title, old[name], now[name]);
      return [changeOf(title, valueIn(name, old[name]), valueIn(name, now[name]))];
    });
}

/** Returns "group" for `groups`. */
export const singular = (property: string) => lower(nameOf(property)).replace(/s$/, '');

/** Describes the return value and variants of a rule. */
export const returnedBy = ({
  returnValue,
  variants = [],
}: Pick<Rule, 'returnValue' | 'variants'>) => [
  returnValue ? `returns ${jsonOf(returnValue)}` : '',
  ...variants.map((variant) => `variant ${quoted(variant.name)}: ${summary(variant)}`),
];

const itemLines = (sign: '+' | '-', item: NamedItem) =>
  (isRule(item) ? [ruleInWords(item), ...returnedBy(item)] : [summary(item)])
    .filter(Boolean)
    .map((text) => ({ sign, text }));

const inLine = (properties: [string, unknown][]) =>
  properties
    .map(([property, value]): [string, unknown] => [property, valueIn(property, value)])
    .filter(([, value]) => value !== false && String(value ?? '') !== '')
    .map(([property, value]) => `${lower(nameOf(property))} ${valueInWords(value)}`)
    .join(', ');

const summary = ({ id: _, name: __, ...rest }: NamedItem) => inLine(Object.entries(rest));

/** Returns the items of a list with names; items without a name are named by their properties. */
export function asNamed(list: unknown): NamedItem[] | undefined {
  if (isNamedList(list)) return list;
  if (!Array.isArray(list) || !list.every(isObject)) return undefined;
  return list.map((item) => {
    const named = Object.entries(item).filter(([, value]) => !isTexts(value));
    return { ...item, id: '', name: inLine(named) };
  });
}

/** Describes how two lists of named items differ. */
export function ofList(noun: string, old: NamedItem[], now: NamedItem[]): Difference[] {
  const keyOf = keyIn(old, now);
  const before = new Map(old.map((item) => [keyOf(item), item]));
  const after = new Set(now.map(keyOf));
  const added = now.flatMap((item, index): Difference[] => {
    const earlier = before.get(keyOf(item));
    if (earlier) return ofItem(capital(noun), earlier, item);
    const text = `New ${lower(noun)} ${quoted(item.name)}, place ${index + 1}`;
    return [{ sign: '+', text, lines: itemLines('+', item) }];
  });
  const removed = old
    .filter((item) => !after.has(keyOf(item)))
    .map(
      (item): Difference => ({
        sign: '-',
        text: `${capital(noun)} ${quoted(item.name)} removed`,
        lines: itemLines('-', item),
      }),
    );
  return [...added, ...removed, ...reordered(noun, new Set(before.keys()), after)];
}

function reordered(noun: string, old: Set<string>, now: Set<string>): Difference[] {
  const stays = [...old].filter((key) => now.has(key));
  const order = [...now].filter((key) => old.has(key));
  return isEqual(stays, order) ? [] : [{ sign: '±', text: `${capital(noun)}s reordered` }];
}
