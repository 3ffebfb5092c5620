import * as z from 'zod';
import { isObject } from '../../base/value_types.ts';
import { type Json, type Keep, reference } from './components.ts';

type JSONSchema = z.core.JSONSchema.BaseSchema;

/** Removes the keywords of a JSON Schema that are implied or not guaranteed to clients. */
function tidy(schema: { zodSchema: z.core.$ZodTypes; jsonSchema: JSONSchema }): void {
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

/** Returns a function that converts a zod schema to JSON Schema, and keeps each named schema once. */
export function converter(keep: Keep) {
  return (schema: z.ZodType, io: 'input' | 'output'): Json => {
    const { $schema: _draft, $defs = {}, ...own } = z.toJSONSchema(schema, { io, override: tidy });
    const { json, defs } = relinked({ json: own, defs: $defs });
    for (const [name, def] of Object.entries(defs)) keep('schemas', name, def);
    return json;
  };
}

export type Convert = ReturnType<typeof converter>;

function relinked(from: { json: unknown; defs: unknown }): {
  json: Json;
  defs: Record<string, Json>;
} {
  return JSON.parse(JSON.stringify(from), (_key, value) => {
    const name = isObject(value) ? /^#\/\$defs\/(.+)$/.exec(String(value.$ref))?.[1] : undefined;
    return name === undefined ? value : { ...value, ...reference('schemas', name) };
  });
}

/** Returns the `id` of a schema, its name in the document. */
export function schemaID(schema: unknown): string {
  const id = schema instanceof z.ZodType ? schema.meta()?.id : undefined;
  if (typeof id !== 'string') throw new Error('the schema of a body or response has no id');
  return id;
}

/** Returns the example of a schema: its own, or one composed from its parts. */
export function exampleOf(schema: unknown): unknown {
  if (schema instanceof z.ZodType) {
    const { examples } = schema.meta() ?? {};
    if (Array.isArray(examples)) return examples[0];
  }
  if (schema instanceof z.ZodArray) return [exampleOf(schema.element)];
  if (!(schema instanceof z.ZodObject)) throw new Error('a schema has no example');
  const parts = Object.entries(schema.shape).map(([key, part]) => [key, exampleOf(part)]);
  return Object.fromEntries(parts);
}
