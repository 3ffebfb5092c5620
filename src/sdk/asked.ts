import type { Context } from 'hono';
import * as z from 'zod';
import { contextOf, type Context as EvaluationContext } from '../evaluation/context.ts';
import type { Values } from '../evaluation/spec.ts';
import {
  environmentOf,
  hasLongID,
  longIDFault,
  sdkTier,
  sdkUser,
  withInferred,
} from '../evaluation/user.ts';
import { Problem } from '../problem.ts';
import type { Door } from '../serving/door.ts';
import { inferredFrom } from '../serving/inferred.ts';
import { isObject } from '../shared/value_types.ts';

/** An object of an SDK; what is none counts as empty, as SDKs send null where they have nothing. */
export const object = z.custom<Values>(isObject).catch({});

/** What every request of an SDK says: of its user, and of itself. */
const asking = z.object({ user: object, statsigMetadata: object });

/** What an SDK asks about: its user, at this moment, in what its key evaluates. */
export function askedBy(c: Context<Door>, body: Values): EvaluationContext {
  const { user: given, statsigMetadata } = asking.parse(body);
  const caller = c.get('caller');
  const tier = environmentOf(caller.environments, sdkTier(given));
  const { stableID } = Object.hasOwn(statsigMetadata, 'stableID') ? statsigMetadata : {};
  const user = withInferred(sdkUser(given, tier, stableID), inferredFrom(c));
  if (hasLongID(user)) throw Problem.property('user', longIDFault);
  const context = contextOf(c.get('snapshot').project(caller), user, Date.now());
  c.set('evaluated', context);
  return context;
}
