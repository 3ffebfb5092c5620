import type { Hono } from 'hono';
import type { Service } from '../env.ts';
import { type ProblemCode, problemTypes } from '../problem.ts';
import { problemResponses, problemSchema, sharedParameters } from './components.ts';
import { type Route, readRoutes } from './routes.ts';
import { type Convert, exampleOf, type Json, parametersOf, schemaCollector } from './schemas.ts';

/** The problems an operation can answer, from what it takes. */
function problemsOf({ method, path, parts }: Route): ProblemCode[] {
  const isChange = method !== 'GET';
  const has = (target: string) => parts.some((part) => part.target === target);
  const possible: [boolean, ProblemCode[]][] = [
    [isChange || has('query'), ['invalid']],
    [true, ['unauthorized', 'forbidden']],
    [path.includes(':'), ['not_found']],
    [isChange, ['in_use', 'precondition', 'too_large', 'rate_limited']],
    [has('json'), ['media_type']],
    [method === 'POST', ['key_reused']],
    [true, ['internal', 'unavailable']],
  ];
  return possible.flatMap(([can, codes]) => (can ? codes : []));
}

/** References to the parameters that operations of a method share. */
function sharedBy({ method }: Route): Json[] {
  const names = method === 'GET' ? ['IfNoneMatch'] : ['dryRun', 'IfMatch'];
  if (method === 'POST') names.push('IdempotencyKey');
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
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
  const problems = problemsOf(route).map((code) => {
    const { status: number } = problemTypes[code];
    return [number, { $ref: `#/components/responses/${number}` }];
  });
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
    parameters: [...own.flatMap((part) => parametersOf(part, convert)), ...sharedBy(route)],
    ...(body && {
      requestBody: {
        required: true,
        content: media(convert(body.schema, 'input'), exampleOf(body.schema)),
      },
    }),
    responses: responsesOf(route, convert),
  };
}

/** The OpenAPI 3.1 document of an app's routes. */
export function openAPI(app: Hono<Service>): Json {
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
      parameters: sharedParameters,
      responses: problemResponses(),
      schemas: { Problem: problemSchema, ...Object.fromEntries([...components].sort()) },
    },
  };
}
