import type { Hono } from 'hono';
import type * as z from 'zod';
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

type PropertyOf<S> = S extends z.ZodObject ? keyof S['shape'] & string : never;

/** The schema of a property. */
export type PropertySchema<S, Name extends string> =
  ObjectIn<S> extends infer Whole
    ? Whole extends { shape: { [N in Name]: infer Inner } }
      ? Inner
      : never
    : never;

/** A sentence for each name; those with a common sentence need none. */
type Sentences<Name extends string, Common> = Record<Exclude<Name, keyof Common>, string> &
  Partial<Record<Name & keyof Common, string>>;

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

interface Subjects {
  routes?: unknown;
  schemas?: Record<string, unknown>;
  variants?: Record<string, unknown>;
}

type RouteWords<T> = T extends { routes: infer Routes }
  ? {
      /** The path of the routes below `/console/v1`. */
      path: string;
      parameters?: {
        [O in OperationOf<Paths<Routes>>]?: Sentences<
          ParameterOf<InputOf<Paths<Routes>, O>>,
          typeof queryWords & typeof pathWords
        >;
      };
      /** For operations with a description of their own. */
      operations?: { [O in OperationOf<Paths<Routes>>]?: string };
    }
  : { path?: never };

type SchemaWords<T> = T extends { schemas: infer Schemas }
  ? {
      /** By name, without prefixes and suffixes such as `Patch`: `Gate`, or `Gate.owner` for a part. */
      schemas: {
        [Name in keyof Schemas]: Sentences<PropertyOf<ObjectIn<Schemas[Name]>>, typeof commonWords>;
      };
    }
  : { schemas?: never };

type VariantWords<T> = T extends { variants: infer Schemas }
  ? {
      /** Exceptions, by the whole name of a schema: `WebhookPatch`. */
      variants: {
        [Name in keyof Schemas]: Partial<Record<PropertyOf<ObjectIn<Schemas[Name]>>, string>>;
      };
    }
  : { variants?: never };

/** The sentences of the OpenAPI document for some schemas and routes. A missing or unknown name does not compile. */
export type Words<T extends Subjects> = RouteWords<T> & SchemaWords<T> & VariantWords<T>;
