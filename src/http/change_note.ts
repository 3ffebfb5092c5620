import type { Context } from 'hono';
import { Problem } from '../problem.ts';
import { codePoints, hasControls } from '../shared/fields.ts';

/** The longest note, in characters. */
const longest = 500;

/** What the bytes of a header become that are no UTF-8, such as the letters that browsers send. */
const lost = '\ufffd';

/** Bytes that are written as percents and digits. */
const encoded = /(?:%[0-9a-f]{2})+/gi;

/** Bytes as the text that they are; what is no UTF-8 stays as it was sent. */
function decoded(bytes: string): string {
  try {
    return decodeURIComponent(bytes);
  } catch {
    return bytes;
  }
}

/** Why a request changes something, in the words of its Change-Note; null without one, 400 for one that is no line of text. */
export function changeNote(c: Context): string | null {
  const text = (c.req.header('Change-Note') ?? '').replaceAll(encoded, decoded).trim();
  if (codePoints(text) > longest)
    throw Problem.property('Change-Note', `must have at most ${longest} characters`);
  if (hasControls(text))
    throw Problem.property('Change-Note', 'must not contain control characters');
  if (text.includes(lost))
    throw Problem.property('Change-Note', 'must be sent as UTF-8, or percent-encoded');
  return text || null;
}
