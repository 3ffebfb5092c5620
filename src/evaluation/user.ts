import { madeOnce } from '../shared/made_once.ts';
import { isObject } from '../shared/value_types.ts';
import { isMissing, textOf } from './readings.ts';
import type { Values } from './spec.ts';

/** Who is asked about. What comes from a browser may have any names: only own properties are ever read. */
export interface User {
  /** `userID`, `email` and whatever else stands at the top; the containers below too, as a copy without them takes long. */
  readonly fields: Values;
  readonly customIDs: Values;
  readonly custom: Values;
  readonly privateAttributes: Values;
  /** What the request reveals about its user; a user's own values come first. */
  readonly inferred?: Values;
  /** The environment of the request. */
  readonly tier: string | undefined;
  /** Whether attributes are unit ids too: an OpenFeature context is flat and has no other place for them. */
  readonly isFlat: boolean;
}

/** Characters of an ID. Every draw hashes it again, so that a long ID would cost as much as very many flags. */
const longestID = 1000;

/** What is wrong with a user of whom `hasLongID`. */
export const longIDFault = `must have no id of more than ${longestID} characters`;

const isLongID = (id: unknown) => (textOf(id)?.length ?? 0) > longestID;

/** Whether a user has an id that would take the time of very many others. */
export const hasLongID = ({ fields, customIDs }: User): boolean =>
  [fields.userID, ...Object.values(customIDs)].some(isLongID);

const objectOf = (value: unknown): Values => (isObject(value) ? value : {});

const ownOf = (values: Values, name: string): unknown =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/** Text of text and numbers; undefined for anything else. */
const textGiven = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? textOf(value) : undefined;

/** What an OpenFeature context says of the user itself, by each of its names. */
const contextFields: Record<string, string> = {
  userID: 'userID',
  targetingKey: 'userID',
  email: 'email',
  ip: 'ip',
  country: 'country',
  locale: 'locale',
  user_agent: 'userAgent',
  userAgent: 'userAgent',
  app_version: 'appVersion',
  appVersion: 'appVersion',
};

const containers = new Set(['customIDs', 'custom', 'privateAttributes', 'statsigEnvironment']);

/**
 * The fields of the user that a context gives; of two names for one the later of the table counts, unless it is "". An
 * empty targeting key is none: all who have it would be one unit.
 */
function fieldsOf(context: Values): Values {
  const fields: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(contextFields)) {
    const text = textGiven(ownOf(context, name));
    const isKnown = name === 'targetingKey' || fields[field] !== undefined;
    if (text !== undefined && (text !== '' || !isKnown)) fields[field] = text;
  }
  return fields;
}

/**
 * The user of an OpenFeature evaluation context. Attributes that are no field of a user are custom ones, the
 * environment among them.
 * @param tier the environment of the request, as `environmentOf` tells it
 */
export function contextUser(context: Values, tier?: string): User {
  const others = Object.entries(context).filter(
    ([name]) => !Object.hasOwn(contextFields, name) && !containers.has(name),
  );
  const customIDs = Object.entries(objectOf(ownOf(context, 'customIDs')));
  return {
    fields: fieldsOf(context),
    customIDs: Object.fromEntries(customIDs.filter(([, id]) => textGiven(id) !== undefined)),
    custom: { ...objectOf(ownOf(context, 'custom')), ...Object.fromEntries(others) },
    privateAttributes: objectOf(ownOf(context, 'privateAttributes')),
    tier,
    isFlat: true,
  };
}

/**
 * The user as an SDK sends it. A `stableID` beside it, in what the SDK says of itself, is a unit id of the user
 * where the user has none.
 */
export function sdkUser(user: Values, tier?: string, stableID?: unknown): User {
  const customIDs = objectOf(ownOf(user, 'customIDs'));
  const isGiven = textGiven(stableID) !== undefined && isMissing(unitIn(customIDs, 'stableID'));
  return {
    fields: user,
    customIDs: isGiven ? { ...customIDs, stableID } : customIDs,
    custom: objectOf(ownOf(user, 'custom')),
    privateAttributes: objectOf(ownOf(user, 'privateAttributes')),
    tier,
    isFlat: false,
  };
}

/** The environment that an SDK's user names. */
export const sdkTier = (user: Values): unknown =>
  unitIn(objectOf(ownOf(user, 'statsigEnvironment')), 'tier');

/** A user with what its request tells of it, where it does not say so itself. Only for requests of its own client. */
export const withInferred = (user: User, inferred: Values): User => ({ ...user, inferred });

/**
 * The environment of a request: the only one of the key; else the one asked for, if the key may; else production,
 * if it may; else the first of the key. An app that names none means production, and a client must not choose one
 * that its key was not given.
 * @param allowed the environments of the key; null for all
 */
export function environmentOf(allowed: readonly string[] | null, asked?: unknown): string {
  const production = 'production';
  const name = typeof asked === 'string' && asked !== '' ? asked : production;
  if (allowed === null) return name;
  const find = (wanted: string) =>
    allowed.find((environment) => environment.toLowerCase() === wanted.toLowerCase());
  return find(name) ?? find(production) ?? allowed[0] ?? production;
}

/**
 * Ids by their names in lower case: a user may have very many, and be asked for each gate. Of names that differ in case
 * alone the first counts that is not missing.
 */
const folded = madeOnce((ids: Values): ReadonlyMap<string, unknown> => {
  const given = Object.entries(ids).filter(([, id]) => !isMissing(id));
  return new Map(given.reverse().map(([name, id]) => [name.toLowerCase(), id]));
});

/** An id by its name, or else by its name in any case. */
function unitIn(ids: Values, name: string): unknown {
  const exact = ownOf(ids, name);
  return isMissing(exact) ? folded(ids).get(name.toLowerCase()) : exact;
}

/** The id of a user's unit of some type; undefined where it is missing. */
export function unitOf(user: User, idType: string): unknown {
  if (idType.toLowerCase() === 'userid') return ownOf(user.fields, 'userID') ?? undefined;
  const id = unitIn(user.customIDs, idType);
  if (!isMissing(id) || !user.isFlat) return id ?? undefined;
  const attribute = textGiven(ownOf(user.custom, idType));
  return isLongID(attribute) ? undefined : attribute; // a text that long is no id: it stands for something else
}

/** The first value of a user that is not missing, by the name of a field or its lower case. */
export function fieldOf(user: User, name: string): unknown {
  const names = [name, name.toLowerCase()];
  const { fields, custom, privateAttributes, inferred = {} } = user;
  for (const place of [fields, custom, privateAttributes, inferred])
    for (const key of names) {
      const value = place === fields && containers.has(key) ? undefined : ownOf(place, key);
      if (!isMissing(value)) return value;
    }
  return undefined;
}
