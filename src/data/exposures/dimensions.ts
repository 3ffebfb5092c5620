import { codePoints } from '../../base/fields.ts';
import { textOfValue } from '../../engine/evaluation/readings.ts';
import { type EvaluatedUser, fieldOfUser } from '../../engine/evaluation/user.ts';

const maxLength = 256;

/** Whether a unit or dimension is short enough to store. The length comes first: a text can have 1 M characters. */
export const isStorable = (text: string): boolean =>
  text.length <= maxLength || (text.length <= 2 * maxLength && codePoints(text) <= maxLength);

function dimensionsOf(
  user: EvaluatedUser,
  names: readonly { name: string }[],
): Record<string, unknown> {
  const open = { ...user, privateAttributes: {} };
  const found = names.map(({ name }) => [name, textOfValue(fieldOfUser(open, name))]);
  return Object.fromEntries(found.filter(([, text]) => text !== undefined && isStorable(text)));
}

export const clientDimensions = ['sdkType', 'appVersion'];

/** Returns the attributes that an experiment stores: its dimensions, and the SDK and app version of the client. */
export const attributesOf = (
  user: EvaluatedUser,
  names: readonly { name: string }[],
  sdkType = '',
): Record<string, unknown> => ({
  ...(sdkType && isStorable(sdkType) && { sdkType }),
  ...dimensionsOf(user, [...clientDimensions.map((name) => ({ name })), ...names]),
});
