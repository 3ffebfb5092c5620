import { describe, expect, test } from 'vitest';
import { isChange } from '../../src/platform/openapi/routes.ts';
import { call, each, expectOfEach } from '../support/client.ts';
import { documentsHeader } from '../support/document.ts';
import { pathOf, unique } from '../support/factories.ts';

describe('where the document has no If-Match', () => {
  test('each operation refuses it rather than ignore it', async () => {
    const tags = ['"1"', '3', '*'];
    const errors = [
      { property: 'If-Match', errorMessage: expect.stringContaining('must be absent') },
    ];
    await expectOfEach(
      (route) => !documentsHeader(route, 'If-Match'),
      async ({ method, path }) => {
        const answers = tags.map((tag) =>
          call(method, pathOf(path, 'any'), { headers: { 'If-Match': tag } }),
        );
        return (await Promise.all(answers)).map(({ status, body }) => [status, body.errors]);
      },
      tags.map(() => [400, errors]),
    );
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
      .filter((route) => !documentsHeader(route, name))
      .map(({ method, path }) => `${method} ${path.replace('/console/v1/', '')}`);
  expect(without('Idempotency-Key').some((title) => title.startsWith('POST'))).toBe(false);
  expect(without('If-Match').filter((title) => !title.startsWith('POST'))).toEqual([
    'DELETE metrics/values',
    'PUT webhooks/:id/deliveries/:deliveryID/resend',
  ]);
});
