import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { HTTPException } from 'hono/http-exception';
import { Problem, problemTypes } from '../../base/problem.ts';
import { classify, isUnmigrated } from '../store/sql/database.ts';

/** Responds with a problem as `application/problem+json`. */
export function respond(c: Context, problem: Problem): Response {
  const { status, title } = problemTypes[problem.code];
  const { errors, headers, members } = problem.details;
  const type = `/problems/${problem.code}`;
  const body = { type, title, status, message: problem.message, errors, ...members };
  // The handler may have set headers of a state that is not stored.
  for (const name of ['ETag', 'Location']) c.header(name, undefined);
  return c.json(body, status, { ...headers, 'Content-Type': 'application/problem+json' });
}

const overloaded = /overloaded|too many requests queued/i;

/** Whether an error means that the database could not be queried. */
export const isUnavailable = (error: Error) =>
  overloaded.test(error.message) || classify(error) === 'lost';

export const migrateCommand =
  'npx wrangler d1 migrations apply DB --remote (--local in local development)';

export const setSecretCommand = (name: string) =>
  `npx wrangler secret put ${name} (a line of .dev.vars in local development)`;

function meaningOf(error: Error): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof HTTPException && error.status === 400)
    return new Problem('malformed', 'The body is not valid JSON.');
  if (isUnmigrated(error))
    return new Problem('incomplete', `The database is not migrated: ${migrateCommand}.`);
  if (isUnavailable(error))
    return Problem.unavailable('The database is not available at the moment; nothing was changed.');
  return new Problem('internal', 'Something went wrong on our side.');
}

/** Returns the problem for an error, and logs it if its status is 500 or more. */
export function problemOf(error: Error, c: Context): Problem {
  const problem = meaningOf(error);
  if (problemTypes[problem.code].status >= 500) {
    const { name, message, stack } = error;
    const at = stack?.split('\n').slice(1, 4).join(' ').replace(/\s+/g, ' ');
    const requestId = c.get('requestId');
    // The migration command replaces the database's own message.
    const mend = problem.code === 'incomplete' && error !== problem ? problem.message : undefined;
    const line = { requestId, problem: problem.code, mend, error: name, message, at };
    console.error(JSON.stringify(line));
  }
  return problem;
}

export const onError = (error: Error, c: Context): Response => respond(c, problemOf(error, c));

export function notFound(c: Context): Response {
  return respond(c, new Problem('not_found', `There is no ${c.req.path} in this API.`));
}

export function methodNotAllowed(c: Context, methods: string[]): Response {
  const allow = methods.join(', ');
  const message = `${c.req.path} has no ${c.req.method}; use ${methods.length > 1 ? 'one of ' : ''}${allow}.`;
  return respond(c, new Problem('method_not_allowed', message, { headers: { Allow: allow } }));
}

export const problemPages = new Hono().get('/:code', (c, next) => {
  const found = Object.entries(problemTypes).find(([code]) => code === c.req.param('code'));
  if (!found) return next();
  const [code, { status, title, meaning }] = found;
  return c.html(
    html`<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>${meaning}</p>
      <p>HTTP status ${status}, <code>/problems/${code}</code></p></html>`,
  );
});
