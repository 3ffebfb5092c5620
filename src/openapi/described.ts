import type { Json } from './components.ts';
import { around } from './words/around.ts';
import { common } from './words/common.ts';
import { ofData } from './words/data.ts';
import { ofExperiments } from './words/experiments.ts';
import { ofGates } from './words/gates.ts';
import { ofQueries } from './words/queries.ts';

/** What each property means, in a sentence: by `Thing.property`, or by its name where that means one thing everywhere. */
export const words: Readonly<Record<string, string>> = {
  ...common,
  ...ofGates,
  ...ofExperiments,
  ...ofData,
  ...around,
  ...ofQueries,
};

/** What a schema is about: `GatePatch` and `GateCreate` are about a `Gate`. */
const thingOf = (name: string) =>
  name
    .replace(/^(Changed|New|Portable|Single|Used|Value)(?=[A-Z])/, '')
    .replace(/(?<=.)(Addition|Change|Create|Import|Input|Patch|Read|Removal|Update)$/, '');

/** What a property of a thing means; undefined where nothing is known of it. */
export const meaningOf = (thing: string, property: string): string | undefined =>
  words[`${thing}.${property}`] ?? words[property];

/** The properties of a thing, each with its sentence, unless its schema has one of its own. */
function withSentences(properties: object, thing: string): Json {
  const said = Object.entries(properties).map(([property, schema]) => {
    const description = meaningOf(thing, property);
    return [
      property,
      { ...(description ? { description } : {}), ...Object(inside(schema, property)) },
    ];
  });
  return Object.fromEntries(said);
}

/** A piece of a schema in which all properties have their sentences. */
function inside(piece: unknown, thing: string): unknown {
  if (Array.isArray(piece)) return piece.map((part) => inside(part, thing));
  if (typeof piece !== 'object' || piece === null) return piece;
  const parts = Object.entries(piece).map(([key, part]) => {
    if (key === 'examples') return [key, part];
    return [key, key === 'properties' ? withSentences(part, thing) : inside(part, thing)];
  });
  return Object.fromEntries(parts);
}

/** Schemas, each property of which says what it means. */
export const described = (schemas: Map<string, Json>): Map<string, Json> =>
  new Map([...schemas].map(([name, schema]) => [name, Object(inside(schema, thingOf(name)))]));
