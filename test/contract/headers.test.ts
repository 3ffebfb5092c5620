import { beforeAll, describe, expect, test } from 'vitest';
import { isChange, type Route } from '../../src/platform/openapi/routes.ts';
import { call, each } from '../support/client.ts';
import { contents, emptyDatabase } from '../support/database.ts';
import { document, resolved } from '../support/document.ts';
import { pathOf, prepareCall, unique } from '../support/factories.ts';

/** The names of the headers that the document has for an operation. */
const documentedHeaders = ({ method, path }: Route): string[] => {
  const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()];
  return (operation.parameters ?? [])
    .map(resolved)
    .filter((parameter: { in: string }) => parameter.in === 'header')
    .map(({ name }: { name: string }) => name);
};

beforeAll(emptyDatabase);

const having = (name: string) => each((route) => documentedHeaders(route).includes(name));

describe('where the document has If-Match', () => {
  test.each(having('If-Match'))(
    '%s is 412 for a stale one, and stores nothing',
    async (_, route) => {
      const { path, body } = await prepareCall(route);
      const before = await contents();
      const stale = await call(route.method, path, { body, headers: { 'If-Match': '"77"' } });
      expect([stale.status, stale.body.type]).toEqual([412, '/problems/precondition']);
      expect(await contents()).toEqual(before);
    },
  );
});

describe('where the document has no If-Match', () => {
  const without = each((route) => !documentedHeaders(route).includes('If-Match'));

  test.each(without)('%s refuses it rather than ignore it', async (_, route) => {
    for (const tag of ['"1"', '3', '*']) {
      const { status, body: answer } = await call(route.method, pathOf(route.path, 'any'), {
        headers: { 'If-Match': tag },
      });
      expect([tag, status, answer.errors]).toEqual([
        tag,
        400,
        [{ property: 'If-Match', errorMessage: expect.stringContaining('must be absent') }],
      ]);
    }
  });

  test('one of many changes refuses it too, and names which', async () => {
    const change = { method: 'POST', path: '/console/v1/gates', body: { name: unique('Gate') } };
    const headers = { 'if-match': '"1"' };
    const changes = [change, { ...change, headers }];
    const { status, body } = await call('POST', 'changes', { body: { changes } });
    expect([status, body.index, body.errors[0].property]).toEqual([400, 1, 'changes.1.If-Match']);
  });
});

test('the document has If-Match for changes of versioned entities, and Idempotency-Key for each POST', () => {
  const changes = each(isChange).map(([, route]) => route);
  const without = (name: string) =>
    changes
      .filter((route) => !documentedHeaders(route).includes(name))
      .map(({ method, path }) => `${method} ${path.replace('/console/v1/', '')}`);
  expect(without('Idempotency-Key').some((title) => title.startsWith('POST'))).toBe(false);
  expect(without('If-Match').filter((title) => !title.startsWith('POST'))).toEqual([
    'DELETE metrics/values',
    'PUT webhooks/:id/deliveries/:deliveryID/resend',
  ]);
});
