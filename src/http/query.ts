import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes, routePath } from 'hono/route';
import * as z from 'zod';
import { Problem } from '../problem.ts';
import { documented, isRequestPart } from './documented.ts';
import { isRead } from './methods.ts';

/** What is documented of the operation that a request reaches. */
function notesOf(c: Context): unknown[] {
  const path = routePath(c);
  const own = matchedRoutes(c).filter((route) => route.path === path);
  return own.map(({ handler }) => Object(handler)[documented]);
}

/** Whether the operation that a request reaches has a body. */
export const hasBody = (c: Context): boolean =>
  notesOf(c).some((note) => isRequestPart(note) && note.target === 'json');

/** The query parameters that the operation of each request knows. */
function knownTo(c: Context): string[] {
  const notes = notesOf(c);
  const schemas = notes.flatMap((note) =>
    isRequestPart(note) && note.target === 'query' ? [note.schema] : [],
  );
  const own = schemas.flatMap((schema) =>
    schema instanceof z.ZodObject ? Object.keys(schema.shape) : [],
  );
  const reads = isRead(c) || notes.some((note) => Object(note).reads);
  return reads ? own : [...own, dryRun];
}

/** The name of a parameter, which may come as `tags[]` or `tags[0]`: one of several values. */
const baseOf = (name: string) => name.replace(/\[\d*\]$/, '');

/** A query in which parameters with brackets stand under their own name, as an array. */
export function unbracketed(query: object): object {
  const byName = Map.groupBy(Object.entries(query), ([name]) => baseOf(name));
  const values = [...byName].map(([name, given]) => {
    const isPlain = given.length === 1 && given[0]?.[0] === name;
    return [name, isPlain ? given[0]?.[1] : given.flatMap(([, value]) => value)];
  });
  return Object.fromEntries(values);
}

/** What every change can be asked for; it has one value, and so no brackets. */
const dryRun = 'dryRun';

/** 400 for a query parameter that is none of those that an operation has; it names them. */
function refuseOthers(given: string[], known: string[]): void {
  const unknown = given.filter(
    (name) => !known.includes(baseOf(name)) || (baseOf(name) === dryRun && name !== dryRun),
  );
  if (unknown.length === 0) return;
  const errorMessage =
    known.length > 0
      ? `is no parameter of this operation, which has ${known.join(', ')}`
      : 'is no parameter of this operation, which has none';
  throw Problem.invalid(unknown.map((property) => ({ property, errorMessage })));
}

/** 400 for a query parameter that the operation does not know. */
export function refuseUnknownQuery(c: Context): void {
  if (!c.req.url.includes('?')) return;
  const given = Object.keys(c.req.query());
  if (given.length > 0) refuseOthers(given, knownTo(c));
}

/** 400 for any query parameter, where an operation has none and is no part of the document. */
export const noQuery: MiddlewareHandler = (c, next) => {
  refuseOthers(Object.keys(c.req.query()), []);
  return next();
};
