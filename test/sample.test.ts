import { expect, test } from 'vitest';
import { sample } from '../drizzle/sample/index.js';
import { base, call, ok, routes } from './support/client.ts';

/** What a list must be asked. */
const queries: Record<string, string> = { [`${base}/metrics/values`]: '?date=2026-06-01' };

/** What the sample has none of: it has one key alone, and tells nobody of its changes. An export has tests of its own. */
const without = ['/webhooks', '/users', '/export'];

test('the sample project loads, and shows every resource', async () => {
  for (const [method, path, body] of sample) await ok(method, path, body);
  const whole = routes.filter(
    ({ method, path }) =>
      method === 'GET' && !path.includes(':') && !without.some((end) => path.endsWith(end)),
  );
  const shown = await Promise.all(
    whole.map(async ({ path }) => {
      const { body } = await call('GET', `${path}${queries[path] ?? ''}`);
      return { path, isEmpty: Object.keys(body.data ?? body).length === 0 };
    }),
  );
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.filter(({ isEmpty }) => isEmpty)).toEqual([]);
});
