import { memoize } from '../../base/memoize.ts';
import type { ReadonlyRecord } from '../../base/value_types.ts';
import { isStorable } from '../../data/exposures/dimensions.ts';
import { textOfValue } from '../../engine/evaluation/readings.ts';
import { type EvaluatedUser, sdkUser } from '../../engine/evaluation/user.ts';
import type { Snapshot } from '../serving/snapshot.ts';
import { limits } from './bounds.ts';

interface Recorded {
  readonly user: EvaluatedUser;
  readonly leftOut: number;
}

const recordedIDText = (id: unknown): string | undefined => {
  const isText = typeof id === 'string' || typeof id === 'number';
  return isText && id !== '' ? textOfValue(id) : undefined;
};

/** Computed once for each user object, which many events may share. */
const withinLimits = memoize((given: ReadonlyRecord): Recorded => {
  const user = sdkUser(given);
  const kept: [string, unknown][] = [];
  let leftOut = 0;
  for (const [type, id] of Object.entries(user.customIDs)) {
    const text = recordedIDText(id);
    if (text === undefined) continue;
    if (kept.length < limits.ids && isStorable(text)) kept.push([type, id]);
    else leftOut++;
  }
  const userID = recordedIDText(user.fields.userID);
  if (userID !== undefined && !isStorable(userID)) leftOut++;
  return { user: { ...user, customIDs: Object.fromEntries(kept) }, leftOut };
});

/** Returns a user of a delivery, with the `stableID` of the sender if it has none. */
export function recordedUser(given: ReadonlyRecord, stableID: unknown): Recorded {
  const { user, leftOut } = withinLimits(given);
  const text = recordedIDText(stableID);
  if (text === undefined) return { user, leftOut };
  if (!isStorable(text)) return { user, leftOut: leftOut + 1 };
  const { customIDs } = sdkUser({ customIDs: user.customIDs }, undefined, text);
  return { user: { ...user, customIDs }, leftOut };
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
): Record<string, string> {
  const known = Object.entries(customIDs).flatMap(([name, id]): [string, string][] => {
    const type = snapshot.unitType(name);
    return type === undefined || type === 'userID' ? [] : [[type, textOfValue(id) ?? '']];
  });
  return Object.fromEntries(known.sort(([a], [b]) => (a < b ? -1 : 1)));
}
