import * as z from 'zod';
import type { RequestPart } from '../http/valid.ts';

/** A piece of the document. */
export type Json = Record<string, unknown>;

/** Collects the schemas that have a name, so that each stands in the document once. */
export function schemaCollector() {
  const components = new Map<string, unknown>();
  const convert = (schema: z.ZodType, io: 'input' | 'output'): Json => {
    const {
      $schema: _draft,
      $defs,
      ...json
    } = z.toJSONSchema(schema, {
      io,
      override: ({ jsonSchema }) => {
        // Additions are no breaking change, so no client may rely on their absence.
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
        delete jsonSchema.id;
      },
    });
    const rewritten: { schema: Json; defs: Json } = JSON.parse(
      JSON.stringify({ schema: json, defs: $defs ?? {} }).replaceAll(
        '"#/$defs/',
        '"#/components/schemas/',
      ),
    );
    for (const [name, def] of Object.entries(rewritten.defs)) add(name, def);
    return rewritten.schema;
  };
  const add = (name: string, def: unknown) => {
    const text = JSON.stringify(def);
    const earlier = components.get(name);
    if (earlier && JSON.stringify(earlier) !== text)
      throw new Error(`two schemas have the name ${name}:\n${JSON.stringify(earlier)}\n${text}`);
    components.set(name, def);
  };
  return { components, convert };
}

export type Convert = ReturnType<typeof schemaCollector>['convert'];

/** The parameters of a path or query schema: what a client sends is text, so the validated type is shown. */
export function parametersOf({ target, schema }: RequestPart, convert: Convert): Json[] {
  const { properties = {}, required = [] } = Object(convert(schema, 'output'));
  return Object.entries<Json>(properties).map(([name, { description, ...type }]) => ({
    name,
    in: target === 'param' ? 'path' : 'query',
    required: target === 'param' || (required.includes(name) && !('default' in type)),
    ...(description ? { description } : {}),
    schema: type,
  }));
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
