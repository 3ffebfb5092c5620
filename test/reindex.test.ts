import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { sample } from '../drizzle/sample/index.js';
import worker from '../src/index.ts';
import { kinds } from '../src/resources/kinds.ts';
import { call, ok, routes } from './support/client.ts';
import { dump } from './support/database.ts';

const all = 'insert into pending select distinct kind from revisions';
const run = () => worker.scheduled(createScheduledController(), env);

/** The rows that follow from entities, but for totals of nothing. */
async function derived() {
  const { anchors = [], labels = [], refs = [], totals = [] } = await dump();
  const counted = totals.filter((total) => Object(total).count > 0);
  const sorted = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
  return [anchors, labels, refs, counted].map(sorted);
}

test('derived rows are made again as they were, whatever became of them', async () => {
  for (const [method, path, body] of sample) await ok(method, path, body);
  const renamed = { id: 'renamed', name: 'Checkout of old' };
  for (const body of [renamed, { id: 'removed', name: 'Checkout that goes' }])
    await ok('POST', 'gates', body);
  await ok('PATCH', 'gates/renamed', { name: 'Another' });
  await ok('DELETE', 'gates/removed');
  const before = await derived();
  const found = await ok('GET', 'gates?search=checkout');
  expect(found.length).toBeGreaterThan(0);
  for (const damage of [
    'delete from refs',
    'delete from labels',
    'update totals set count = count + 7',
    "insert into anchors values ('gate', 'stray')",
    "delete from anchors where kind = 'segment'",
    'delete from search where rowid > 0',
    all,
  ])
    await env.DB.prepare(damage).run();
  expect(await ok('GET', 'gates?search=checkout')).toEqual([]);
  for (let runs = 0; runs < 3; runs++) await run();
  expect((await dump()).pending).toEqual([]);
  expect(await derived()).toEqual(before);
  expect(await ok('GET', 'gates?search=checkout')).toEqual(found);
  expect((await call('DELETE', 'gates/no_such_gate')).status).toBe(404);
});

test('every kind that has a history is known to it', () => {
  const restored = routes.filter(({ path }) => path.endsWith('/restore'));
  expect(kinds).toHaveLength(restored.length);
});
