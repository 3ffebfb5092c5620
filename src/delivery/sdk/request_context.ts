import type { Context } from 'hono';
import * as z from 'zod';
import { Problem } from '../../base/problem.ts';
import type { ReadonlyRecord } from '../../base/value_types.ts';
import { isObject } from '../../base/value_types.ts';
import { contextOf, type EvaluationContext } from '../../engine/evaluation/context.ts';
import {
  environmentOf,
  hasLongID,
  longIDFault,
  sdkTier,
  sdkUser,
  withInferred,
} from '../../engine/evaluation/user.ts';
import type { ClientApi } from '../serving/client_api.ts';
import { inferredFrom } from '../serving/inferred.ts';

/** An object sent by an SDK. Other values become `{}`, because SDKs send null for missing objects. */
export const objectOrEmpty = z.custom<ReadonlyRecord>(isObject).catch({});

const requestSchema = z.object({ user: objectOrEmpty, statsigMetadata: objectOrEmpty });

/** Returns the evaluation context of a request. `@throws Problem` 400 if an ID of the user is too long. */
export function sdkContext(c: Context<ClientApi>, body: ReadonlyRecord): EvaluationContext {
  const { user: sent, statsigMetadata } = requestSchema.parse(body);
  const caller = c.get('caller');
  const tier = environmentOf(caller.environments, sdkTier(sent));
  const { stableID } = Object.hasOwn(statsigMetadata, 'stableID') ? statsigMetadata : {};
  const user = withInferred(sdkUser(sent, tier, stableID), inferredFrom(c));
  if (hasLongID(user)) throw Problem.property('user', longIDFault);
  const context = contextOf(c.get('snapshot').project(caller), user, Date.now());
  c.set('evaluated', context);
  return context;
}
