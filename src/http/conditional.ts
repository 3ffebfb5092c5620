import type { Context } from 'hono';
import { Problem } from '../problem.ts';
import { etag, type Tagged, tagsOf } from '../store/preconditions.ts';

const tagList = /^(\*|(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*)$/;

/** The If-Match header of a request, as the store takes it; 400 for what is no entity tag. */
export function ifMatch(c: Context): string | undefined {
  const header = c.req.header('If-Match');
  if (header === undefined || tagList.test(header.trim())) return header;
  throw Problem.property('If-Match', 'must be the ETag of an answer, in quotes, such as "3"');
}

/** Whether the caller already has this answer (If-None-Match; comparison is weak). */
export function isKnown(c: Context, entity: Tagged): boolean {
  const header = c.req.header('If-None-Match');
  if (header === undefined) return false;
  return (
    header.trim() === '*' || tagsOf(header).some((tag) => tag.replace(/^W\//, '') === etag(entity))
  );
}
