import type { Hono } from 'hono';
import type * as z from 'zod';
import { schemaID } from '../schemas.ts';
import type { commonWords, pathWords, queryWords } from './common.ts';

/** The object schema inside arrays, optional schemas and the like. */
type ObjectIn<S> = S extends z.ZodObject
  ? S
  : S extends
        | z.ZodArray<infer Inner>
        | z.ZodOptional<infer Inner>
        | z.ZodNullable<infer Inner>
        | z.ZodNonOptional<infer Inner>
        | z.ZodPipe<infer Inner>
    ? ObjectIn<Inner>
    : S extends z.ZodUnion<infer Options>
      ? ObjectIn<Options[number]>
      : never;

/** The declared names of a shape, without its index signature. */
type Declared<Shape> = keyof { [N in keyof Shape as string extends N ? never : N]: 0 } & string;

type PropertyOf<O> = O extends z.ZodObject ? Declared<O['shape']> : never;

type PartOf<O, N extends string> = O extends { shape: { [Name in N]: infer Part } } ? Part : never;

/** Words about the properties of a part, which are optional: a part with a name has a call of its own. */
type PartsOf<S> = [ObjectIn<S>] extends [never]
  ? never
  : { readonly [N in PropertyOf<ObjectIn<S>>]?: WordOf<PartOf<ObjectIn<S>, N>> };

type SentenceOf<S> = string | readonly [sentence: string, parts: PartsOf<S>];

type WordOf<S> = SentenceOf<S> | PartsOf<S>;

/** Words about each property of an object; a property with a common sentence needs no own. */
type WordsOf<O> = {
  readonly [N in Exclude<PropertyOf<O>, keyof typeof commonWords>]: SentenceOf<PartOf<O, N>>;
} & {
  readonly [N in PropertyOf<O> & keyof typeof commonWords]?: WordOf<PartOf<O, N>>;
};

type AboutOf<S> =
  | string
  | WordsOf<ObjectIn<S>>
  | readonly [sentence: string, words: WordsOf<ObjectIn<S>>];

/** A sentence about a schema, words about its properties, or both. */
export type Word = string | Words | readonly [sentence: string, parts: Words];

interface Words {
  readonly [property: string]: Word;
}

const bySchema = new Map<string, Word[]>();

/** The words about schemas of the document, by name. */
export const schemaWords: ReadonlyMap<string, readonly Word[]> = bySchema;

/**
 * Describes a named schema, or several that share properties, in the OpenAPI document. The words are nested as the schema
 * is: `{ name: '…', owner: { id: '…' } }`, or `owner: ['…', { id: '…' }]`. Those of `Gate` also hold for `GatePatch` and the
 * like, unless these have their own. A missing or unknown property does not compile.
 */
export function describe<const S extends z.ZodType | readonly z.ZodType[]>(
  schemas: S,
  word: AboutOf<S extends readonly unknown[] ? S[number] : S>,
): void;
export function describe(schemas: z.ZodType | readonly z.ZodType[], word: Word): void {
  for (const schema of [schemas].flat()) {
    const name = schemaID(schema);
    bySchema.set(name, [...(bySchema.get(name) ?? []), word]);
  }
}

type Paths<Routes> = Routes extends (...args: never[]) => infer Made
  ? Paths<Made>
  : Routes extends Hono<infer _Env, infer Schema, infer _Base>
    ? Schema
    : never;

type Verb<Method> = Method extends `$${infer Name}` ? Uppercase<Name> : never;

type OperationOf<P> = {
  [Path in keyof P & string]: `${Verb<keyof P[Path]>} ${Path}`;
}[keyof P & string];

type InputOf<P, Operation> =
  Operation extends `${infer Name} ${infer Path extends keyof P & string}`
    ? P[Path] extends { [Method in `$${Lowercase<Name>}`]: { input: infer Input } }
      ? Input
      : never
    : never;

type ParameterOf<Input> =
  | (Input extends { query: infer Query } ? keyof Query & string : never)
  | (Input extends { param: infer Param } ? keyof Param & string : never);

type ParameterWords<Name extends string, Common = typeof queryWords & typeof pathWords> = Record<
  Exclude<Name, keyof Common>,
  string
> &
  Partial<Record<Name & keyof Common, string>>;

interface RouteWords<Routes> {
  parameters?: {
    [O in OperationOf<Paths<Routes>>]?: ParameterWords<ParameterOf<InputOf<Paths<Routes>, O>>>;
  };
  /** For operations with a description of their own. */
  operations?: { [O in OperationOf<Paths<Routes>>]?: string };
}

type ByName = Readonly<Record<string, string>>;

interface AnyRouteWords {
  parameters?: Readonly<Record<string, ByName | undefined>>;
  operations?: Readonly<Record<string, string | undefined>>;
}

const byOperation = { parameters: new Map<string, ByName>(), sentence: new Map<string, string>() };

/** The sentences of parameters, by operation: `GET /console/v1/gates`. */
export const parameterWords: ReadonlyMap<string, ByName> = byOperation.parameters;

/** The descriptions of single operations. */
export const operationWords: ReadonlyMap<string, string> = byOperation.sentence;

/** Describes operations and their parameters. `path` is the path of the routes below `/console/v1`. */
export function describeRoutes<Routes>(path: string, words: RouteWords<Routes>): void;
export function describeRoutes(path: string, { parameters, operations }: AnyRouteWords): void {
  addTo(byOperation.parameters, path, parameters);
  addTo(byOperation.sentence, path, operations);
}

function addTo<Value>(
  map: Map<string, Value>,
  path: string,
  values: Readonly<Record<string, Value | undefined>> = {},
): void {
  for (const [operation, value] of Object.entries(values))
    if (value !== undefined) map.set(wholePath(operation, path), value);
}

/** Returns the whole path of an operation: `GET /:id` of gates → `GET /console/v1/gates/:id`. */
const wholePath = (operation: string, path: string) =>
  operation.replace(/ (\/.*)$/, (_, rest) => ` /console/v1/${path}${rest === '/' ? '' : rest}`);
