import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { HTTPException } from 'hono/http-exception';
import { Problem, problemTypes } from '../problem.ts';

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

/** The page behind each problem's `type`: what it means and what to do. */
export const problemPages = new Hono().get('/:code', (c, next) => {
  const found = Object.entries(problemTypes).find(([code]) => code === c.req.param('code'));
  if (!found) return next();
  const [code, { status, title, meaning }] = found;
  return c.html(
    html`<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>${meaning}</p>
      <p>HTTP status ${status}, <code>/problems/${code}</code></p></html>`,
  );
});
