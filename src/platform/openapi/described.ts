import { isObject } from '../../base/value_types.ts';
import type { Json } from './components.ts';
import { commonWords } from './words/common.ts';
import { schemaWords, type Word } from './words/describe.ts';
import { trailing } from './words/trailing.ts';

const common = new Map(Object.entries(commonWords));

const subjectOf = (name: string) =>
  name
    .replace(/^(Changed|New|Portable|Single|Used|Value)(?=[A-Z])/, '')
    .replace(/(?<=.)(Addition|Change|Create|Import|Input|Patch|Read|Removal|Update)$/, '');

/** A schema or a part of one: its path, and the words about it. */
interface About {
  path: string;
  words: readonly Word[];
}

const isPair = (word: Word): word is Extract<Word, readonly unknown[]> => Array.isArray(word);

function sentenceIn(words: readonly Word[]): string | undefined {
  const sentences = words.map((word) => (isPair(word) ? word[0] : word));
  return sentences.find((sentence) => typeof sentence === 'string');
}

const partOf = ({ path, words }: About, property: string): About => ({
  path: `${path}.${property}`,
  words: words.flatMap((word) => {
    const parts = isPair(word) ? word[1] : word;
    return typeof parts === 'object' && Object.hasOwn(parts, property)
      ? (parts[property] ?? [])
      : [];
  }),
});

function withSentence(piece: Json, { path, words }: About, shared?: string): Json {
  const description = sentenceIn(words) ?? shared;
  if (!description || 'description' in piece) return piece;
  const { examples, ...rest } = piece;
  return trailing.has(path)
    ? { ...rest, description, ...(examples ? { examples } : {}) }
    : { description, ...piece };
}

function withSentences(properties: Json, about: About): Json {
  const described = Object.entries(properties).map(([property, schema]) => {
    const part = partOf(about, property);
    const piece = isObject(schema) ? insideObject(schema, part) : {};
    return [property, withSentence(piece, part, common.get(property))];
  });
  return Object.fromEntries(described);
}

const inside = (piece: unknown, about: About): unknown =>
  Array.isArray(piece)
    ? piece.map((part) => inside(part, about))
    : isObject(piece)
      ? insideObject(piece, about)
      : piece;

function insideObject(piece: Json, about: About): Json {
  const parts = Object.entries(piece).map(([key, part]) => {
    // Those in `allOf` refine a schema that has the sentences.
    if (key === 'examples' || key === 'allOf') return [key, part];
    if (key === 'properties' && isObject(part)) return [key, withSentences(part, about)];
    return [key, inside(part, about)];
  });
  return Object.fromEntries(parts);
}

function whole(name: string, schema: Json): Json {
  const own = schemaWords.get(name) ?? [];
  const ofSubject = schemaWords.get(subjectOf(name)) ?? [];
  const piece = insideObject(schema, { path: name, words: [...own, ...ofSubject] });
  return withSentence(piece, { path: name, words: own });
}

/** Returns the schemas with a sentence for each property, and for each schema that has one. */
export const described = (schemas: Map<string, Json>): Map<string, Json> =>
  new Map([...schemas].map(([name, schema]) => [name, whole(name, schema)]));
