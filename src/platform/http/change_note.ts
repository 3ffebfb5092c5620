import type { Context } from 'hono';
import { codePoints, hasControls } from '../../base/fields.ts';
import { Problem } from '../../base/problem.ts';

const maxCharacters = 500;

/** The character that replaces bytes that are not UTF-8, for example letters that browsers send in another encoding. */
const replacement = '\ufffd';

const percentEncoded = /(?:%[0-9a-f]{2})+/gi;

function decoded(bytes: string): string {
  try {
    return decodeURIComponent(bytes);
  } catch {
    return bytes;
  }
}

/** Returns the Change-Note of a request, or null. @throws Problem 400 unless it is one line of text */
export function changeNote(c: Context): string | null {
  const text = (c.req.header('Change-Note') ?? '').replaceAll(percentEncoded, decoded).trim();
  if (codePoints(text) > maxCharacters)
    throw Problem.property('Change-Note', `must have at most ${maxCharacters} characters`);
  if (hasControls(text))
    throw Problem.property('Change-Note', 'must not contain control characters');
  if (text.includes(replacement))
    throw Problem.property('Change-Note', 'must be sent as UTF-8, or percent-encoded');
  return text || null;
}
