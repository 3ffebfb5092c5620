import type { Context } from 'hono';
import * as z from 'zod';
import { Problem } from '../../base/problem.ts';
import { etag, type Tagged, tagsInHeader } from '../store/entities/preconditions.ts';

/** RFC 9110, sections 8.8.3 and 13.1.1. */
const tagList = /^\s*(\*|(W\/)?"[!#-~\x80-\xff]*"([ \t]*,[ \t]*(W\/)?"[!#-~\x80-\xff]*")*)\s*$/;

const tagRule = 'must be the ETag of a response, in quotes, such as "3"';

export const ifMatchText = z.string().regex(tagList, tagRule);

/** Returns the If-Match header. @throws Problem 400 unless it holds entity tags */
export function ifMatch(c: Context): string | undefined {
  const header = c.req.header('If-Match');
  if (header === undefined || tagList.test(header)) return header;
  throw Problem.property('If-Match', tagRule);
}

/** Throws Problem 400 for an If-Match that the operation would ignore. */
export function refuseIfMatch(c: Context): void {
  if (c.req.header('If-Match') === undefined) return;
  throw Problem.property('If-Match', 'must be absent: this operation does not support it');
}

/** Whether If-None-Match matches the current version, by weak comparison. */
export function isKnown(c: Context, entity: Tagged): boolean {
  const header = c.req.header('If-None-Match');
  if (header === undefined) return false;
  return (
    header.trim() === '*' ||
    tagsInHeader(header).some((tag) => tag.replace(/^W\//, '') === etag(entity))
  );
}
