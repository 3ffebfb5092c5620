import { textOf } from '../../evaluation/readings.ts';
import { fieldOf, type User } from '../../evaluation/user.ts';
import { codePoints } from '../../shared/fields.ts';

/** Bounds the characters of a stored unit or dimension, as in `POST /exposures`. */
const maxLength = 256;

/**
 * Whether a unit or a dimension is short enough to be stored. Checks the length first, because a text can have 1
 * million characters.
 */
export const isStorable = (text: string): boolean =>
  text.length <= maxLength || (text.length <= 2 * maxLength && codePoints(text) <= maxLength);

/**
 * Returns the fields of a user that an experiment stores with an exposure. Private attributes and fields of more than
 * 256 characters are never stored.
 */
export function dimensionsOf(
  user: User,
  names: readonly { name: string }[],
): Record<string, unknown> {
  const open = { ...user, privateAttributes: {} };
  const found = names.map(({ name }) => [name, textOf(fieldOf(open, name))]);
  return Object.fromEntries(found.filter(([, text]) => text !== undefined && isStorable(text)));
}
