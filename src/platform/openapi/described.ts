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
type Names = readonly string[];

const partOf = (names: Names, property: string): Names =>
  names.map((name) => `${name}.${property}`);

function sentenceOf(names: Names, property: string): string | undefined {
  const own = names.flatMap((name) => schemaWords.get(name)?.[property] ?? []);
  return own[0] ?? common.get(property);
}

function withSentences(properties: Json, names: Names): Json {
  const described = Object.entries(properties).map(([property, schema]) => {
    const description = sentenceOf(names, property);
    return [
      property,
      {
        ...(description ? { description } : {}),
        ...(isObject(schema) ? insideObject(schema, partOf(names, property)) : {}),
      },
    ];
  });
  return Object.fromEntries(described);
}

const inside = (piece: unknown, names: Names): unknown =>
  Array.isArray(piece)
    ? piece.map((part) => inside(part, names))
    : isObject(piece)
      ? insideObject(piece, names)
      : piece;

function insideObject(piece: Json, names: Names): Json {
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
