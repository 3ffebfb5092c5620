import { distinct } from '../../shared/distinct.ts';
import { madeOnce } from '../../shared/made_once.ts';
import { type Anchor, anchorKey } from '../../shared/naming.ts';
import type { Entity } from './entity.ts';

/** What of an entity says a name, at whatever depth: some properties, and conditions of a type. */
interface Sayers {
  properties: readonly string[];
  condition?: string;
}

/** What entities name without referring to it: anything may be said, unless the company is strict. */
export const sayers = {
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
} satisfies Record<string, Sayers>;

export type NameKind = keyof typeof sayers;

/** A name that an entity says, and the property that says it. */
export interface Named extends Anchor {
  property: string;
}

const allSayers: [string, Sayers][] = Object.entries(sayers);
const ofProperty = new Map(
  allSayers.flatMap(([kind, { properties }]) => properties.map((property) => [property, kind])),
);
const ofCondition = new Map(allSayers.map(([kind, { condition }]) => [condition, kind]));

/** Properties whose values mean something to users of the console alone, so that no name is looked for in them. */
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

/** A property that holds rules as the text of their JSON. */
const rulesText = 'inlineTargetingRulesJSON';

/** What to put in place of a name. */
type Visit = (named: Named) => string;

/** Which kind of name a property says; that of a condition depends on its type. */
const kindOf = (property: string, of: object): string | undefined =>
  property === 'targetValue' && 'type' in of
    ? ofCondition.get(String(of.type))
    : ofProperty.get(property);

/** The names of a property, each put through `visit`; two that become one are said once. */
function visited(kind: string, said: unknown, property: string, visit: Visit): unknown {
  if (typeof said === 'string') return said && visit({ kind, id: said, property });
  if (!Array.isArray(said) || !said.every((name) => typeof name === 'string'))
    return walked(said, property, visit);
  return distinct(said.map((id, index) => visit({ kind, id, property: `${property}.${index}` })));
}

/** Rules in a text, which stays as it was written where no name in it becomes another. */
function walkedText(text: string, at: string, visit: Visit): string {
  const rules: unknown = JSON.parse(text || '[]');
  const after = walked(rules, at, (named) => visit({ ...named, property: at }));
  const json = JSON.stringify(after);
  return json === JSON.stringify(rules) ? text : json;
}

function walkedProperty(property: string, of: object, value: unknown, at: string, visit: Visit) {
  if (opaque.has(property)) return value;
  if (property === rulesText) return walkedText(String(value), at, visit);
  const kind = kindOf(property, of);
  return kind === undefined ? walked(value, at, visit) : visited(kind, value, at, visit);
}

/** The path of a property. Overrides are changed by a body of their own, whose properties are theirs. */
function pathOf(at: string, property: string, value: unknown): string {
  if (property === 'overrides' && !Array.isArray(value)) return at;
  return at ? `${at}.${property}` : property;
}

/** A value in which each name is put through `visit`. */
function walked(value: unknown, at: string, visit: Visit): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.map((item, index) => walked(item, `${at}.${index}`, visit));
  return Object.fromEntries(
    Object.entries(value).map(([property, part]) => [
      property,
      walkedProperty(property, value, part, pathOf(at, property, part), visit),
    ]),
  );
}

/** Every name that an entity says, with the first property that says it. */
export const namesIn = madeOnce((entity: Entity): Named[] => {
  const found = new Map<string, Named>();
  walked(entity, '', (named) => {
    const key = anchorKey(named);
    if (!found.has(key)) found.set(key, named);
    return named.id;
  });
  return [...found.values()];
});

/** An entity that says another name in place of one, everywhere. */
export function withName<E extends Entity>(entity: E, { kind, id }: Anchor, next: string): E {
  const after = walked(entity, '', (named) =>
    named.kind === kind && named.id === id ? next : named.id,
  );
  return Object.assign({}, entity, after);
}
