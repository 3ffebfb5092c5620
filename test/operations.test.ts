import { describe, expect, test } from 'vitest';
import { app } from '../src/app.ts';
import { openAPI } from '../src/openapi/document.ts';
import type { Route } from '../src/openapi/routes.ts';
import { call, routes } from './support/client.ts';
import { operations, resources } from './support/console_api.ts';
import { prepared } from './support/factories.ts';

const document = JSON.parse(JSON.stringify(openAPI(app)));

/** The schema behind a reference, or the schema itself. */
const resolve = (schema: { $ref?: string }) => {
  const name = schema.$ref?.split('/').at(-1);
  return name ? document.components.schemas[name] : schema;
};

/** The types of a JSON Schema, `null` among them. */
function typesOf(schema: { $ref?: string; type?: string; anyOf?: object[] }): string[] {
  const { type, anyOf } = resolve(schema);
  return type ? [type].flat() : (anyOf ?? []).flatMap((part: object) => typesOf(part));
}

describe('each operation of the contract', () => {
  test('is counted: there are 21', () => expect(operations).toHaveLength(21));

  test.each(operations)('%s %s runs, and is documented', async (method, path) => {
    const titled = (route: Route) => `${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}`;
    const route = routes.find((each) => titled(each) === `${method} ${path}`);
    if (!route) throw new Error('there is no such route');
    expect(document.paths[path]).toHaveProperty(method.toLowerCase());
    const { path: at, body } = await prepared(route);
    const answer = await call(method, at, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(route.operation.status ?? 200);
  });

  test.each(operations.filter(([, path]) => path.includes('{id}')))(
    '%s %s is 404 for an unknown id, and says so',
    async (method, path) => {
      const route = routes.find(
        (each) => each.method === method && each.path === path.replace('{id}', ':id'),
      );
      const { body } = route ? await prepared(route) : {};
      const answer = await call(method, path.replace('{id}', 'unknown_id'), { body });
      expect(answer.status).toBe(404);
      expect(answer.body.message).toContain('with the id unknown_id');
    },
  );
});

describe('each resource of the contract', () => {
  test.each(Object.entries(resources))(
    '%s has its fields with their types',
    (_, [path, fields]) => {
      const list = document.paths[path].get.responses[200].content['application/json'].schema;
      const { properties, required } = resolve(list.properties.data.items);
      for (const field of fields.split(/\s+/)) {
        const [name = '', type = ''] = field.split(':');
        const types = type.endsWith('?') ? [type.slice(0, -1), 'null'] : [type];
        const documented = properties[name] ? typesOf(properties[name]) : [];
        for (const each of types)
          expect([name, documented]).toEqual([name, expect.arrayContaining([each])]);
        expect(required).toContain(name);
      }
    },
  );
});
