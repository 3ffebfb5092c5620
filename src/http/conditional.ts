import type { Context } from 'hono';
import * as z from 'zod';
import { Problem } from '../problem.ts';
import { etag, type Tagged, tagsOf } from '../store/entities/preconditions.ts';

/** One entity tag or several, or `*` (RFC 9110, sections 8.8.3 and 13.1.1). */
const tagList = /^\s*(\*|(W\/)?"[!#-~\x80-\xff]*"([ \t]*,[ \t]*(W\/)?"[!#-~\x80-\xff]*")*)\s*$/;

const noTag = 'must be the ETag of an answer, in quotes, such as "3"';

/** The value of an If-Match header, in a body. */
export const ifMatchText = z.string().regex(tagList, noTag);

/** The If-Match header of a request, as the store takes it; 400 for what is no entity tag. */
export function ifMatch(c: Context): string | undefined {
  const header = c.req.header('If-Match');
  if (header === undefined || tagList.test(header)) return header;
  throw Problem.property('If-Match', noTag);
}

/** 400 for an If-Match that would be ignored, so that nobody relies on it. */
export function refuseIfMatch(c: Context): void {
  if (c.req.header('If-Match') === undefined) return;
  throw Problem.property('If-Match', 'has no meaning for this operation; send it without');
}

/** Whether the caller already has this answer (If-None-Match; comparison is weak). */
export function isKnown(c: Context, entity: Tagged): boolean {
  const header = c.req.header('If-None-Match');
  if (header === undefined) return false;
  return (
    header.trim() === '*' || tagsOf(header).some((tag) => tag.replace(/^W\//, '') === etag(entity))
  );
}
