import parseJSON5 from 'json5/lib/parse.js'; // the writer of JSON5 is not needed
import * as z from 'zod';

export const jsonObject = z.record(z.string(), z.json());
export type JSONObject = z.infer<typeof jsonObject>;

const half = /\\ud[89a-f]/;

/** The object that a text meant; throws for one that holds half of a character, which cannot be stored. */
function whole(value: unknown): JSONObject {
  const isWhole = !half.test(JSON.stringify(value).replaceAll('\\\\', ''));
  if (!isWhole) throw new Error('half of a character');
  return jsonObject.parse(value);
}

/** The object that a JSON text means; throws where it means none. */
export const readJSON = (text: string): JSONObject => whole(JSON.parse(text));

/** The object that a JSON5 text means; throws where it means none, or one that JSON cannot hold. */
export const readJSON5 = (text: string): JSONObject => whole(parseJSON5(text));

const readable = (read: (text: string) => JSONObject, message: string) =>
  z.string().refine((text) => {
    try {
      return read(text);
    } catch {
      return false;
    }
  }, message);

export const jsonText = readable(readJSON, 'must be the JSON text of an object');

/** Unlike JSON5 itself without NaN and Infinity, which the plain field could not hold. */
export const json5Text = readable(
  readJSON5,
  'must be the JSON5 text of an object, without NaN and Infinity',
);
