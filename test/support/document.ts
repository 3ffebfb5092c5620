import * as z from 'zod';
import { app } from '../../src/app.ts';
import { openAPI } from '../../src/platform/openapi/document.ts';
import { print } from '../../src/platform/openapi/print.ts';

const openapi = openAPI(app);

/** The served text of the OpenAPI document. */
export const text = `${print(openapi)}\n`;

/** The parsed OpenAPI document. */
export const document = JSON.parse(text);

/** Any part of the document. */
export type Piece = typeof document;

/** Returns the target of a reference, or the piece itself. */
export const resolved = (piece: Piece): Piece =>
  piece.$ref === undefined
    ? piece
    : piece.$ref
        .slice(2)
        .split('/')
        .reduce((at: Piece, name: string) => at[name], document);

/** Returns all properties of an object schema and the required ones, including those of its parts. */
export function wholeSchema(schema: Piece): { properties: Piece; required: string[] } {
  const { allOf = [], properties = {}, required = [] } = resolved(schema);
  const parts: ReturnType<typeof wholeSchema>[] = allOf.map(wholeSchema);
  return {
    properties: Object.assign({}, ...parts.map((part) => part.properties), properties),
    required: [...parts.flatMap((part) => part.required), ...required],
  };
}

const withoutParameters = ({ parameters: _, ...methods }: Piece): Piece => methods;

/** Every operation with its title; its parameters include those of the path. */
export const operations: [title: string, operation: Piece][] = Object.entries<Piece>(
  document.paths,
).flatMap(([path, methods]) =>
  Object.entries<Piece>(withoutParameters(methods)).map(([method, operation]): [string, Piece] => [
    `${method.toUpperCase()} ${path}`,
    { ...operation, parameters: [methods.parameters ?? [], operation.parameters ?? []].flat() },
  ]),
);

/** Returns the operation of a route in the document. */
export const operationOf = ({ method, path }: { method: string; path: string }): Piece =>
  document.paths[path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()];

/** Whether an operation documents a header of its request. */
export const documentsHeader = (route: { method: string; path: string }, header: string): boolean =>
  (operationOf(route).parameters ?? [])
    .map(resolved)
    .some(({ in: place, name }: Piece) => place === 'header' && name === header);

/** Returns the documented statuses of an operation; the description of `default` lists its statuses. */
export function statusesOf(operation: Piece): Set<number> {
  const all = Object.entries<Piece>(operation.responses).flatMap(([status, piece]) =>
    /^\d+$/.test(status)
      ? [Number(status)]
      : [...String(resolved(piece).description).matchAll(/^- (\d+) /gm)].map(([, found]) =>
          Number(found),
        ),
  );
  return new Set(all);
}

/** Returns a piece and all pieces inside it, except examples. */
export function inside(piece: Piece): Piece[] {
  if (piece === null || typeof piece !== 'object') return [];
  const parts = Object.entries<Piece>(piece).filter(([key]) => !/^examples?$/.test(key));
  return [piece, ...parts.flatMap(([, part]) => inside(part))];
}

/** A text in a request body with its documented schema. */
interface Text {
  path: string;
  documented: Piece;
  /** Whether validation accepts a text of this length. */
  takes: (length: number) => boolean;
}

/** Returns the inner validator of optional, nullable and piped ones. */
function unwrapped(validator: unknown): unknown {
  const isWrapper =
    validator instanceof z.ZodOptional ||
    validator instanceof z.ZodNullable ||
    validator instanceof z.ZodNonOptional;
  if (isWrapper) return unwrapped(validator.unwrap());
  return validator instanceof z.ZodPipe ? unwrapped(validator.in) : validator;
}

/** Returns the nested alternatives of a schema except null, or the schema itself. */
function alternatives(schema: Piece): Piece[] {
  const parts: Piece[] | undefined = schema.anyOf ?? schema.oneOf;
  const all = parts?.flatMap((part) => alternatives(resolved(part))) ?? [schema];
  return all.filter(({ type }) => type !== 'null');
}

/** Returns every text in a body, at any depth. */
export function textsOf(validator: unknown, schema: Piece, path: string): Text[] {
  const inner = unwrapped(validator);
  const parts = alternatives(resolved(schema));
  const documented = parts[0];
  if (inner instanceof z.ZodString)
    return [{ path, documented, takes: (length) => inner.safeParse('a'.repeat(length)).success }];
  if (inner instanceof z.ZodArray)
    return textsOf(inner.element, documented.items ?? {}, `${path}[]`);
  if (inner instanceof z.ZodUnion)
    return inner.options.flatMap((option, index) =>
      textsOf(option, parts[index] ?? documented, path),
    );
  if (!(inner instanceof z.ZodObject)) return [];
  const { properties } = wholeSchema(documented);
  return Object.entries(inner.shape).flatMap(([name, part]) =>
    textsOf(part, properties[name], `${path}.${name}`),
  );
}
