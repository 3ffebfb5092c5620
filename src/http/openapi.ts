import type { Hono } from 'hono';
import * as z from 'zod';
import type { Resource } from '../env.ts';
import { type ProblemCode, problemTypes } from './problem.ts';
import { documented, type Operation, type RequestPart } from './valid.ts';

type Json = Record<string, unknown>;

/** One operation, as its route's middleware describes it. */
export interface Route {
  method: string;
  /** As Hono writes it: `/console/v1/gates/:id`. */
  path: string;
  operation: Operation;
  parts: RequestPart[];
}

/** Reads the operations off the routes of an app, in the order they were added. */
export function readRoutes(app: Hono<Resource>): Route[] {
  const byName = new Map<string, { operation?: Operation; parts: RequestPart[] }>();
  for (const { method, path, handler } of app.routes) {
    const note: unknown = Object(handler)[documented];
    if (!note) continue;
    const name = `${method} ${path.replace(/(.)\/$/, '$1')}`;
    const entry = byName.get(name) ?? { parts: [] };
    if (isOperation(note)) entry.operation = note;
    if (isPart(note)) entry.parts.push(note);
    byName.set(name, entry);
  }
  return [...byName].map(([name, { operation, parts }]) => {
    const [method = '', path = ''] = name.split(' ');
    if (!operation) throw new Error(`${name} is not documented`);
    return { method, path, operation, parts };
  });
}

const isOperation = (note: unknown): note is Operation => 'summary' in Object(note);
const isPart = (note: unknown): note is RequestPart => 'target' in Object(note);

const error = (code: ProblemCode): [ProblemCode, number] => [code, problemTypes[code].status];

/** The problems an operation can answer, from what it takes. */
function problemsOf({ method, path, parts }: Route): [ProblemCode, number][] {
  const isChange = method !== 'GET';
  const hasBody = parts.some(({ target }) => target === 'json');
  const hasID = path.includes(':');
  const isValidated = isChange || parts.some(({ target }) => target === 'query');
  return [
    ...(isValidated ? [error('invalid')] : []),
    error('unauthorized'),
    error('forbidden'),
    ...(hasID ? [error('not_found')] : []),
    ...(isChange ? [error('in_use'), error('precondition'), error('too_large')] : []),
    ...(hasBody ? [error('media_type')] : []),
    ...(method === 'POST' ? [error('key_reused')] : []),
    ...(isChange ? [error('rate_limited')] : []),
    error('internal'),
    error('unavailable'),
  ];
}

const changeParameters = ['dryRun', 'IfMatch', 'IdempotencyKey'].map(
  (name) => `#/components/parameters/${name}`,
);

function sharedParameters({ method }: Route): Json[] {
  const [dryRun, ifMatch, idempotencyKey] = changeParameters;
  if (method === 'GET') return [{ $ref: '#/components/parameters/IfNoneMatch' }];
  return [dryRun, ifMatch, ...(method === 'POST' ? [idempotencyKey] : [])].map(($ref) => ({
    $ref,
  }));
}

/** Collects the schemas that have a name, so that each stands in the document once. */
function schemaCollector() {
  const components = new Map<string, unknown>();
  const convert = (schema: z.ZodType, io: 'input' | 'output'): Json => {
    const {
      $schema: _draft,
      $defs,
      ...json
    } = z.toJSONSchema(schema, {
      io,
      override: ({ jsonSchema }) => {
        // Additions are no breaking change, so no client may rely on their absence.
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
        delete jsonSchema.id;
      },
    });
    const rewritten: { schema: Json; defs: Json } = JSON.parse(
      JSON.stringify({ schema: json, defs: $defs ?? {} }).replaceAll(
        '"#/$defs/',
        '"#/components/schemas/',
      ),
    );
    for (const [name, def] of Object.entries(rewritten.defs)) add(name, def);
    return rewritten.schema;
  };
  const add = (name: string, def: unknown) => {
    const text = JSON.stringify(def);
    const earlier = components.get(name);
    if (earlier && JSON.stringify(earlier) !== text)
      throw new Error(`two schemas have the name ${name}:\n${JSON.stringify(earlier)}\n${text}`);
    components.set(name, def);
  };
  return { components, convert };
}

type Convert = ReturnType<typeof schemaCollector>['convert'];

/** The parameters of a path or query schema: what a client sends is text, so the validated type is shown. */
function parametersOf({ target, schema }: RequestPart, convert: Convert): Json[] {
  const { properties = {}, required = [] } = Object(convert(schema, 'output'));
  return Object.entries<Json>(properties).map(([name, { description, ...type }]) => ({
    name,
    in: target === 'param' ? 'path' : 'query',
    required: target === 'param' || (required.includes(name) && !('default' in type)),
    ...(description ? { description } : {}),
    schema: type,
  }));
}

