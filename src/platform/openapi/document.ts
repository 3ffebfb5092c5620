import * as z from 'zod';
import './words/all.ts';
import type { Hono } from 'hono';
import { distinct } from '../../base/distinct.ts';
import { stamps, stampsExample, usedStamps } from '../../base/fields.ts';
import { isObject } from '../../base/value_types.ts';
import type { Service } from '../env.ts';
import { pageOnly } from '../http/envelope.ts';
import { about, aboutOperation } from './about.ts';
import { componentCollector, type Json, type Keep, reference } from './components.ts';
import { described } from './described.ts';
import { essentials, essentialTag } from './essentials.ts';
import { commonParameters, parameterKeeper } from './parameters.ts';
import { problemResponses, problemSchema, problemsOf } from './problems.ts';
import { headersOf, isVersioned, successResponse } from './responses.ts';
import { isChange, operationID, type Route, readRoutes } from './routes.ts';
import { type Convert, converter } from './schemas.ts';
import { shared } from './sharing.ts';

const text = { type: 'string' };

const headers: Record<string, Json> = {
  ETag: {
    description: 'The version of the entity, for If-Match and If-None-Match.',
    schema: text,
    example: '"3"',
  },
  Location: {
    description: 'The path of the new entity.',
    schema: { type: 'string', format: 'uri-reference' },
    example: '/console/v1/gates/new_checkout',
  },
  'Retry-After': {
    description: 'The seconds to wait before sending the request again.',
    schema: { type: 'integer' },
    example: 60,
  },
  'D1-Bookmark': {
    description:
      'The database state of the response. A request that sends it in this header reads that state or a later one.',
    schema: text,
    example: '00000001-00000002-00004e2f-0a8b3c5d7e9f1a2b3c4d5e6f7a8b9c0d',
  },
  'Server-Timing': {
    description:
      'The cost: round trips to the database, rows read and written, and milliseconds there.',
    schema: text,
    example: 'trips;desc="1", rows_read;desc="3", rows_written;desc="0", db;dur=1.2',
  },
};

const sharedSchemas = [z.object(stamps).meta({ id: 'Stamps' }), usedStamps, pageOnly()];

/** Mock servers take the whole example of a part of a schema as the complete response. */
function withExamples(schemas: Map<string, Json>): Map<string, Json> {
  const { properties, ...all } = schemas.get('Stamps') ?? {};
  const each = Object.entries(stampsExample).map(([name, example]) => {
    const schema = isObject(properties) ? properties[name] : undefined;
    return [name, { ...(isObject(schema) ? schema : {}), examples: [example] }];
  });
  return new Map(schemas).set('Stamps', { ...all, properties: Object.fromEntries(each) });
}

function requestBodyOf({ parts }: Route, convert: Convert): Json {
  const schema = parts.find(({ target }) => target === 'json')?.schema;
  if (!schema) return {};
  const content = { 'application/json': { schema: convert(schema, 'input') } };
  const required = !schema.safeParse({}).success; // an empty body is read as {}
  return { requestBody: { required, content } };
}

function responsesOf(route: Route, convert: Convert, keep: Keep): Json {
  const isRead = !isChange(route);
  return {
    [route.operation.status]: successResponse(route, convert, keep),
    ...(isRead && isVersioned(route) ? { 304: reference('responses', 'NotModified') } : {}),
    ...problemsOf(route),
  };
}

const parametersMember = (parameters: Json[]): Json =>
  parameters.length > 0 ? { parameters } : {};

function pathsOf(routes: Route[], convert: Convert, keep: Keep): Record<string, Json> {
  const parametersOf = parameterKeeper(routes, convert, keep);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    const operationId = operationID(route);
    const { ofPath, ofOperation } = parametersOf(route);
    const operation = {
      operationId,
      summary: route.operation.summary,
      description: aboutOperation(route),
      tags: [routeTag(path), ...(essentials.has(operationId) ? [essentialTag.name] : [])],
      ...parametersMember(ofOperation),
      ...requestBodyOf(route, convert),
      responses: responsesOf(route, convert, keep),
    };
    paths[path] = {
      ...parametersMember(ofPath),
      ...paths[path],
      [route.method.toLowerCase()]: operation,
    };
  }
  return paths;
}

const routeTag = (path: string) => path.split('/')[3] ?? '';

/** Returns the OpenAPI 3.1 document of an app's routes. Shared pieces are in the components, each once. */
export function openAPI(app: Hono<Service>): Json {
  const { keep, kept } = componentCollector();
  const convert = converter(keep);
  for (const schema of sharedSchemas) convert(schema, 'output');
  keep('schemas', 'Problem', problemSchema);
  const paths = pathsOf(readRoutes(app), convert, keep);
  const tags = distinct(Object.keys(paths).map(routeTag));
  return {
    ...about,
    tags: [
      essentialTag,
      ...tags.map((name) => ({
        name,
        description: `All operations on ${name.replaceAll('_', ' ')}.`,
      })),
    ],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'SERVICE-API-KEY' } },
      headers,
      parameters: { ...commonParameters, ...Object.fromEntries(kept('parameters')) },
      responses: {
        ...problemResponses(),
        NotModified: { description: 'You have this version.', headers: headersOf('ETag') },
      },
      schemas: Object.fromEntries(withExamples(shared(described(kept('schemas'))))),
    },
  };
}
