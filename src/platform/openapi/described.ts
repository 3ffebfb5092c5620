import { isObject } from '../../base/value_types.ts';
import type { Json } from './components.ts';
import { commonWords } from './words/common.ts';
import { schemaWords, type Word } from './words/describe.ts';

const common = new Map(Object.entries(commonWords));

const subjectOf = (name: string) =>
  name
    .replace(/^(Changed|New|Portable|Single|Used|Value)(?=[A-Z])/, '')
    .replace(/(?<=.)(Addition|Change|Create|Import|Input|Patch|Read|Removal|Update)$/, '');

/** The words about a schema or a part of one, the closest first. */
type Words = readonly Word[];

const isPair = (word: Word): word is Extract<Word, readonly unknown[]> => Array.isArray(word);

function sentenceIn(words: Words): string | undefined {
  const sentences = words.map((word) => (isPair(word) ? word[0] : word));
  return sentences.find((sentence) => typeof sentence === 'string');
}

const wordsOfPart = (words: Words, property: string): Words =>
  words.flatMap((word) => {
    const parts = isPair(word) ? word[1] : word;
    return typeof parts === 'object' && Object.hasOwn(parts, property)
      ? (parts[property] ?? [])
      : [];
  });

function withSentence(piece: Json, words: Words, shared?: string): Json {
  const description = sentenceIn(words) ?? shared;
  return description && !('description' in piece) ? { description, ...piece } : piece;
}

function withSentences(properties: Json, words: Words): Json {
  const described = Object.entries(properties).map(([property, schema]) => {
    const part = wordsOfPart(words, property);
    const piece = isObject(schema) ? insideObject(schema, part) : {};
    return [property, withSentence(piece, part, common.get(property))];
  });
  return Object.fromEntries(described);
}

const inside = (piece: unknown, words: Words): unknown =>
  Array.isArray(piece)
    ? piece.map((part) => inside(part, words))
    : isObject(piece)
      ? insideObject(piece, words)
      : piece;

function insideObject(piece: Json, words: Words): Json {
  const parts = Object.entries(piece).map(([key, part]) => {
    // Those in `allOf` refine a schema that has the sentences.
    if (key === 'examples' || key === 'allOf') return [key, part];
    if (key === 'properties' && isObject(part)) return [key, withSentences(part, words)];
    return [key, inside(part, words)];
  });
  return Object.fromEntries(parts);
}

function whole(name: string, schema: Json): Json {
  const own = schemaWords.get(name) ?? [];
  const ofSubject = schemaWords.get(subjectOf(name)) ?? [];
  const piece = insideObject(schema, [...own, ...ofSubject]);
  return withSentence(piece, own);
}

/** Returns the schemas with a sentence for each property, and for each schema that has one. */
export const described = (schemas: Map<string, Json>): Map<string, Json> =>
  new Map([...schemas].map(([name, schema]) => [name, whole(name, schema)]));
