import * as z from 'zod';
import { type Json, type Keep, reference } from './components.ts';
import { tidy } from './tidy.ts';

/**
 * Converts schemas for the document, where each that has a name is kept once.
 * @returns a function that answers the JSON Schema, which refers to those with a name
 */
export function converter(keep: Keep) {
  return (schema: z.ZodType, io: 'input' | 'output'): Json => {
    const { $schema: _draft, $defs = {}, ...own } = z.toJSONSchema(schema, { io, override: tidy });
    const { json, defs } = relinked({ json: own, defs: $defs });
    for (const [name, def] of Object.entries(defs)) keep('schemas', name, def);
    return json;
  };
}

export type Convert = ReturnType<typeof converter>;

/** Points references at the components. */
function relinked(from: { json: unknown; defs: unknown }): {
  json: Json;
  defs: Record<string, Json>;
} {
  return JSON.parse(JSON.stringify(from), (_key, value) => {
    const name = /^#\/\$defs\/(.+)$/.exec(Object(value).$ref)?.[1];
    return name === undefined ? value : { ...value, ...reference('schemas', name) };
  });
}

/** The name under which the document keeps a schema. */
export function nameOf(schema: unknown): string {
  const { id } = schema instanceof z.ZodType ? Object(schema.meta()) : {};
  if (typeof id !== 'string') throw new Error('a body, or what is answered, has no name');
  return id;
}

/** The example of a schema: its own, or one made of those of its parts. */
export function exampleOf(schema: unknown): unknown {
  if (schema instanceof z.ZodType) {
    const { examples } = Object(schema.meta());
    if (Array.isArray(examples)) return examples[0];
  }
  if (schema instanceof z.ZodArray) return [exampleOf(schema.element)];
  if (!(schema instanceof z.ZodObject)) throw new Error('a schema has no example');
  const parts = Object.entries(schema.shape).map(([key, part]) => [key, exampleOf(part)]);
  return Object.fromEntries(parts);
}
