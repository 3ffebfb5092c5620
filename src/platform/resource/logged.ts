import * as z from 'zod';
import { pluralOf } from '../../base/english.ts';
import { actions, rowKinds } from '../../base/log_names.ts';
import type { Entity } from '../store/core/entity.ts';
import type { Kind } from '../store/core/kind.ts';

/** Returns the schema of a kind in the log: in singular or plural, parsed to its name in the log. */
export function loggedKind(kinds: readonly Kind<Entity>[]) {
  const logged = [...kinds.map(({ kind }) => kind).toSorted(), ...rowKinds];
  const byName = new Map(
    logged.flatMap((kind) =>
      [kind, pluralOf(kind), kind.replace(/s$/, '')].map((name) => [name, kind] as const),
    ),
  );
  return z
    .string()
    .transform((name) => byName.get(name) ?? name)
    .pipe(z.enum(logged));
}

export const loggedAction = z.enum(actions).meta({ id: 'LoggedAction' });
