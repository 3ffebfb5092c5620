import * as z from 'zod';
import { pluralOf } from '../shared/english.ts';
import { actions, rowKinds } from '../shared/log_names.ts';
import { kinds } from './kinds.ts';

const logged = [...kinds.map(({ kind }) => kind), ...rowKinds];

/** Accepts singular and plural names: `gate` and `gates`, `event` and `events`. */
const byName = new Map(
  logged.flatMap((kind) =>
    [kind, pluralOf(kind), kind.replace(/s$/, '')].map((name) => [name, kind] as const),
  ),
);

/** A kind in the log, in singular or plural; parsed to its name in the log. */
export const loggedKind = z
  .string()
  .transform((name) => byName.get(name) ?? name)
  .pipe(z.enum(logged));

export const loggedAction = z.enum(actions).meta({ id: 'LoggedAction' });
