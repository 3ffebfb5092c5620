import type { ValidationTargets } from 'hono';
import type * as z from 'zod';
import type { Success } from '../env.ts';

/** Where the OpenAPI document finds, on a route's middleware, what the document says of the route. */
export const documented = Symbol('documented');

/** A part of a request, and what it is validated by. */
export interface RequestPart {
  target: keyof ValidationTargets;
  schema: z.ZodType;
}

/** Whether what is documented on a middleware is of a part of the request. */
export const isRequestPart = (note: unknown): note is RequestPart => 'target' in Object(note);

export interface Operation {
  summary: string;
  /** What it says of its success; nothing where its answer has no message. */
  success?: Success | undefined;
  response: z.ZodType;
  /** That of success; 200 unless it is said. */
  status: 200 | 201;
  /** Whether the answer is a stream of JSON lines: text. */
  isLines?: boolean;
  /** It changes nothing, even as a POST, and answers something else than an entity. */
  reads?: boolean;
  /** It can be refused for the state of what it asks for (409), although it changes nothing. */
  conflicts?: boolean;
  /** It replaces what there is, although it is a POST without an id. */
  replaces?: boolean;
  /** No version stands before it that If-Match could name: it makes something, or is about rows or many things. */
  isUnversioned?: boolean;
}
