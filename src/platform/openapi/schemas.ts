import * as z from 'zod';
import { isObject } from '../../base/value_types.ts';
import { type Json, type Keep, reference } from './components.ts';
import { tidy } from './tidy.ts';

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
