import { distinct } from '../../../base/distinct.ts';
import { memoize } from '../../../base/memoize.ts';
import { type Anchor, anchorKey } from '../../../base/naming.ts';
import type { Entity } from './entity.ts';
import type { Kind } from './kind.ts';
import type { Mentions } from './model.ts';

export interface MentionedName extends Anchor {
  property: string;
}

interface Replacement {
  mentions: Mentions;
  next(named: MentionedName): string;
}

const kindsOfNames = memoize(({ fields }: Mentions) => {
  const all = Object.entries(fields);
  return {
    ofProperty: new Map(
      all.flatMap(([kind, { properties }]) => properties.map((property) => [property, kind])),
    ),
    ofCondition: new Map(all.map(([kind, { condition }]) => [condition, kind])),
  };
});

function kindOf(mentions: Mentions, property: string, of: object): string | undefined {
  const { ofProperty, ofCondition } = kindsOfNames(mentions);
  return property === 'targetValue' && 'type' in of
    ? ofCondition.get(String(of.type))
    : ofProperty.get(property);
}

function replaceOwn(by: Replacement, kind: string, value: unknown, property: string): unknown {
  if (typeof value === 'string') return value && by.next({ kind, id: value, property });
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string'))
    return replaceNames(by, value, property);
  return distinct(
    value.map((id, index) => by.next({ kind, id, property: `${property}.${index}` })),
  );
}

function replaceInText({ mentions, next }: Replacement, text: string, at: string): string {
  const rules: unknown = JSON.parse(text || '[]');
  const by = { mentions, next: (named: MentionedName) => next({ ...named, property: at }) };
  const json = JSON.stringify(replaceNames(by, rules, at));
  return json === JSON.stringify(rules) ? text : json;
}

function replaceInProperty(
  by: Replacement,
  property: string,
  of: object,
  value: unknown,
  at: string,
): unknown {
  const { mentions } = by;
  if (mentions.opaque.has(property)) return value;
  if (mentions.texts.has(property)) return replaceInText(by, String(value), at);
  const kind = kindOf(mentions, property, of);
  return kind === undefined ? replaceNames(by, value, at) : replaceOwn(by, kind, value, at);
}

/** Returns the path of a property. Overrides have a request body of their own, so their paths start there. */
function mentionPath(at: string, property: string, value: unknown): string {
  if (property === 'overrides' && !Array.isArray(value)) return at;
  return at ? `${at}.${property}` : property;
}

function replaceNames(by: Replacement, value: unknown, at: string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.map((item, index) => replaceNames(by, item, `${at}.${index}`));
  return Object.fromEntries(
    Object.entries(value).map(([property, part]) => [
      property,
      replaceInProperty(by, property, value, part, mentionPath(at, property, part)),
    ]),
  );
}

function findMentionedNames(mentions: Mentions, entity: Entity): MentionedName[] {
  const found = new Map<string, MentionedName>();
  const next = (named: MentionedName) => {
    const key = anchorKey(named);
    if (!found.has(key)) found.set(key, named);
    return named.id;
  };
  replaceNames({ mentions, next }, entity, '');
  return [...found.values()];
}

const readerOf = memoize((mentions: Mentions) =>
  memoize((entity: Entity) => findMentionedNames(mentions, entity)),
);

/** Returns every name that an entity mentions, with the first property that mentions it. */
export const mentionsIn = ({ model }: Pick<Kind<Entity>, 'model'>, entity: Entity) =>
  readerOf(model.mentions)(entity);

/** Returns the names of one kind that an entity mentions. */
export const mentionedIDs = (of: Pick<Kind<Entity>, 'model'>, entity: Entity, kind: string) =>
  mentionsIn(of, entity).flatMap((named) => (named.kind === kind ? [named.id] : []));

/** Returns the entity with a name replaced everywhere. */
export function withName<E extends Entity>(
  { model }: Pick<Kind<E>, 'model'>,
  entity: E,
  { kind, id }: Anchor,
  replacement: string,
): E {
  const next = (named: MentionedName) =>
    named.kind === kind && named.id === id ? replacement : named.id;
  return Object.assign({}, entity, replaceNames({ mentions: model.mentions, next }, entity, ''));
}
