import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { type ProblemCode, problemTypes } from './problem_types.ts';

export interface PropertyError {
  property: string;
  errorMessage: string;
}

interface Details {
  errors?: PropertyError[];
  headers?: Record<string, string>;
  /** Further members of the body. */
  members?: Record<string, unknown>;
}

/** The one error of this service: thrown anywhere, answered as RFC 9457 (completions, section 1). */
export class Problem extends Error {
  constructor(
    readonly code: ProblemCode,
    message: string,
    readonly details: Details = {},
  ) {
    super(message);
  }

  /** A 400 that names one property of the body. */
  static property(property: string, errorMessage: string): Problem {
    return Problem.invalid([{ property, errorMessage }]);
  }

  /** A 400 that names each property at fault. */
  static invalid(errors: PropertyError[]): Problem {
    const first = errors[0];
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
    const message = first ? `${first.property} ${first.errorMessage}${more}.` : 'Invalid request.';
    return new Problem('invalid', message, { errors });
  }
}

/** Answers a problem as `application/problem+json`. */
function respond(c: Context, problem: Problem): Response {
  const { status, title } = problemTypes[problem.code];
  const { errors, headers, members } = problem.details;
  const type = `/problems/${problem.code}`;
  const body = { type, title, status, message: problem.message, errors, ...members };
  return c.json(body, status, { ...headers, 'Content-Type': 'application/problem+json' });
}

/** D1's words for an overloaded or unreachable database. */
const unavailable =
  /overloaded|too many requests queued|network connection lost|object to be reset|code was updated|timed? ?out|internal error/i;

/** Turns anything thrown into a response; the only place that does. */
export function onError(error: Error, c: Context): Response {
  if (error instanceof Problem) return respond(c, error);
  if (error instanceof HTTPException && error.status === 400)
    return respond(c, new Problem('malformed', 'The body is not valid JSON.'));
  if (unavailable.test(error.message)) {
    const message = 'The database is not available at the moment; nothing was changed.';
    return respond(c, new Problem('unavailable', message, { headers: { 'Retry-After': '1' } }));
  }
  console.error(error.name, error.stack?.split('\n').slice(1, 6).join('\n'));
  return respond(c, new Problem('internal', 'Something went wrong on our side.'));
}

/** Answers an unknown path. */
export function notFound(c: Context): Response {
  return respond(c, new Problem('not_found', `There is no ${c.req.path} in this API.`));
}

/** Answers a known path with another method. */
export function methodNotAllowed(c: Context, methods: string[]): Response {
  const allow = methods.join(', ');
  const message = `${c.req.path} has no ${c.req.method}; use one of ${allow}.`;
  return respond(c, new Problem('method_not_allowed', message, { headers: { Allow: allow } }));
}
