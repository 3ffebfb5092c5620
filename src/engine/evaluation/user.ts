import { memoize } from '../../base/memoize.ts';
import type { ReadonlyRecord } from '../../base/value_types.ts';
import { isObject } from '../../base/value_types.ts';
import { isMissing, textOfValue } from './readings.ts';

/** A user to evaluate for. Browsers may send any property name, so only own properties are read. */
export interface EvaluatedUser {
  /** `userID`, `email` and other fields. Also contains the objects below, because copying without them is slow. */
  readonly fields: ReadonlyRecord;
  readonly customIDs: ReadonlyRecord;
  readonly custom: ReadonlyRecord;
  readonly privateAttributes: ReadonlyRecord;
  readonly inferred?: ReadonlyRecord;
  readonly tier: string | undefined;
  /** Whether attributes are also unit IDs, because an OpenFeature context is flat. */
  readonly isFlat: boolean;
}

/** Characters of an ID. Each bucket hashes it again, so a long ID would cost as much as many flags. */
const maxIDCharacters = 1000;

export const longIDFault = `must not have an ID of more than ${maxIDCharacters} characters`;

const isLongID = (id: unknown) => (textOfValue(id)?.length ?? 0) > maxIDCharacters;

export const hasLongID = ({ fields, customIDs }: EvaluatedUser): boolean =>
  [fields.userID, ...Object.values(customIDs)].some(isLongID);

const nothing: ReadonlyRecord = {};

const objectOrNothing = (value: unknown): ReadonlyRecord => (isObject(value) ? value : nothing);

const ownOf = (values: ReadonlyRecord, name: string): unknown =>
  Object.hasOwn(values, name) ? values[name] : undefined;

const textOfID = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? textOfValue(value) : undefined;

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

/** The later name in the table takes precedence, unless it is "". Empty targeting keys would share one unit. */
function fieldsOf(context: ReadonlyRecord): ReadonlyRecord {
  const fields: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(contextFields)) {
    const text = textOfID(ownOf(context, name));
    const isKnown = name === 'targetingKey' || fields[field] !== undefined;
    if (text !== undefined && (text !== '' || !isKnown)) fields[field] = text;
  }
  return fields;
}

/** Returns the user of an OpenFeature context. Attributes that are not fields become custom attributes. */
export function contextUser(context: ReadonlyRecord, tier?: string): EvaluatedUser {
  const others = Object.entries(context).filter(
    ([name]) => !Object.hasOwn(contextFields, name) && !containers.has(name),
  );
  const customIDs = Object.entries(objectOrNothing(ownOf(context, 'customIDs')));
  return {
    fields: fieldsOf(context),
    customIDs: Object.fromEntries(customIDs.filter(([, id]) => textOfID(id) !== undefined)),
    custom: { ...objectOrNothing(ownOf(context, 'custom')), ...Object.fromEntries(others) },
    privateAttributes: objectOrNothing(ownOf(context, 'privateAttributes')),
    tier,
    isFlat: true,
  };
}

/** Returns the user of an SDK request, with `stableID` from the SDK's metadata if the user has none. */
export function sdkUser(user: ReadonlyRecord, tier?: string, stableID?: unknown): EvaluatedUser {
  const customIDs = objectOrNothing(ownOf(user, 'customIDs'));
  const isGiven = textOfID(stableID) !== undefined && isMissing(unitIn(customIDs, 'stableID'));
  return {
    fields: user,
    customIDs: isGiven ? { ...customIDs, stableID } : customIDs,
    custom: objectOrNothing(ownOf(user, 'custom')),
    privateAttributes: objectOrNothing(ownOf(user, 'privateAttributes')),
    tier,
    isFlat: false,
  };
}

export const sdkTier = (user: ReadonlyRecord): unknown =>
  unitIn(objectOrNothing(ownOf(user, 'statsigEnvironment')), 'tier');

/** Adds fields inferred from a request. Only for requests of the user's own device. */
export const withInferred = (user: EvaluatedUser, inferred: ReadonlyRecord): EvaluatedUser => ({
  ...user,
  inferred,
});

/** Returns the requested environment if allowed, else production if allowed, else the first; null allows all. */
export function environmentOf(allowed: readonly string[] | null, requested?: unknown): string {
  const production = 'production';
  const name = typeof requested === 'string' && requested !== '' ? requested : production;
  if (allowed === null) return name;
  const find = (wanted: string) =>
    allowed.find((environment) => environment.toLowerCase() === wanted.toLowerCase());
  return find(name) ?? find(production) ?? allowed[0] ?? production;
}

/** If names differ only in case, the first that is not missing counts. */
const idsByLowerCase = memoize((ids: ReadonlyRecord): ReadonlyMap<string, unknown> => {
  const given = Object.entries(ids).filter(([, id]) => !isMissing(id));
  return new Map(given.reverse().map(([name, id]) => [name.toLowerCase(), id]));
});

function unitIn(ids: ReadonlyRecord, name: string): unknown {
  const exact = ownOf(ids, name);
  return isMissing(exact) ? idsByLowerCase(ids).get(name.toLowerCase()) : exact;
}

/** Compares the length first, because every bucket needs it. */
const isUserID = (idType: string) => idType.length === 6 && idType.toLowerCase() === 'userid';

/** Returns the unit ID of an ID type; undefined if it is missing. */
export function unitOf(user: EvaluatedUser, idType: string): unknown {
  if (isUserID(idType)) return ownOf(user.fields, 'userID') ?? undefined;
  const id = unitIn(user.customIDs, idType);
  if (!isMissing(id) || !user.isFlat) return id ?? undefined;
  const attribute = textOfID(ownOf(user.custom, idType));
  return isLongID(attribute) ? undefined : attribute; // a long attribute is not an ID
}

const ownField = (fields: ReadonlyRecord, name: string): unknown =>
  containers.has(name) ? undefined : ownOf(fields, name);

/** Returns the first value that is not missing, by the exact name or its lower case. */
export function fieldOfUser(user: EvaluatedUser, name: string): unknown {
  const { fields, custom, privateAttributes, inferred = nothing } = user;
  const lower = name.toLowerCase();
  return (
    ownField(fields, name) ??
    ownField(fields, lower) ??
    ownOf(custom, name) ??
    ownOf(custom, lower) ??
    ownOf(privateAttributes, name) ??
    ownOf(privateAttributes, lower) ??
    ownOf(inferred, name) ??
    ownOf(inferred, lower) ??
    undefined
  );
}
