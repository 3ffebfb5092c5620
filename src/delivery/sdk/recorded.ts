import { memoize, memoizeText } from '../../base/memoize.ts';
import type { ReadonlyRecord } from '../../base/value_types.ts';
import { digest, inOneOrder } from '../../data/events/identity.ts';
import { isStorable } from '../../data/exposures/dimensions.ts';
import { isMissing, textOfValue } from '../../engine/evaluation/readings.ts';
import { type EvaluatedUser, sdkUser } from '../../engine/evaluation/user.ts';
import type { Snapshot } from '../serving/snapshot.ts';
import { type LeftOut, limits } from './bounds.ts';

/** A user of a delivery in stored form. */
export interface Recorded {
  readonly user: EvaluatedUser;
  /** A hash of all IDs that the sender gave, also of those that are not recorded. */
  readonly units: string;
  readonly leftOut: Readonly<Record<LeftOutID, number>>;
}

type LeftOutID = 'too_many' | 'too_long' | 'unreadable';

const recordedIDText = (id: unknown): string | undefined => {
  const isText = typeof id === 'string' || typeof id === 'number';
  return isText && id !== '' ? textOfValue(id) : undefined;
};

/** Undefined for an ID that can be stored, and for one that is missing or empty. */
function faultOf(id: unknown): Exclude<LeftOutID, 'too_many'> | undefined {
  const text = recordedIDText(id);
  if (text !== undefined) return isStorable(text) ? undefined : 'too_long';
  return isMissing(id) || id === '' ? undefined : 'unreadable';
}

/** Computed once for each user object, which many events may share. */
const withinLimits = memoize((given: ReadonlyRecord): Recorded => {
  const user = sdkUser(given);
  const kept: [string, unknown][] = [];
  const leftOut = { too_many: 0, too_long: 0, unreadable: 0 };
  for (const [type, id] of Object.entries(user.customIDs)) {
    const fault = faultOf(id) ?? (kept.length < limits.ids ? undefined : 'too_many');
    if (fault) leftOut[fault]++;
    else if (recordedIDText(id) !== undefined) kept.push([type, id]);
  }
  const fault = faultOf(user.fields.userID);
  if (fault) leftOut[fault]++;
  const units = digest([user.fields.userID, inOneOrder(user.customIDs)]);
  return { user: { ...user, customIDs: Object.fromEntries(kept) }, units, leftOut };
});

/** Computed once for each text, which may be long and is shared by the events of a delivery. */
const digestOfStableID = memoizeText(10, digest);

/** Returns a user of a delivery, with the `stableID` of the sender if it has none. */
export function recordedUser(given: ReadonlyRecord, stableID: unknown): Recorded {
  const recorded = withinLimits(given);
  const text = recordedIDText(stableID);
  if (text === undefined) return recorded;
  const { user, leftOut } = recorded;
  const units = digest([recorded.units, digestOfStableID(text)]);
  if (!isStorable(text))
    return { user, units, leftOut: { ...leftOut, too_long: leftOut.too_long + 1 } };
  const { customIDs } = sdkUser({ customIDs: user.customIDs }, undefined, text);
  return { user: { ...user, customIDs }, units, leftOut };
}

/** Returns "" if the user has no user ID, or one that is too long to be stored. */
export function userIDOf({ fields }: EvaluatedUser): string {
  const userID = recordedIDText(fields.userID);
  return userID !== undefined && isStorable(userID) ? userID : '';
}

/** Returns the other IDs of a user by the ID types of the project. IDs of unknown types are not stored. */
export function unitIDsOf(
  { customIDs }: EvaluatedUser,
  snapshot: Snapshot,
  leftOut: LeftOut,
): Record<string, string> {
  const typed = Object.entries(customIDs).map(([name, id]) => ({
    type: snapshot.unitType(name),
    id: textOfValue(id) ?? '',
  }));
  const known = typed.flatMap(({ type, id }): [string, string][] =>
    type === undefined || type === 'userID' ? [] : [[type, id]],
  );
  const byType = Object.fromEntries(known.sort(([a], [b]) => (a < b ? -1 : 1)));
  const unknown = typed.filter(({ type }) => type === undefined).length;
  leftOut.add('ids', 'unknown_type', unknown);
  leftOut.add('ids', 'second_of_type', typed.length - unknown - Object.keys(byType).length);
  return byType;
}
