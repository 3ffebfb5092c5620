import type { Hono } from 'hono';
import * as z from 'zod';
import type { Service } from '../env.ts';
import { pageOnly } from '../http/envelope.ts';
import { distinct } from '../shared/distinct.ts';
import { stamps, stampsExample, usedStamps } from '../shared/fields.ts';
import { about, aboutOperation } from './about.ts';
import { answerOf, headersOf, isVersioned } from './answers.ts';
import { componentCollector, type Json, type Keep, reference } from './components.ts';
import { described } from './described.ts';
import { essentials, essentialTag } from './essentials.ts';
import { headers } from './headers.ts';
import { commonParameters, parameterKeeper } from './parameters.ts';
import { problemResponses, problemSchema, problemsOf } from './problems.ts';
import { isChange, operationID, type Route, readRoutes } from './routes.ts';
import { type Convert, converter } from './schemas.ts';
import { shared } from './sharing.ts';

/** What all entities carry, all names that may not be registered, and all lists: said of them by reference. */
const carried = [z.object(stamps).meta({ id: 'Stamps' }), usedStamps, pageOnly];

/**
 * The schemas, where that of the stamps has an example of each property. It is a part of others, and servers that make
 * answers of examples take the example of a part, where it has one as a whole, for all that there is.
 */
function withExamples(schemas: Map<string, Json>): Map<string, Json> {
  const { properties, ...all } = schemas.get('Stamps') ?? {};
  const each = Object.entries(stampsExample).map(([name, example]) => {
    return [name, { ...Object(properties)[name], examples: [example] }];
  });
  return new Map(schemas).set('Stamps', { ...all, properties: Object.fromEntries(each) });
}

/** The body of an operation, which stands with it like its answer; nothing where it takes none. */
function bodyOf({ parts }: Route, convert: Convert): Json {
  const schema = parts.find(({ target }) => target === 'json')?.schema;
  if (!schema) return {};
  const content = { 'application/json': { schema: convert(schema, 'input') } };
  const required = !schema.safeParse({}).success; // an empty body stands for {}
  return { requestBody: { required, content } };
}

function responsesOf(route: Route, convert: Convert, keep: Keep): Json {
  const isRead = !isChange(route);
  return {
    [route.operation.status]: answerOf(route, convert, keep),
    ...(isRead && isVersioned(route) ? { 304: reference('responses', 'NotModified') } : {}),
    ...problemsOf(route),
  };
}

/** The parameters of a path, which all its methods have, or of an operation; nothing where there are none. */
const someOf = (parameters: Json[]): Json => (parameters.length > 0 ? { parameters } : {});

/** The operations by path and method, with what they share kept as components. */
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
      tags: [tagOf(path), ...(essentials.has(operationId) ? [essentialTag.name] : [])],
      ...someOf(ofOperation),
      ...bodyOf(route, convert),
      responses: responsesOf(route, convert, keep),
    };
    paths[path] = { ...someOf(ofPath), ...paths[path], [route.method.toLowerCase()]: operation };
  }
  return paths;
}

const tagOf = (path: string) => path.split('/')[3] ?? '';

/** The OpenAPI 3.1 document of an app's routes: each thing once, in the components. */
export function openAPI(app: Hono<Service>): Json {
  const { keep, kept } = componentCollector();
  const convert = converter(keep);
  for (const schema of carried) convert(schema, 'output');
  keep('schemas', 'Problem', problemSchema);
  const paths = pathsOf(readRoutes(app), convert, keep);
  const tags = distinct(Object.keys(paths).map(tagOf));
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
