import type { Context } from 'hono';
import { Problem } from '../problem.ts';
import type { Entity } from '../store/columns.ts';

/** The entity tag of a version. */
export const etag = (entity: { version: number }) => `"${entity.version}"`;

const tags = (header: string) => header.split(',').map((tag) => tag.trim());

/**
 * Checks If-Match against the current version (RFC 9110, section 13.1.1; completions, section 5).
 * Comparison is strong, so a weak tag never matches.
 * @throws Problem 412 that says which version is current, and who made it when; or that there is none
 */
export function requireMatch(c: Context, entity: Entity | undefined): void {
  const header = c.req.header('If-Match');
  if (header === undefined) return;
  if (!entity)
    throw new Problem(
      'precondition',
      'There is none at the moment; send the request without If-Match.',
    );
  if (header.trim() === '*') return;
  if (tags(header).includes(etag(entity))) return;
  const { version, lastModifierID, lastModifierName, lastModifiedTime } = entity;
  const message = `The current version is ${version}, made by ${lastModifierName}; read it and decide anew.`;
  const current = { version, lastModifierID, lastModifierName, lastModifiedTime };
  throw new Problem('precondition', message, {
    headers: { ETag: etag(entity) },
    members: { current },
  });
}

/** Whether the caller already has this version (If-None-Match; comparison is weak). */
export function isKnown(c: Context, entity: { version: number }): boolean {
  const header = c.req.header('If-None-Match');
  if (header === undefined) return false;
  return (
    header.trim() === '*' || tags(header).some((tag) => tag.replace(/^W\//, '') === etag(entity))
  );
}
