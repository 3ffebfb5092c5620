import { Problem } from '../../../base/problem.ts';
import type { Entity } from '../core/entity.ts';

/** A version, and a word for the part of the response that depends on the clock; empty if nothing does. */
export interface Tagged {
  version: number;
  mark?: string | undefined;
}

/** Returns the entity tag: `"7"`, or `"7.stale"` if time has changed the response. */
export const etag = ({ version, mark }: Tagged) => `"${version}${mark ? `.${mark}` : ''}"`;

const ofVersion = (tag: string) => tag.replace(/^"(\d+)\.\w+"$/, '"$1"');

const names = (ifMatch: string, version: number) =>
  tagsInHeader(ifMatch).map(ofVersion).includes(etag({ version }));

const matchesVersion = (ifMatch: string, version: number) =>
  ifMatch.trim() === '*' || names(ifMatch, version);

export const tagsInHeader = (header: string) => header.split(',').map((tag) => tag.trim());

/**
 * Checks `If-Match` (RFC 9110, section 13.1.1), strongly; a missing entity has version 0.
 * @throws Problem 412 with the current version, its author and time, or stating that nothing is stored
 */
export function requireMatch(ifMatch: string | undefined, entity: Entity | undefined): void {
  if (ifMatch === undefined) return;
  if (!entity) {
    if (names(ifMatch, 0)) return;
    throw new Problem(
      'precondition',
      'There is none at the moment; send the request without If-Match.',
    );
  }
  const { version } = entity;
  if (matchesVersion(ifMatch, version)) return;
  const { lastModifierID, lastModifierName, lastModifiedTime } = entity;
  const message = `The current version is ${version}, made by ${lastModifierName}; read it and decide again.`;
  const current = { version, lastModifierID, lastModifierName, lastModifiedTime };
  throw new Problem('precondition', message, {
    headers: { ETag: etag({ version }) },
    members: { current },
  });
}

/** Checks `If-Match` against an unregistered name, whose version is 0. @throws Problem 412 for another version */
export function requireUnregistered(ifMatch: string | undefined): void {
  if (ifMatch === undefined || matchesVersion(ifMatch, 0)) return;
  throw new Problem('precondition', 'It is used, and not registered; read it and decide again.');
}
