import { expect, test } from 'vitest';
import { sample } from '../drizzle/sample/index.js';
import { base, call, ok, routes } from './support/client.ts';

/** Required queries of lists. */
const queries: Record<string, string> = { [`${base}/metrics/values`]: '?date=2026-06-01' };

/** Resources that the sample project lacks, and the export, which has its own tests. */
const without = ['/webhooks', '/users', '/export'];

test('the sample project loads and has entities of every resource', async () => {
  for (const [method, path, body] of sample) await ok(method, path, body);
  const whole = routes.filter(
    ({ method, path }) =>
      method === 'GET' && !path.includes(':') && !without.some((end) => path.endsWith(end)),
  );
  const lists = await Promise.all(
    whole.map(async ({ path }) => {
      const { body } = await call('GET', `${path}${queries[path] ?? ''}`);
      return { path, isEmpty: Object.keys(body.data ?? body).length === 0 };
    }),
  );
  expect(lists.length).toBeGreaterThan(0);
  expect(lists.filter(({ isEmpty }) => isEmpty)).toEqual([]);
});
