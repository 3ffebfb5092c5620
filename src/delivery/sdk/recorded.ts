import { memoize } from '../../base/memoize.ts';
import { isStorable } from '../../data/exposures/dimensions.ts';
import { textOf } from '../../engine/evaluation/readings.ts';
import type { Values } from '../../engine/evaluation/spec.ts';
import { sdkUser, type User } from '../../engine/evaluation/user.ts';
import type { Snapshot } from '../serving/snapshot.ts';
import { limits } from './bounds.ts';

interface Recorded {
  readonly user: User;
  readonly leftOut: number;
}

const textOfID = (id: unknown): string | undefined => {
  const isText = typeof id === 'string' || typeof id === 'number';
  return isText && id !== '' ? textOf(id) : undefined;
};

/** Computed once for each user object, which many events may share. */
const withinLimits = memoize((given: Values): Recorded => {
  const user = sdkUser(given);
  const kept: [string, unknown][] = [];
  let leftOut = 0;
  for (const [type, id] of Object.entries(user.customIDs)) {
    const text = textOfID(id);
    if (text === undefined) continue;
    if (kept.length < limits.ids && isStorable(text)) kept.push([type, id]);
    else leftOut++;
  }
  const userID = textOfID(user.fields.userID);
  if (userID !== undefined && !isStorable(userID)) leftOut++;
  return { user: { ...user, customIDs: Object.fromEntries(kept) }, leftOut };
});

/** Returns a user of a delivery, with the `stableID` of the sender if it has none. */
export function recordedUser(given: Values, stableID: unknown): Recorded {
  const { user, leftOut } = withinLimits(given);
  const text = textOfID(stableID);
  if (text === undefined) return { user, leftOut };
  if (!isStorable(text)) return { user, leftOut: leftOut + 1 };
  const { customIDs } = sdkUser({ customIDs: user.customIDs }, undefined, text);
  return { user: { ...user, customIDs }, leftOut };
}

/** Returns "" if the user has no user ID, or one that is too long to be stored. */
export function userIDOf({ fields }: User): string {
  const userID = textOfID(fields.userID);
  return userID !== undefined && isStorable(userID) ? userID : '';
}

/** Returns the other IDs of a user by the ID types of the project. IDs of unknown types are not stored. */
export function unitIDsOf({ customIDs }: User, snapshot: Snapshot): Record<string, string> {
  const known = Object.entries(customIDs).flatMap(([name, id]): [string, string][] => {
    const type = snapshot.unitType(name);
    return type === undefined || type === 'userID' ? [] : [[type, textOf(id) ?? '']];
  });
  return Object.fromEntries(known.sort(([a], [b]) => (a < b ? -1 : 1)));
}
