import { textOf } from '../../evaluation/readings.ts';
import { fieldOf, type User } from '../../evaluation/user.ts';

/** Characters of what is stored of a user: a unit, or a dimension. */
export const longest = 256;

/** The fields of a user that an experiment asks for, of which long ones are left out; nothing else is ever stored. */
export function dimensionsOf(
  user: User,
  names: readonly { name: string }[],
): Record<string, unknown> {
  const found = names.map(({ name }) => [name, textOf(fieldOf(user, name))]);
  const isStored = (value?: string) => value !== undefined && value.length <= longest;
  return Object.fromEntries(found.filter(([, value]) => isStored(value)));
}
