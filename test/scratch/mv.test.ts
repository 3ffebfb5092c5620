import { env } from 'cloudflare:workers';
import { test } from 'vitest';
import { call, costOf } from '../support/client.ts';
import { watched } from '../support/watch.ts';

test('x', async () => {
  const { DB, sent } = watched(env.DB);
  const a = await call('GET', 'metrics/values?date=2026-01-01&metricName=x', { bindings: { DB } });
  console.log(costOf(a));
  for (const { sql, params, read } of sent) {
    const plan = await env.DB.prepare(`explain query plan ${sql}`)
      .bind(...params)
      .all<{ detail: string }>();
    console.log(read, sql, JSON.stringify(params));
    console.log(plan.results.map((r) => r.detail).join('\n'));
  }
});
