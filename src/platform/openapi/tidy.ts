import * as z from 'zod';
import { isObject } from '../../base/value_types.ts';

type JSONSchema = z.core.JSONSchema.BaseSchema;

/** Removes the keywords of a JSON Schema that are implied or not guaranteed to clients. */
export function tidy(schema: { zodSchema: z.core.$ZodTypes; jsonSchema: JSONSchema }): void {
  const { zodSchema, jsonSchema: json } = schema;
  const { id, examples } = z.globalRegistry.get(zodSchema) ?? {};
  // zod omits the examples of schemas with a transformation.
  if (id !== undefined && Array.isArray(examples)) json.examples = examples;
  delete json.id;
  // New properties are not a breaking change, so clients must accept them.
  if (json.additionalProperties === false) delete json.additionalProperties;
  if (isObject(json.propertyNames) && json.propertyNames.type === 'string')
    delete json.propertyNames;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (json.format !== undefined) delete json.pattern; // the format implies it
  // Some generators escape slashes, and an escaped one would end the pattern.
  if (json.pattern) json.pattern = json.pattern.replaceAll('\\/', '/');
}
