import type { Context } from 'hono';
import { etag, type Tagged, tagsOf } from '../store/preconditions.ts';

/** The If-Match header of a request, as the store takes it. */
export const ifMatch = (c: Context) => c.req.header('If-Match');

/** Whether the caller already has this answer (If-None-Match; comparison is weak). */
export function isKnown(c: Context, entity: Tagged): boolean {
  const header = c.req.header('If-None-Match');
  if (header === undefined) return false;
  return (
    header.trim() === '*' || tagsOf(header).some((tag) => tag.replace(/^W\//, '') === etag(entity))
  );
}
