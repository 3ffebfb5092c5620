import { zValidator } from '@hono/zod-validator';
import type { Context, MiddlewareHandler, ValidationTargets } from 'hono';
import * as z from 'zod';
import type { Service, Success } from '../env.ts';
import { Problem } from '../problem.ts';
import { atFirst, most, readingOf } from '../shared/bounds.ts';
import { refuseUnfit, requireJSON } from './body.ts';
import { refuseIfMatch } from './conditional.ts';
import { documented, type Operation } from './documented.ts';
import { isRead } from './methods.ts';
import { hasBody, refuseUnknownQuery, unbracketed } from './query.ts';
import { droppedMembers, hasKnownMember } from './warnings.ts';
import { fromZod } from './zod_errors.ts';

/**
 * Keeps unknown body members for the warnings.
 * @throws Problem 400 if no member is known: a typo must not succeed, nor clear stored values
 */
async function noteUnknown(c: Context, known: object): Promise<void> {
  const given: unknown = await c.req.json();
  const dropped = droppedMembers(given, known);
  const errorMessage = 'is not a known field of this operation';
  if (dropped.length > 0 && !hasKnownMember(given, known))
    throw Problem.invalid(dropped.map((path) => ({ property: path.join('.'), errorMessage })));
  c.set('dropped', dropped);
  c.set('kept', known);
}

/**
 * Returns middleware that validates one part of a request, and removes its unknown properties.
 * @param levels the maximum nesting depth of a body
 * @throws Problem 415 for a body that is not JSON, 400 naming each field
 */
export function valid<T extends keyof ValidationTargets, S extends z.ZodType>(
  target: T,
  schema: S,
  levels: number = most.depth,
) {
  const given = (data: unknown) => (target === 'query' ? unbracketed(Object(data)) : data);
  const whole = target === 'json' ? 'body' : target;
  const validating = (how?: typeof atFirst) =>
    zValidator(
      target,
      schema,
      async (result, c) => {
        if (!result.success) throw fromZod(result.error, given(result.data), whole);
        if (target === 'json') await noteUnknown(c, Object(result.data));
      },
      // By `Object`, because the package types a result by its own schema, and takes that of no other.
      // And at once: no schema waits for anything.
      { validationFunction: (_, data) => Object(schema.safeParse(given(data), how)) },
    );
  const [validate, validateLarge] = [validating(), validating(atFirst)];
  const middleware: typeof validate = async (c, next) => {
    if (target !== 'json') return validate(c, next);
    requireJSON(c);
    const text = await c.req.text();
    refuseUnfit(text, [], levels);
    return (readingOf(text.length) ? validateLarge : validate)(c, next);
  };
  return Object.assign(middleware, { [documented]: { target, schema } });
}

/** Rejects every body except an empty object. */
const emptyBody: MiddlewareHandler = valid('json', z.object({}));

/** Whether a request sends a body to an operation that takes none. */
const hasUnexpectedBody = async (c: Context): Promise<boolean> =>
  !isRead(c) && !hasBody(c) && (await c.req.text()) !== '';

/**
 * Documents an operation, and enforces its documentation: an undocumented query parameter, body or If-Match is refused.
 */
export function doc(
  summary: string,
  success: Success | undefined,
  response: z.ZodType,
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