/** The example of a schema: its own, or one made of those of its parts. */
export function exampleOf(schema: unknown): unknown {
  if (schema instanceof z.ZodType) {
    const { examples } = Object(schema.meta());
    if (Array.isArray(examples)) return examples[0];
  }
  if (schema instanceof z.ZodArray) return [exampleOf(schema.element)];
  if (!(schema instanceof z.ZodObject)) throw new Error('a schema has no example');
  const parts = Object.entries(schema.shape).map(([key, part]) => [key, exampleOf(part)]);
  return Object.fromEntries(parts);
}

const media = (schema: Json, example: unknown) => ({ 'application/json': { schema, example } });

function responsesOf(route: Route, convert: Convert): Json {
  const { status = 200, response } = route.operation;
  const success = {
    description: 'Success.',
    content: media(convert(response, 'output'), exampleOf(response)),
  };
  const unchanged =
    route.method === 'GET' ? { 304: { $ref: '#/components/responses/NotModified' } } : {};
  const problems = problemsOf(route).map(([, code]) => [
    code,
    { $ref: `#/components/responses/${code}` },
  ]);
  return { [status]: success, ...unchanged, ...Object.fromEntries(problems) };
}

/** `PATCH /console/v1/gates/:id` → `patch_gates_id`. */
const operationID = ({ method, path }: Route) =>
  [method.toLowerCase(), ...path.split('/').slice(3)]
    .map((part) => part.replace(':', ''))
    .join('_');

function operationOf(route: Route, convert: Convert): Json {
  const { operation, parts, path } = route;
  const body = parts.find(({ target }) => target === 'json');
  const own = parts.filter(({ target }) => target !== 'json');
  return {
    operationId: operationID(route),
    summary: operation.summary,
    tags: [path.split('/')[3]],
    parameters: [...own.flatMap((part) => parametersOf(part, convert)), ...sharedParameters(route)],
    ...(body && {
      requestBody: {
        required: true,
        content: media(convert(body.schema, 'input'), exampleOf(body.schema)),
      },
    }),
    responses: responsesOf(route, convert),
  };
}

const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'message'],
  properties: {
    type: { type: 'string', description: 'The path of a page that explains the problem.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    message: { type: 'string', description: 'What to do, in a sentence.' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['property', 'errorMessage'],
        properties: { property: { type: 'string' }, errorMessage: { type: 'string' } },
      },
    },
  },
};

/** One response component for each status, which lists the problems that have it. */
function problemResponses(): Json {
  const statuses = new Map<number, string[]>();
  for (const [code, { status, meaning }] of Object.entries(problemTypes)) {
    if (code === 'method_not_allowed') continue; // no answer of an operation
    statuses.set(status, [...(statuses.get(status) ?? []), `\`${code}\`: ${meaning}`]);
  }
  const responses = [...statuses].map(([status, meanings]) => {
    const schema = { $ref: '#/components/schemas/Problem' };
    const content = { 'application/problem+json': { schema } };
    return [status, { description: meanings.join('\n\n'), content }];
  });
  return {
    ...Object.fromEntries(responses),
    NotModified: { description: 'You have this version.' },
  };
}

const text = { type: 'string' };

const parameters = {
  dryRun: {
    name: 'dryRun',
    in: 'query',
    description: 'Check everything and answer what would be stored, but store nothing.',
    schema: { type: 'boolean', default: false },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'Change only this version; 412 when another is current.',
    schema: text,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Answer 304 when this is still the version.',
    schema: text,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same request under the same key takes effect once within 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
};

/** The OpenAPI 3.1 document of an app's routes. */
export function openAPI(app: Hono<Resource>): Json {
  const { components, convert } = schemaCollector();
  const paths: Record<string, Json> = {};
  for (const route of readRoutes(app)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, convert) };
  }
  const tags = [...new Set(Object.keys(paths).map((path) => path.split('/')[3]))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Experimentation Console API',
      version: '1.0.0',
      description: 'Manages feature gates, experiments and everything around them.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: tags.map((name = '') => ({
      name,
      description: `All operations on ${name.replaceAll('_', ' ')}.`,
    })),
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'SERVICE-API-KEY' } },
      parameters,
      responses: problemResponses(),
      schemas: { Problem: problemSchema, ...Object.fromEntries([...components].sort()) },
    },
  };
}
