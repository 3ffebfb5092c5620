import * as z from 'zod';
import { most } from './bounds.ts';
import { report } from './report.ts';
import { isObject } from './value_types.ts';

export type JSONValue = z.core.util.JSONType;
export type JSONObject = { [key: string]: JSONValue };

/** What a text means as JSON; undefined where it is none. */
export function parsed(text: string, reviver?: Parameters<typeof JSON.parse>[1]): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch {
    return undefined;
  }
}

/** Whether a value nests deeper than JSON may in a request. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth >= most.depth || Object.values(value).some((inner) => isTooDeep(inner, depth + 1));
}

/** Says so where a value nests deeper than one may, as in an import, whose lines nest deeper. */
function refuseTooDeep(value: unknown, context: z.RefinementCtx): void {
  if (isTooDeep(value)) report(context, `must not nest deeper than ${most.depth} levels`);
}

/** Any JSON value. As a body has been read as JSON by then, all that is left to check is that the value is there. */
export const json: z.ZodType<JSONValue> = z
  .any()
  .superRefine((value, context) => {
    if (value === undefined)
      context.addIssue({ code: 'invalid_type', expected: 'any', continue: false });
  })
  .superRefine(refuseTooDeep);

/** A JSON object, however deep its values nest. */
export const anyObject: z.ZodType<JSONObject> = z
  .any()
  .superRefine((value, context) => {
    if (!isObject(value))
      context.addIssue({ code: 'invalid_type', expected: 'object', continue: false });
    else if (Object.keys(value).length > most.keys)
      report(context, `must have at most ${most.keys} properties`);
  })
  .meta({ type: 'object', additionalProperties: {}, maxProperties: most.keys });

/** A JSON object. */
export const jsonObject = anyObject.superRefine(refuseTooDeep);

/**
 * What a text means as JSON, in which half of a surrogate pair alone stands as U+FFFD: JSON may write it, and no database
 * can hold it.
 */
export function parsedWhole(text: string): unknown {
  const value = parsed(text);
  if (value === undefined || !/\\ud[89a-f]/i.test(text)) return value;
  // Written again, whole characters are no longer escaped; of a backslash that is escaped itself, nothing is taken.
  const whole = JSON.stringify(value).replace(/\\(?:ud[89a-f]..|.)/g, (escaped) =>
    escaped.startsWith('\\ud') ? '\ufffd' : escaped,
  );
  return JSON.parse(whole);
}
