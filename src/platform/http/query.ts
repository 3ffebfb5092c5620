import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes, routePath } from 'hono/route';
import * as z from 'zod';
import { Problem } from '../../base/problem.ts';
import { memberOf } from '../../base/value_types.ts';
import { documented, isRequestPart } from './documented.ts';
import { isRead } from './methods.ts';

function notesOf(c: Context): unknown[] {
  const path = routePath(c);
  const own = matchedRoutes(c).filter((route) => route.path === path);
  return own.map(({ handler }) => memberOf(handler, documented));
}

export const hasBody = (c: Context): boolean =>
  notesOf(c).some((note) => isRequestPart(note) && note.target === 'json');

function queryParameters(c: Context): string[] {
  const notes = notesOf(c);
  const schemas = notes.flatMap((note) =>
    isRequestPart(note) && note.target === 'query' ? [note.schema] : [],
  );
  const own = schemas.flatMap((schema) =>
    schema instanceof z.ZodObject ? Object.keys(schema.shape) : [],
  );
  const reads = isRead(c) || notes.some((note) => memberOf(note, 'reads'));
  return reads ? own : [...own, dryRun];
}

/** Returns the name of a parameter without brackets: `tags[]` and `tags[0]` are values of `tags`. */
const baseOf = (name: string) => name.replace(/\[\d*\]$/, '');

/** Returns a query whose bracketed parameters are arrays under their base name. */
export function unbracketed(query: object): object {
  const byName = Map.groupBy(Object.entries(query), ([name]) => baseOf(name));
  const values = [...byName].map(([name, given]) => {
    const isPlain = given.length === 1 && given[0]?.[0] === name;
    return [name, isPlain ? given[0]?.[1] : given.flatMap(([, value]) => value)];
  });
  return Object.fromEntries(values);
}

/** The parameter of every change. It has one value, so it takes no brackets. */
const dryRun = 'dryRun';

function refuseOthers(given: string[], known: string[]): void {
  const unknown = given.filter(
    (name) => !known.includes(baseOf(name)) || (baseOf(name) === dryRun && name !== dryRun),
  );
  if (unknown.length === 0) return;
  const errorMessage =
    known.length > 0
      ? `is not a parameter of this operation; use ${known.join(', ')}`
      : 'is not a parameter of this operation; it takes none';
  throw Problem.invalid(unknown.map((property) => ({ property, errorMessage })));
}

/** Throws Problem 400 for a query parameter that the operation does not document. */
export function refuseUnknownQuery(c: Context): void {
  if (!c.req.url.includes('?')) return;
  const given = Object.keys(c.req.query());
  if (given.length > 0) refuseOthers(given, queryParameters(c));
}

/** Throws Problem 400 for any query parameter, for operations outside the OpenAPI document. */
export const noQuery: MiddlewareHandler = (c, next) => {
  refuseOthers(Object.keys(c.req.query()), []);
  return next();
};
