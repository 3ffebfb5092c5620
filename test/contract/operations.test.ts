import { describe, expect, test } from 'vitest';
import { call, costOf, each, routes } from '../support/client.ts';
import { operations, resources } from '../support/console_api.ts';
import { document, type Piece, resolved, wholeSchema } from '../support/document.ts';
import { prepareCall } from '../support/factories.ts';
import { documentedMessage, importMessages, messagesOf } from '../support/messages.ts';

/** A path as the document writes it. */
const templated = (path: string) => path.replace(/:(\w+)/g, '{$1}');

/** The types of a JSON Schema, `null` among them. */
function typesOf(schema: Piece): string[] {
  const { type, anyOf = [] } = resolved(schema);
  return type ? [type].flat() : anyOf.flatMap(typesOf);
}

describe('each operation of the contract', () => {
  test('is counted: there are 21', () => expect(operations).toHaveLength(21));

  test.each(operations)('%s %s runs, and is documented', async (method, path) => {
    const route = routes.find(
      (each) => `${each.method} ${templated(each.path)}` === `${method} ${path}`,
    );
    if (!route) throw new Error('there is no such route');
    expect(document.paths[path]).toHaveProperty(method.toLowerCase());
    const { path: at, body } = await prepareCall(route);
    const answer = await call(method, at, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(route.operation.status ?? 200);
  });

  test.each(operations.filter(([, path]) => path.includes('{id}')))(
    '%s %s is 404 for an unknown id, and says so',
    async (method, path) => {
      const route = routes.find(
        (each) => each.method === method && each.path === path.replace('{id}', ':id'),
      );
      const { body } = route ? await prepareCall(route) : {};
      const answer = await call(method, path.replace('{id}', 'unknown_id'), { body });
      expect(answer.status).toBe(404);
      expect(answer.body.message).toContain('with the id unknown_id');
    },
  );
});

describe('each operation', () => {
  const names = Object.keys(document.components.headers);

  test.each(each(() => true))(
    '%s answers the message and headers as documented',
    async (_, route) => {
      const { path, body } = await prepareCall(route);
      const answer = await call(route.method, path, { body });
      expect(answer.status, JSON.stringify(answer.body)).toBe(route.operation.status ?? 200);
      const [made] = messagesOf(route, answer.body);
      expect(answer.body.message).toBe(made);
      const { responses } = document.paths[templated(route.path)][route.method.toLowerCase()];
      const documented = resolved(responses[answer.status]).headers;
      const [found, expected] = [
        names.filter((name) => answer.headers.has(name)),
        // A response without a round trip has no state that it has seen.
        names.filter(
          (name) => name in documented && (name !== 'D1-Bookmark' || costOf(answer).trips > 0),
        ),
      ];
      expect(found).toEqual(expected);
    },
  );
});

test('the documented message of a counting operation is that of its example', () => {
  const shown = routes.map(documentedMessage);
  const { ImportReport } = document.components.schemas;
  const [made] = importMessages(ImportReport.examples[0]);
  expect(shown).toContain(made);
  expect(shown.filter((message) => message?.endsWith(', 1 entry removed.'))).toHaveLength(4);
});

describe('each resource of the contract', () => {
  test.each(Object.entries(resources))(
    '%s has its fields with their types',
    (_, [path, fields]) => {
      const answer = resolved(document.paths[path].get.responses[200]);
      const list = wholeSchema(answer.content['application/json'].schema);
      const { properties, required } = wholeSchema(list.properties.data.items);
      for (const field of fields.split(/\s+/)) {
        const [name = '', type = ''] = field.split(':');
        const types = type.endsWith('?') ? [type.slice(0, -1), 'null'] : [type];
        const documented = properties[name] ? typesOf(properties[name]) : [];
        for (const one of types)
          expect([name, documented]).toEqual([name, expect.arrayContaining([one])]);
        expect(required).toContain(name);
      }
    },
  );
});
