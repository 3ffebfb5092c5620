import type { Context } from 'hono';
import * as z from 'zod';
import { parseWellFormedJSON } from '../../base/json.ts';
import type { ReadonlyRecord } from '../../base/value_types.ts';
import { isObject } from '../../base/value_types.ts';
import { contextOf, type EvaluationContext } from '../../engine/evaluation/context.ts';
import {
  contextUser,
  environmentOf,
  hasLongID,
  longIDFault,
  withInferred,
} from '../../engine/evaluation/user.ts';
import { isTextTooDeep, refuseEncoded } from '../../platform/http/body.ts';
import { decodedText, readRequestBody } from '../../platform/http/bytes.ts';
import { byteLength } from '../../platform/store/sql/rows.ts';
import type { ClientApi } from '../serving/client_api.ts';
import { inferredFrom } from '../serving/inferred.ts';
import { EvaluationError } from './errors.ts';

/** Limits of a context: bytes of its JSON, and levels of nesting. */
const limits = { bytes: 64 * 1024, depth: 20 };

const bodyOverhead = { bytes: 1024, depth: 1 };

/** The context is not validated further, so that parsing does not walk it. */
const request = z.object({ context: z.custom<ReadonlyRecord>(isObject).default({}) });

const invalid = (message: string) => new EvaluationError('INVALID_CONTEXT', message);

const contextTooLarge = () => invalid(`The context must have at most ${limits.bytes} bytes.`);

const contextBytes = (context: ReadonlyRecord) => byteLength(JSON.stringify(context));

async function contextIn(c: Context<ClientApi>): Promise<ReadonlyRecord> {
  const bytes = await readRequestBody(c.req.raw, limits.bytes + bodyOverhead.bytes);
  if (!bytes) throw contextTooLarge();
  refuseEncoded(c);
  const text = decodedText(bytes);
  if (isTextTooDeep(text, limits.depth + bodyOverhead.depth))
    throw invalid(`The context must not nest deeper than ${limits.depth} levels.`);
  const body = parseWellFormedJSON(text);
  if (body === undefined) throw new EvaluationError('PARSE_ERROR', 'The body is not valid JSON.');
  const { data } = request.safeParse(body);
  if (!data) throw invalid('The body and its context must be JSON objects.');
  if (bytes.byteLength > limits.bytes && contextBytes(data.context) > limits.bytes)
    throw contextTooLarge();
  return data.context;
}

/** Returns the evaluation context of a request. `@throws EvaluationError` if its context is invalid. */
export async function ofrepContext(c: Context<ClientApi>): Promise<EvaluationContext> {
  const caller = c.get('caller');
  const context = await contextIn(c);
  const { environment } = Object.hasOwn(context, 'environment') ? context : {};
  const user = contextUser(context, environmentOf(caller.environments, environment));
  if (hasLongID(user)) throw invalid(`The context ${longIDFault}.`);
  const project = c.get('snapshot').project(caller);
  const evaluated = contextOf(project, withInferred(user, inferredFrom(c)), Date.now());
  c.set('evaluated', evaluated);
  return evaluated;
}
