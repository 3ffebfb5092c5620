import * as z from 'zod';
import { limits } from './limits.ts';
import { report } from './report.ts';
import { isObject } from './value_types.ts';

export type JSONValue = z.core.util.JSONType;
export type JSONObject = { [key: string]: JSONValue };

/** Parses JSON; undefined if the text is not JSON. */
export function parseJSON(text: string, reviver?: Parameters<typeof JSON.parse>[1]): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch {
    return undefined;
  }
}

/** Whether a value nests deeper than 64 levels. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth >= limits.depth || Object.values(value).some((inner) => isTooDeep(inner, depth + 1));
}

function refuseTooDeep(value: unknown, context: z.RefinementCtx): void {
  if (isTooDeep(value)) report(context, `must not nest deeper than ${limits.depth} levels`);
}

/** Any JSON value. The body is already parsed, so only a missing value is a fault. */
export const json: z.ZodType<JSONValue> = z
  .any()
  .superRefine((value, context) => {
    if (value === undefined)
      context.addIssue({ code: 'invalid_type', expected: 'any', continue: false });
  })
  .superRefine(refuseTooDeep);

export const anyObject: z.ZodType<JSONObject> = z
  .any()
  .superRefine((value, context) => {
    if (!isObject(value))
      context.addIssue({ code: 'invalid_type', expected: 'object', continue: false });
    else if (Object.keys(value).length > limits.keys)
      report(context, `must have at most ${limits.keys} properties`);
  })
  .meta({ type: 'object', additionalProperties: {}, maxProperties: limits.keys });

export const jsonObject = anyObject.superRefine(refuseTooDeep);

/** Parses JSON, replacing lone surrogates by U+FFFD: JSON can escape them, and no database can store them. */
export function parseWellFormedJSON(text: string): unknown {
  const value = parseJSON(text);
  if (value === undefined || !/\\ud[89a-f]/i.test(text)) return value;
  // JSON.stringify escapes only lone surrogates; the pattern skips escaped backslashes
  const whole = JSON.stringify(value).replace(/\\(?:ud[89a-f]..|.)/g, (escaped) =>
    escaped.startsWith('\\ud') ? '\ufffd' : escaped,
  );
  return JSON.parse(whole);
}
