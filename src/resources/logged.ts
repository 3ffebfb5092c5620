import * as z from 'zod';
import { pluralOf } from '../shared/english.ts';
import { actions, rowKinds } from '../shared/log_names.ts';
import { kinds } from './kinds.ts';

/** What the log has entries of. */
const logged = [...kinds.map(({ kind }) => kind), ...rowKinds];

/** The kinds by all that they are called: `gates` is as good as `gate`, and `event` as `events`. */
const byName = new Map(
  logged.flatMap((kind) =>
    [kind, pluralOf(kind), kind.replace(/s$/, '')].map((name) => [name, kind] as const),
  ),
);

/** A kind that the log has entries of, in singular or plural; answered as the log has it. */
export const loggedKind = z
  .string()
  .transform((name) => byName.get(name) ?? name)
  .pipe(z.enum(logged));

/** What the log says was done. */
export const loggedAction = z.enum(actions).meta({ id: 'LoggedAction' });
