import parseJSON5 from 'json5/lib/parse.js'; // the writer of JSON5 is not needed
import * as z from 'zod';
import { most } from './bounds.ts';
import { isTooDeep, type JSONObject, type JSONValue, jsonObject, parsed } from './json.ts';
import { lossIn } from './number_loss.ts';
import { report } from './report.ts';

/** Characters of a JSON5 text that is not JSON: it is read one by one. */
const longestJSON5 = 100_000;

/** What is wrong with a text, to be read after the name of its property. */
class Unreadable extends Error {}

const half = /\\ud[89a-f]/;

const isFiniteThroughout = (value: JSONValue): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).every(isFiniteThroughout)
    : typeof value !== 'number' || Number.isFinite(value);

/** Checks what a text means; throws where it is no object of JSON, or too large. */
function objectOf(value: unknown): JSONObject {
  if (isTooDeep(value)) throw new Unreadable(`must not nest deeper than ${most.depth} levels`);
  const { data, error } = jsonObject.safeParse(value);
  const [issue] = error?.issues ?? [];
  if (issue?.code === 'custom') throw new Unreadable(issue.message);
  if (!data) throw new Error('no object');
  if (half.test(JSON.stringify(data).replaceAll('\\\\', '')))
    throw new Unreadable('must not contain half of a character');
  if (!isFiniteThroughout(data)) throw new Unreadable('must hold finite numbers alone');
  return data;
}

/** The object that a JSON text means; throws where it means none. */
export const readJSON = (text: string): JSONObject => objectOf(JSON.parse(text));

/** The object that a JSON5 text means; throws where it means none, or one that JSON cannot hold. */
export function readJSON5(text: string): JSONObject {
  const plain = parsed(text);
  if (plain !== undefined) return objectOf(plain);
  if (text.length > longestJSON5)
    throw new Unreadable(`must be at most ${longestJSON5} characters long, or JSON`);
  return objectOf(parseJSON5(text));
}

const readable = (read: (text: string) => JSONObject, message: string) =>
  z.string().superRefine((text, context) => {
    try {
      const fault = lossIn(text, read(text));
      if (fault) report(context, fault);
    } catch (error) {
      report(context, error instanceof Unreadable ? error.message : message);
    }
  });

export const jsonText = readable(readJSON, 'must be the JSON text of an object');

/** Unlike JSON5 itself without NaN and Infinity, which the plain field could not hold. */
export const json5Text = readable(
  readJSON5,
  'must be the JSON5 text of an object, without NaN and Infinity',
);
