import { describe, expect, test } from 'vitest';
import { app } from '../src/app.ts';
import { openAPI } from '../src/openapi/document.ts';
import { routes, send } from './support/client.ts';
import { operations, resources } from './support/console_api.ts';

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
    const titles = routes.map(
      (route) => `${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}`,
    );
    expect(titles).toContain(`${method} ${path}`);
    expect(document.paths[path]).toHaveProperty(method.toLowerCase());
    const { status } = await send(method, path.replace('{id}', 'any'), { key: null });
    expect(status).toBe(401);
  });
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
