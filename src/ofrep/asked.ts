import type { Context } from 'hono';
import * as z from 'zod';
import { contextOf, type Context as EvaluationContext } from '../evaluation/context.ts';
import type { Values } from '../evaluation/spec.ts';
import {
  contextUser,
  environmentOf,
  hasLongID,
  longIDFault,
  withInferred,
} from '../evaluation/user.ts';
import { isTextTooDeep, refuseEncoded } from '../http/body.ts';
import { bodyOf, textOf } from '../http/bytes.ts';
import type { Door } from '../serving/door.ts';
import { inferredFrom } from '../serving/inferred.ts';
import { parsedWhole } from '../shared/json.ts';
import { isObject } from '../shared/value_types.ts';
import { byteLength } from '../store/sql/rows.ts';
import { EvaluationError } from './errors.ts';

/** What a context may come to: bytes, and levels of nesting. */
const most = { bytes: 64 * 1024, depth: 20 };

/** What a body may have around its context. */
const around = { bytes: 1024, depth: 1 };

/** The body of a request. The context is any object, and not walked here, so that its size costs nothing. */
const request = z.object({ context: z.custom<Values>(isObject).default({}) });

const invalid = (message: string) => new EvaluationError('INVALID_CONTEXT', message);

const tooLarge = () => invalid(`The context has more than ${most.bytes} bytes.`);

const bytesIn = (context: Values) => byteLength(JSON.stringify(context));

/** The context of a request; an EvaluationError where it is none, or too large, a Problem 415 where it is encoded. */
async function contextIn(c: Context<Door>): Promise<Values> {
  const bytes = await bodyOf(c.req.raw, most.bytes + around.bytes);
  if (!bytes) throw tooLarge();
  refuseEncoded(c);
  const text = textOf(bytes);
  if (isTextTooDeep(text, most.depth + around.depth))
    throw invalid(`The context nests deeper than ${most.depth} levels.`);
  const body = parsedWhole(text);
  if (body === undefined) throw new EvaluationError('PARSE_ERROR', 'The body is not valid JSON.');
  const { data } = request.safeParse(body);
  if (!data) throw invalid('The body must be an object, and its context one as well.');
  if (bytes.byteLength > most.bytes && bytesIn(data.context) > most.bytes) throw tooLarge();
  return data.context;
}

/** What a request asks about: its user, at this moment, in what its key evaluates. */
export async function askedBy(c: Context<Door>): Promise<EvaluationContext> {
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
