import { Problem } from '../../problem.ts';
import type { Entity } from '../core/entity.ts';

/** A version, and what of its answer the clock decides, as a word: empty where that is nothing. */
export interface Tagged {
  version: number;
  mark?: string | undefined;
}

/** The entity tag of an answer: `"7"`, or `"7.stale"` where time has made it another. */
export const etag = ({ version, mark }: Tagged) => `"${version}${mark ? `.${mark}` : ''}"`;

/** The tag of a version, whatever time made of its answer. */
const ofVersion = (tag: string) => tag.replace(/^"(\d+)\.\w+"$/, '"$1"');

const names = (ifMatch: string, version: number) =>
  tagsOf(ifMatch).map(ofVersion).includes(etag({ version }));

/** Whether an If-Match header has the tag of a version, or `*`. */
const matches = (ifMatch: string, version: number) =>
  ifMatch.trim() === '*' || names(ifMatch, version);

/** The tags of an If-Match or If-None-Match header. */
export const tagsOf = (header: string) => header.split(',').map((tag) => tag.trim());

/**
 * Checks If-Match against the current version (RFC 9110, section 13.1.1); that of what is not there is 0.
 * Comparison is strong, so a weak tag never matches.
 * @param ifMatch the header, or undefined where anything goes
 * @throws Problem 412 that says which version is current, and who made it when; or that there is none
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
  if (matches(ifMatch, version)) return;
  const { lastModifierID, lastModifierName, lastModifiedTime } = entity;
  const message = `The current version is ${version}, made by ${lastModifierName}; read it and decide anew.`;
  const current = { version, lastModifierID, lastModifierName, lastModifiedTime };
  throw new Problem('precondition', message, {
    headers: { ETag: etag({ version }) },
    members: { current },
  });
}

/**
 * Checks If-Match against what is used, and not registered, whose answers have the version 0.
 * @throws Problem 412 where it is of what was registered once
 */
export function requireUnregistered(ifMatch: string | undefined): void {
  if (ifMatch === undefined || matches(ifMatch, 0)) return;
  throw new Problem('precondition', 'It is used, and not registered; read it and decide anew.');
}
