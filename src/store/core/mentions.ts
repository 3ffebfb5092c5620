import { distinct } from '../../shared/distinct.ts';
import { memoize } from '../../shared/memoize.ts';
import { type Anchor, anchorKey } from '../../shared/naming.ts';
import type { Entity } from './entity.ts';

/** The properties and condition types that mention names of a kind, at any depth. */
interface MentionFields {
  properties: readonly string[];
  condition?: string;
}

/** Names that entities mention without a reference. Any name is accepted unless the company is strict. */
export const mentionFields = {
  tag: { properties: ['tags', 'primaryMetricTags', 'secondaryMetricTags'] },
  unit_id_type: {
    properties: [
      'idType',
      'secondaryIDType',
      'unitTypes',
      'unitID',
      'unitType',
      'serviceUnitID',
      'customID',
    ],
  },
  target_app: {
    properties: ['targetApps', 'targetAppIDs', 'targetAppID'],
    condition: 'target_app',
  },
  team: { properties: ['team', 'teamID'] },
  environment: {
    properties: ['environment', 'environments', 'enabledNonProdEnvironments'],
    condition: 'environment_tier',
  },
  user: { properties: ['ownerEmail'] },
} satisfies Record<string, MentionFields>;

export type NameKind = keyof typeof mentionFields;

/** A mentioned name, and the property that mentions it. */
export interface MentionedName extends Anchor {
  property: string;
}

const allFields: [string, MentionFields][] = Object.entries(mentionFields);
const ofProperty = new Map(
  allFields.flatMap(([kind, { properties }]) => properties.map((property) => [property, kind])),
);
const ofCondition = new Map(allFields.map(([kind, { condition }]) => [condition, kind]));

/** Properties whose values belong to users, so that no name is searched in them. */
export const opaque: ReadonlySet<string> = new Set([
  'defaultValue',
  'fail_value',
  'json',
  'metadata',
  'parameterValues',
  'pass_value',
  'returnValue',
  'value',
]);

/** A property with rules as JSON text. */
const rulesText = 'inlineTargetingRulesJSON';

/** Returns the replacement of a mentioned name. */
type Visit = (named: MentionedName) => string;

/** The kind of name in a property. In a condition it depends on the type of the condition. */
const kindOf = (property: string, of: object): string | undefined =>
  property === 'targetValue' && 'type' in of
    ? ofCondition.get(String(of.type))
    : ofProperty.get(property);

/** Replaces the names of a property, and removes duplicates that result. */
function withReplaced(kind: string, said: unknown, property: string, visit: Visit): unknown {
  if (typeof said === 'string') return said && visit({ kind, id: said, property });
  if (!Array.isArray(said) || !said.every((name) => typeof name === 'string'))
    return replaceNames(said, property, visit);
  return distinct(said.map((id, index) => visit({ kind, id, property: `${property}.${index}` })));
}

/** Replaces names in rules given as text. A text without a replaced name stays unchanged. */
function replaceInText(text: string, at: string, visit: Visit): string {
  const rules: unknown = JSON.parse(text || '[]');
  const after = replaceNames(rules, at, (named) => visit({ ...named, property: at }));
  const json = JSON.stringify(after);
  return json === JSON.stringify(rules) ? text : json;
}

function replaceInProperty(property: string, of: object, value: unknown, at: string, visit: Visit) {
  if (opaque.has(property)) return value;
  if (property === rulesText) return replaceInText(String(value), at, visit);
  const kind = kindOf(property, of);
  return kind === undefined ? replaceNames(value, at, visit) : withReplaced(kind, value, at, visit);
}

/** Returns the path of a property. Overrides have a request body of their own, so their paths start there. */
function pathOf(at: string, property: string, value: unknown): string {
  if (property === 'overrides' && !Array.isArray(value)) return at;
  return at ? `${at}.${property}` : property;
}

/** Replaces every name in a value. */
function replaceNames(value: unknown, at: string, visit: Visit): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.map((item, index) => replaceNames(item, `${at}.${index}`, visit));
  return Object.fromEntries(
    Object.entries(value).map(([property, part]) => [
      property,
      replaceInProperty(property, value, part, pathOf(at, property, part), visit),
    ]),
  );
}

/** Returns every name that an entity mentions, with the first property that mentions it. */
export const mentionsIn = memoize((entity: Entity): MentionedName[] => {
  const found = new Map<string, MentionedName>();
  replaceNames(entity, '', (named) => {
    const key = anchorKey(named);
    if (!found.has(key)) found.set(key, named);
    return named.id;
  });
  return [...found.values()];
});

/** Returns the entity with a name replaced everywhere. */
export function withName<E extends Entity>(entity: E, { kind, id }: Anchor, next: string): E {
  const after = replaceNames(entity, '', (named) =>
    named.kind === kind && named.id === id ? next : named.id,
  );
  return Object.assign({}, entity, after);
}
