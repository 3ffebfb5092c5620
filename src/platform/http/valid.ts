import { zValidator } from '@hono/zod-validator';
import type { Context, MiddlewareHandler, ValidationTargets } from 'hono';
import * as z from 'zod';
import { atFirst, limits, parseContext } from '../../base/limits.ts';
import { Problem } from '../../base/problem.ts';
import { isRecord } from '../../base/value_types.ts';
import type { Service, Success } from '../env.ts';
import { refuseUnfit, requireJSON } from './body.ts';
import { refuseIfMatch } from './conditional.ts';
import { documented, type Operation } from './documented.ts';
import { isRead } from './methods.ts';
import { hasBody, refuseUnknownQuery, unbracketed } from './query.ts';
import { droppedMembers, hasKnownMember } from './warnings.ts';
import { fromZod } from './zod_errors.ts';

/** @throws Problem 400 if no member is known, which is a typo */
async function noteUnknown(c: Context, known: object): Promise<void> {
  const given: unknown = await c.req.json();
  const dropped = droppedMembers(given, known);
  const errorMessage = 'is not a known field of this operation';
  if (dropped.length > 0 && !hasKnownMember(given, known))
    throw Problem.invalid(dropped.map((path) => ({ property: path.join('.'), errorMessage })));
  c.set('dropped', dropped);
  c.set('kept', known);
}

/** The package types a result by the version of zod, which TypeScript cannot derive from a generic schema. */
type ParsedData<S> = S extends z.core.$ZodType ? z.ZodSafeParseResult<unknown> : never;

function parseData<S extends z.ZodType>(
  schema: S,
  data: unknown,
  how?: typeof atFirst,
): ParsedData<S>;
function parseData(schema: z.ZodType, data: unknown, how?: typeof atFirst): object {
  return schema.safeParse(data, how);
}

/**
 * Returns middleware that validates a part of a request, and removes its unknown properties.
 * @throws Problem 415 for a body that is not JSON, 400 naming each field
 */
export function valid<T extends keyof ValidationTargets, S extends z.ZodType>(
  target: T,
  schema: S,
  levels: number = limits.depth,
) {
  const given = (data: unknown) =>
    target === 'query' && isRecord(data) ? unbracketed(data) : data;
  const whole = target === 'json' ? 'body' : target;
  const validating = (how?: typeof atFirst) =>
    zValidator(
      target,
      schema,
      async (result, c) => {
        if (!result.success) throw fromZod(result.error, given(result.data), whole);
        if (target === 'json' && isRecord(result.data)) await noteUnknown(c, result.data);
      },
      { validationFunction: (_, data) => parseData(schema, given(data), how) }, // no schema is asynchronous
    );
  const [validate, validateLarge] = [validating(), validating(atFirst)];
  const middleware: typeof validate = async (c, next) => {
    if (target !== 'json') return validate(c, next);
    requireJSON(c);
    const text = await c.req.text();
    refuseUnfit(text, [], levels);
    return (parseContext(text.length) ? validateLarge : validate)(c, next);
  };
  return Object.assign(middleware, { [documented]: { target, schema } });
}

const emptyBody: MiddlewareHandler = valid('json', z.object({}));

const hasUnexpectedBody = async (c: Context): Promise<boolean> =>
  !isRead(c) && !hasBody(c) && (await c.req.text()) !== '';

/** Documents an operation, and refuses an undocumented query parameter, body or If-Match. */
export function doc(
  summary: string,
  success: Success | undefined,
  response: () => z.ZodType,
  more: Partial<Omit<Operation, 'summary' | 'success' | 'response'>> = {},
): MiddlewareHandler<Service> {
  const operation: Operation = { summary, success, response, status: 200, ...more };
  const middleware: MiddlewareHandler<Service> = async (c, next) => {
    c.set('success', success);
    refuseUnknownQuery(c);
    if (isRead(c) || more.reads || more.isUnversioned) refuseIfMatch(c);
    return (await hasUnexpectedBody(c)) ? emptyBody(c, next) : next();
  };
  return Object.assign(middleware, { [documented]: operation });
}
