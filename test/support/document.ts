import * as z from 'zod';
import { app } from '../../src/app.ts';
import { openAPI } from '../../src/openapi/document.ts';
import { print } from '../../src/openapi/print.ts';

const openapi = openAPI(app);

/** The text of the OpenAPI document, as it is served. */
export const text = `${print(openapi)}\n`;

/** The OpenAPI document, as a client reads it. */
export const document = JSON.parse(text);

/** A piece of it. */
export type Piece = typeof document;

/** The piece that a reference stands for, or the piece itself. */
export const resolved = (piece: Piece): Piece =>
  piece.$ref === undefined
    ? piece
    : piece.$ref
        .slice(2)
        .split('/')
        .reduce((at: Piece, name: string) => at[name], document);

/** The schema of an object with what it says by reference: all its properties, and which of them are required. */
export function whole(schema: Piece): { properties: Piece; required: string[] } {
  const { allOf = [], properties = {}, required = [] } = resolved(schema);
  const parts: ReturnType<typeof whole>[] = allOf.map(whole);
  return {
    properties: Object.assign({}, ...parts.map((part) => part.properties), properties),
    required: [...parts.flatMap((part) => part.required), ...required],
  };
}

const withoutParameters = ({ parameters: _, ...methods }: Piece): Piece => methods;

/** Every operation, with its title, and the parameters of its path beside its own. */
export const operations: [title: string, operation: Piece][] = Object.entries<Piece>(
  document.paths,
).flatMap(([path, methods]) =>
  Object.entries<Piece>(withoutParameters(methods)).map(([method, operation]): [string, Piece] => [
    `${method.toUpperCase()} ${path}`,
    { ...operation, parameters: [methods.parameters ?? [], operation.parameters ?? []].flat() },
  ]),
);

/** What the document says of an operation. */
export const described = ({ method, path }: { method: string; path: string }): Piece =>
  document.paths[path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()];

/** The statuses that an operation is documented to answer; a range names its own. */
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

/** All pieces inside a piece, and the piece itself; without examples, which are no part of the language. */
export function inside(piece: Piece): Piece[] {
  if (piece === null || typeof piece !== 'object') return [];
  const parts = Object.entries<Piece>(piece).filter(([key]) => !/^examples?$/.test(key));
  return [piece, ...parts.flatMap(([, part]) => inside(part))];
}

/** A text in a body, and what the document says of it. */
interface Text {
  path: string;
  said: Piece;
  /** Whether validation takes so many letters. */
  takes: (length: number) => boolean;
}

/** What a validator that only wraps another wraps. */
function unwrapped(validator: unknown): unknown {
  const isWrapper =
    validator instanceof z.ZodOptional ||
    validator instanceof z.ZodNullable ||
    validator instanceof z.ZodNonOptional;
  if (isWrapper) return unwrapped(validator.unwrap());
  return validator instanceof z.ZodPipe ? unwrapped(validator.in) : validator;
}

/** The alternatives of a schema, at whatever depth, except null; the schema itself where it has none. */
function alternatives(schema: Piece): Piece[] {
  const parts: Piece[] | undefined = schema.anyOf ?? schema.oneOf;
  const all = parts?.flatMap((part) => alternatives(resolved(part))) ?? [schema];
  return all.filter(({ type }) => type !== 'null');
}

/** Every text of a body, however deep. */
export function textsOf(validator: unknown, schema: Piece, path: string): Text[] {
  const inner = unwrapped(validator);
  const parts = alternatives(resolved(schema));
  const said = parts[0];
  if (inner instanceof z.ZodString)
    return [{ path, said, takes: (length) => inner.safeParse('a'.repeat(length)).success }];
  if (inner instanceof z.ZodArray) return textsOf(inner.element, said.items ?? {}, `${path}[]`);
  if (inner instanceof z.ZodUnion)
    return inner.options.flatMap((option, index) => textsOf(option, parts[index] ?? said, path));
  if (!(inner instanceof z.ZodObject)) return [];
  const { properties } = whole(said);
  return Object.entries(inner.shape).flatMap(([name, part]) =>
    textsOf(part, properties[name], `${path}.${name}`),
  );
}
