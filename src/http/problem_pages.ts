import { Hono } from 'hono';
import { html } from 'hono/html';
import { problemTypes } from './problem_types.ts';

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
