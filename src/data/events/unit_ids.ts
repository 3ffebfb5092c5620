import * as z from 'zod';
import { hasControls } from '../../base/fields.ts';
import { storedUnitType } from '../../base/unit_types.ts';
import { isObject } from '../../base/value_types.ts';
import { isStorable } from '../exposures/dimensions.ts';

const maxIDs = 20;

const isStoredText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && isStorable(value);

const areUnitIDs = (value: unknown): value is Record<string, string> =>
  isObject(value) &&
  Object.keys(value).length <= maxIDs &&
  Object.entries(value).every(
    ([type, id]) => isStoredText(type) && !hasControls(type) && isStoredText(id),
  );

const text = { type: 'string', minLength: 1, maxLength: 256 } as const;

/** The IDs of an event by ID type. A custom schema, because a record would report each key at a path of its own. */
export const unitIDsInput = z
  .any()
  .transform((value, context): Record<string, string> => {
    if (areUnitIDs(value)) return value;
    const message = `must map at most ${maxIDs} ID types to IDs, each a text of 1 to 256 characters`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .meta({ type: 'object', additionalProperties: text, maxProperties: maxIDs });

/** Returns the IDs of an event with their ID types in stored form, first its `userID`, unless that is empty. */
export const idsByType = (userID: string, unitIDs: Record<string, string>): [string, string][] =>
  [...(userID ? [['userID', userID] as const] : []), ...Object.entries(unitIDs)].map(
    ([type, id]) => [storedUnitType(type), id],
  );

/** Whether no ID type has two IDs. */
export function hasOneIDPerType(userID: string, unitIDs: Record<string, string>): boolean {
  const given = idsByType(userID, unitIDs);
  const ids = new Map(given);
  return given.every(([type, id]) => ids.get(type) === id);
}
