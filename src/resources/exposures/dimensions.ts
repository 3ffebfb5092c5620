import { textOf } from '../../evaluation/readings.ts';
import { fieldOf, type User } from '../../evaluation/user.ts';
import { codePoints } from '../../shared/fields.ts';

/** Whether what a user has, a unit or a dimension, is short enough to be stored: the length of `POST /exposures`. */
export const isStorable = (text: string): boolean => codePoints(text) <= 256;

/**
 * Returns the fields of a user that an experiment stores with an exposure. Fields of more than 256 characters and private
 * attributes are left out: those decide, and are never stored.
 */
export function dimensionsOf(
  user: User,
  names: readonly { name: string }[],
): Record<string, unknown> {
  const open = { ...user, privateAttributes: {} };
  const found = names.map(({ name }) => [name, textOf(fieldOf(open, name))]);
  return Object.fromEntries(found.filter(([, text]) => text !== undefined && isStorable(text)));
}
