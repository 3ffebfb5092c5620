import { textOf } from '../../evaluation/readings.ts';
import { fieldOf, type User } from '../../evaluation/user.ts';
import { codePoints } from '../../shared/fields.ts';

/** Whether what a user has, a unit or a dimension, is short enough to be stored: the length of `POST /exposures`. */
export const isStorable = (text: string): boolean => codePoints(text) <= 256;

/** The fields of a user that an experiment asks for, of which long ones are left out; nothing else is ever stored. */
export function dimensionsOf(
  user: User,
  names: readonly { name: string }[],
): Record<string, unknown> {
  const found = names.map(({ name }) => [name, textOf(fieldOf(user, name))]);
  return Object.fromEntries(found.filter(([, text]) => text !== undefined && isStorable(text)));
}
