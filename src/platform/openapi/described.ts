import { isObject } from '../../base/value_types.ts';
import type { Json } from './components.ts';
import { schemaWords } from './words/all.ts';
import { commonWords } from './words/common.ts';

const common = new Map(Object.entries(commonWords));

const subjectOf = (name: string) =>
  name
    .replace(/^(Changed|New|Portable|Single|Used|Value)(?=[A-Z])/, '')
    .replace(/(?<=.)(Addition|Change|Create|Import|Input|Patch|Read|Removal|Update)$/, '');

/** The names of a schema, or of a part of it, to which sentences can belong: its own, and its subject. */
type SchemaNames = readonly string[];

const partNames = (names: SchemaNames, property: string): SchemaNames =>
  names.map((name) => `${name}.${property}`);

function sentenceOf(names: SchemaNames, property: string): string | undefined {
  const own = names.flatMap((name) => schemaWords.get(name)?.[property] ?? []);
  return own[0] ?? common.get(property);
}

function withSentences(properties: Json, names: SchemaNames): Json {
  const described = Object.entries(properties).map(([property, schema]) => {
    const description = sentenceOf(names, property);
    return [
      property,
      {
        ...(description ? { description } : {}),
        ...(isObject(schema) ? insideObject(schema, partNames(names, property)) : {}),
      },
    ];
  });
  return Object.fromEntries(described);
}

const inside = (piece: unknown, names: SchemaNames): unknown =>
  Array.isArray(piece)
    ? piece.map((part) => inside(part, names))
    : isObject(piece)
      ? insideObject(piece, names)
      : piece;

function insideObject(piece: Json, names: SchemaNames): Json {
  const parts = Object.entries(piece).map(([key, part]) => {
    if (key === 'examples') return [key, part];
    if (key === 'properties' && isObject(part)) return [key, withSentences(part, names)];
    return [key, inside(part, names)];
  });
  return Object.fromEntries(parts);
}

/** Returns the schemas with a sentence for each property. */
export const described = (schemas: Map<string, Json>): Map<string, Json> =>
  new Map(
    [...schemas].map(([name, schema]) => [name, insideObject(schema, [name, subjectOf(name)])]),
  );
