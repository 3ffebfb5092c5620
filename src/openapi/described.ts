import { isObject } from '../shared/value_types.ts';
import type { Json } from './components.ts';
import { commonWords } from './words/common.ts';
import { dataWords } from './words/data.ts';
import { experimentWords } from './words/experiments.ts';
import { gateWords } from './words/gates.ts';
import { otherWords } from './words/others.ts';
import { queryWords } from './words/queries.ts';
import { resultWords } from './words/results.ts';

export const words: Readonly<Record<string, string>> = {
  ...commonWords,
  ...gateWords,
  ...experimentWords,
  ...dataWords,
  ...otherWords,
  ...queryWords,
  ...resultWords,
};

const subjectOf = (name: string) =>
  name
    .replace(/^(Changed|New|Portable|Single|Used|Value)(?=[A-Z])/, '')
    .replace(/(?<=.)(Addition|Change|Create|Import|Input|Patch|Read|Removal|Update)$/, '');

/** Returns the sentence of a property, or undefined if there is none. */
export const meaningOf = (subject: string, property: string): string | undefined =>
  words[`${subject}.${property}`] ?? words[property];

function withSentences(properties: Json, subject: string): Json {
  const described = Object.entries(properties).map(([property, schema]) => {
    const description = meaningOf(subject, property);
    return [
      property,
      {
        ...(description ? { description } : {}),
        ...(isObject(schema) ? insideObject(schema, property) : {}),
      },
    ];
  });
  return Object.fromEntries(described);
}

const inside = (piece: unknown, subject: string): unknown =>
  Array.isArray(piece)
    ? piece.map((part) => inside(part, subject))
    : isObject(piece)
      ? insideObject(piece, subject)
      : piece;

function insideObject(piece: Json, subject: string): Json {
  const parts = Object.entries(piece).map(([key, part]) => {
    if (key === 'examples') return [key, part];
    if (key === 'properties' && isObject(part)) return [key, withSentences(part, subject)];
    return [key, inside(part, subject)];
  });
  return Object.fromEntries(parts);
}

/** Returns the schemas with a sentence for each property. */
export const described = (schemas: Map<string, Json>): Map<string, Json> =>
  new Map([...schemas].map(([name, schema]) => [name, insideObject(schema, subjectOf(name))]));
