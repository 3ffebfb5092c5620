import parseJSON5 from 'json5/lib/parse.js'; // without the writer
import * as z from 'zod';
import { isTooDeep, type JSONObject, type JSONValue, jsonObject, parseJSON } from './json.ts';
import { limits } from './limits.ts';
import { lossIn } from './number_loss.ts';
import { report } from './report.ts';

/** Characters: the JSON5 parser is slow. */
const maxJSON5Length = 100_000;

class TextFault extends Error {}

const half = /\\ud[89a-f]/;

const isFiniteThroughout = (value: JSONValue): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).every(isFiniteThroughout)
    : typeof value !== 'number' || Number.isFinite(value);

/** @throws unless it is a JSON object within the limits */
function requireObject(value: unknown): JSONObject {
  if (isTooDeep(value)) throw new TextFault(`must not nest deeper than ${limits.depth} levels`);
  const { data, error } = jsonObject.safeParse(value);
  const [issue] = error?.issues ?? [];
  if (issue?.code === 'custom') throw new TextFault(issue.message);
  if (!data) throw new Error('no object');
  if (half.test(JSON.stringify(data).replaceAll('\\\\', '')))
    throw new TextFault('must not contain half of a character');
  if (!isFiniteThroughout(data)) throw new TextFault('must contain only finite numbers');
  return data;
}

/** Parses the JSON text of an object. @throws if it is another value or not JSON */
export const readJSON = (text: string): JSONObject => requireObject(JSON.parse(text));

/** Parses the JSON5 text of an object. @throws if it is another value, or one that JSON cannot hold */
export function readJSON5(text: string): JSONObject {
  const plain = parseJSON(text);
  if (plain !== undefined) return requireObject(plain);
  if (text.length > maxJSON5Length)
    throw new TextFault(`must be at most ${maxJSON5Length} characters long, or JSON`);
  return requireObject(parseJSON5(text));
}

const parseable = (read: (text: string) => JSONObject, message: string) =>
  z.string().superRefine((text, context) => {
    try {
      const fault = lossIn(text, read(text));
      if (fault) report(context, fault);
    } catch (error) {
      report(context, error instanceof TextFault ? error.message : message);
    }
  });

export const jsonText = parseable(readJSON, 'must be the JSON text of an object');

/** Without NaN and Infinity, which the JSON field cannot hold. */
export const json5Text = parseable(
  readJSON5,
  'must be the JSON5 text of an object, without NaN and Infinity',
);
