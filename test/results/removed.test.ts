import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runJob, runUntilIdle } from '../analysis/end_to_end.ts';
import { call, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { makeExperiment } from '../support/factories.ts';
import { exampleID, loadExample } from './example.ts';

const hour = 3_600_000;
const start = Date.parse('2026-01-01T00:00:00Z');
const path = `experiments/${exampleID}`;
const results = `${path}/pulse_results?control=control&test=test`;

const countIn = (table: string, id = exampleID) =>
  env.DB.prepare(`select count(*) as n from ${table} where id = ?`).bind(id).first<number>('n');

const tables = [
  ...['analyses', 'analysis_moments', 'analysis_exposures', 'analysis_loads', 'analysis_runs'],
  ...['exposures', 'exposure_counts', 'analysis_removals'],
];

/** Creates an experiment without metrics under the ID of the example. */
const createAgain = () =>
  ok('POST', 'experiments', {
    name: 'Green button',
    groups: [
      { name: 'Control', id: 'control', size: 50 },
      { name: 'Test', id: 'test', size: 50 },
    ],
  });

beforeEach(async () => {
  await emptyDatabase();
  vi.useFakeTimers({ toFake: ['Date'], now: start + 51 * hour });
});
afterEach(() => {
  vi.useRealTimers();
});

test('the exposures of a deleted experiment are removed in pieces, with all its results', async () => {
  await loadExample();
  const other = await makeExperiment();
  const insert = (id: string, units: number) =>
    env.DB.prepare(
      `with recursive n(i) as (select 0 union all select i + 1 from n where i < ${units - 1})
        insert into exposures (kind, id, start, unitType, unit, "group", firstTime, draw, attributes)
        select 'experiment', '${id}', ${start}, 'userid', 'x' || i, 'test', ${start}, 0, '{}' from n`,
    );
  await env.DB.batch([insert(exampleID, 25_000), insert(other.id, 100)]);
  await ok('DELETE', `${path}?force=true`);
  const now = start + 52 * hour;
  const left: (number | null)[] = [];
  for (let runs = 0; runs < 8; runs++) {
    await runJob({ now, trips: 10 });
    left.push(await countIn('exposures'));
  }
  for (const [index, count] of left.entries())
    expect(25_120 - (count ?? 0)).toBeLessThanOrEqual(10_000 * 2 * (index + 1));
  expect(left[0]).toBeGreaterThan(0);
  for (const table of tables) expect(await countIn(table), table).toBe(0);
  expect(await countIn('exposures', other.id)).toBe(100);
});

test('a new experiment with the ID of a deleted one never shows its data', async () => {
  await loadExample();
  await ok('DELETE', `${path}?force=true`);
  vi.setSystemTime(start + 52 * hour);
  await createAgain();
  const expectNothing = async () => {
    expect((await call('GET', `${results}&start=${start}`)).status).toBe(404);
    const [{ healthChecks }] = await ok('GET', 'experiments');
    expect(healthChecks.map(({ status }: { status: string }) => status)).toEqual(['WAITING']);
    const counts = await ok('GET', `exposure_count?experiments=${exampleID}`);
    expect(counts.experiments).toEqual([{ id: exampleID, pastDay: 0, past7Days: 0 }]);
  };
  await expectNothing();
  const early = await call('PUT', `${path}/start`, { body: { startTime: start } });
  expect(early.status).toBe(409);
  await runUntilIdle({ now: start + 53 * hour });
  expect(await countIn('exposures')).toBe(0);
  await ok('PUT', `${path}/start`, { startTime: start });
  expect(await ok('GET', results)).toMatchObject({ ds: null, loadedTime: null });
  await runUntilIdle({ now: start + 54 * hour });
  const { exposures } = await ok('GET', `${path}/health`);
  expect(exposures.units).toBe(0);
});

test('an experiment that is restored keeps its exposures and its results', async () => {
  await loadExample();
  const before = await ok('GET', results);
  const { version } = await ok('DELETE', `${path}?force=true`);
  await ok('PUT', `${path}/versions/${version}/restore`);
  await runUntilIdle({ now: start + 51 * hour });
  expect(await countIn('exposures')).toBe(120);
  expect(await countIn('analysis_removals')).toBe(0);
  expect((await ok('GET', results)).primaryMetrics).toEqual(before.primaryMetrics);
});
