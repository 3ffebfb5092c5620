import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { projectAt } from '../../drizzle/sample/index.js';
import { gates } from '../../src/flags/gates/table.ts';
import worker from '../../src/index.ts';
import { kindsOf } from '../../src/platform/resource/resource.ts';
import { registry } from '../../src/registry.ts';
import { call, ok, routes } from '../support/client.ts';
import { dump, emptyDatabase } from '../support/database.ts';
import { makeGate } from '../support/factories.ts';
import { withBatches } from '../support/faults.ts';
import { checkInvariants } from '../support/invariants.ts';
import { multiply } from '../support/seed.ts';

const all = 'insert into pending select distinct kind from revisions';
const run = (DB = env.DB) => worker.scheduled(createScheduledController(), { ...env, DB });

test('derived rows are rebuilt after any damage', async () => {
  for (const [method, path, body] of projectAt(Date.now())) await ok(method, path, body);
  const renamed = { id: 'renamed', name: 'Checkout of old' };
  await ok('POST', 'gates', { id: 'chinese', name: '新结账 Checkout' });
  for (const body of [renamed, { id: 'removed', name: 'Checkout that goes' }])
    await ok('POST', 'gates', body);
  await ok('PATCH', 'gates/renamed', { name: 'Another' });
  await ok('DELETE', 'gates/removed');
  await ok('POST', 'teams', { name: 'renamed' }); // shares an ID with a gate
  const found = await ok('GET', 'gates?search=checkout');
  expect(found.length).toBeGreaterThan(0);
  const before = await dump();
  for (const damage of [
    'delete from refs',
    'delete from labels',
    'update totals set count = count + 7',
    "insert into anchors values ('gate', 'stray')",
    "delete from anchors where kind = 'segment'",
    'delete from search where rowid > 0',
    "update gates set sortName = ''",
    'update segments set sortName = upper(name)',
    all,
  ])
    await env.DB.prepare(damage).run();
  expect(await ok('GET', 'gates?search=checkout')).toEqual([]);
  for (let runs = 0; runs < 3; runs++) await run();
  const { pending, gates, segments } = await dump();
  expect(pending).toEqual([]);
  expect([gates, segments]).toEqual([before.gates, before.segments]);
  await checkInvariants();
  expect(await ok('GET', 'gates?search=checkout')).toEqual(found);
  expect(await ok('GET', `gates?search=${encodeURIComponent('账')}`)).toHaveLength(1);
  expect((await call('DELETE', 'gates/no_such_gate')).status).toBe(404);
});

test('a rebuild waits for the code that matches the applied migrations', async () => {
  const waiting = async () => (await dump()).pending;
  await env.DB.prepare("insert into pending values ('gate')").run();
  await env.DB.prepare("update d1_migrations set name = '9' || name where id = 1").run();
  await run();
  expect(await waiting()).toEqual([{ kind: 'gate' }]);
  await env.DB.prepare('update d1_migrations set name = substr(name, 2) where id = 1').run();
  await run();
  expect(await waiting()).toEqual([]);
});

test('a rebuild starts again if an entity of its kind changes meanwhile', async () => {
  await ok('POST', 'gates', { id: 'known', name: 'Known', tags: ['early'] });
  await env.DB.prepare("insert into pending values ('gate')").run();
  let changes = 0;
  const busy = withBatches(env.DB, async (session, statements) => {
    // The last batch of a kind is the longest: it stores the totals.
    if (statements.length > 3 && changes < 3) {
      const body = { id: `meanwhile_${++changes}`, name: `Meanwhile ${changes}`, tags: ['late'] };
      await ok('POST', 'gates', body);
    }
    return session.batch(statements);
  });
  await run(busy);
  expect(changes).toBe(3);
  expect((await dump()).pending).toEqual([]);
  expect(await ok('GET', 'gates?tags=late')).toHaveLength(3);
});

test('a kind with derived rows larger than one batch is rebuilt', async () => {
  await emptyDatabase();
  const tags = Array.from({ length: 100 }, (_, index) => `tag number ${index}`);
  await makeGate({ tags });
  await multiply(gates, 900);
  await env.DB.prepare('delete from labels').run();
  await env.DB.prepare("insert into pending values ('gate')").run();
  await run();
  expect((await dump()).pending).toEqual([]);
  const { body } = await call('GET', `gates?tags=${encodeURIComponent('tag number 99')}&limit=1`);
  expect(body.pagination.totalItems).toBe(901);
});

test('every resource with a history can be rebuilt', () => {
  const restored = routes.filter(({ path }) => path.endsWith('/restore'));
  expect(kindsOf(registry)).toHaveLength(restored.length);
});
