import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { analyze } from '../../src/analysis/schedule/analyze.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { afterDay, dayOf, runJob, runUntilIdle } from './end_to_end.ts';

const hour = 3_600_000;

/** Starts an experiment with one metric, and exposes two users. */
async function start(id: string, startDate: string) {
  const { groups } = await ok('POST', 'experiments', {
    ...{ name: id, id },
    primaryMetrics: [{ name: 'views', type: 'event_count_custom' }],
  });
  const startTime = Date.parse(startDate);
  await ok('PUT', `experiments/${id}/start`, { startTime });
  const exposures = ['a', 'b'].map((unit, index) => ({
    ...{ kind: 'experiment', id, unitType: 'userID', unit, time: startTime + hour },
    group: groups[index].id,
  }));
  await ok('POST', 'exposures', { exposures });
}

const stateOf = async (id: string) => {
  const row = await env.DB.prepare(
    `select loadedDay, dueDay, isOpen, (select count(*) from analysis_runs r where r.id = a.id) as runs
      from analyses a where id = ?`,
  )
    .bind(id)
    .first<{ loadedDay: number; dueDay: number; isOpen: number; runs: number }>();
  if (!row) throw new Error(`no analysis ${id}`);
  return row;
};

/** Leaves most of sixty days of one experiment planned, by a full load. */
async function withBacklog(now: number) {
  await runUntilIdle({ now });
  vi.setSystemTime(now);
  await ok('POST', 'experiments/long/load_pulse', { refresh: 'full' });
  expect((await stateOf('long')).runs).toBeGreaterThan(100);
}

beforeEach(async () => {
  await emptyDatabase();
  vi.useFakeTimers({ toFake: ['Date'], now: afterDay('2026-03-09') });
  await ok('POST', 'metrics', {
    ...{ name: 'views', type: 'event_count_custom' },
    metricEvents: [{ name: 'view', type: 'count' }],
  });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a new day of one experiment is loaded while all days of another are planned', async () => {
  await start('long', '2026-01-10T00:00:00Z');
  await start('short', '2026-03-08T00:00:00Z');
  await withBacklog(afterDay('2026-03-10') - 3 * hour);
  const now = afterDay('2026-03-10');
  await runJob({ now });
  await runJob({ now: now + 60_000 });
  expect(await stateOf('short')).toMatchObject({ dueDay: dayOf('2026-03-11') });
  expect((await stateOf('long')).runs).toBeGreaterThan(50);
});

test('a decision ends an analysis in the next run while all days of another are planned', async () => {
  await start('long', '2026-01-10T00:00:00Z');
  await start('short', '2026-03-08T00:00:00Z');
  const now = afterDay('2026-03-09');
  await withBacklog(now);
  const { groups } = await ok('GET', 'experiments/short');
  vi.setSystemTime(now + 60_000);
  await ok('PUT', 'experiments/short/make_decision', { id: groups[1].id, decisionReason: 'Good.' });
  await runJob({ now: now + 120_000 });
  expect(await stateOf('short')).toMatchObject({ isOpen: 0 });
  expect((await stateOf('long')).runs).toBeGreaterThan(50);
});

test('planned days of two experiments are loaded in turns', async () => {
  await start('long', '2026-01-10T00:00:00Z');
  await start('other', '2026-01-10T00:00:00Z');
  await withBacklog(afterDay('2026-03-09'));
  vi.setSystemTime(afterDay('2026-03-09') + 30_000);
  await ok('POST', 'experiments/other/load_pulse', { refresh: 'full' });
  const before = await Promise.all(['long', 'other'].map(stateOf));
  for (let runs = 1; runs <= 10; runs++)
    await runJob({ now: afterDay('2026-03-09') + runs * 60_000 });
  const after = await Promise.all(['long', 'other'].map(stateOf));
  const loaded = before.map(({ runs }, index) => runs - (after[index]?.runs ?? 0));
  expect(Math.min(...loaded)).toBeGreaterThan(0.7 * Math.max(...loaded));
});

test('late data are looked for in thirty experiments within the budget of one run', async () => {
  for (let index = 0; index < 30; index++) await start(`early_${index}`, '2026-03-08T00:00:00Z');
  const now = afterDay('2026-03-09');
  await runUntilIdle({ now });
  await ok('POST', 'events', {
    events: [{ name: 'view', userID: 'a', timestamp: Date.parse('2026-03-09') + hour }],
  });
  const { trips } = await runJob({ now: now + hour + 60_000 });
  expect(trips).toBeLessThanOrEqual(20);
  const { results } = await env.DB.prepare('select id from analysis_loads where createdTime = ?')
    .bind(now + hour + 60_000)
    .all();
  expect(results).toHaveLength(30);
});

test('an experiment that cannot be loaded delays no other, and is loaded in an hour', async () => {
  await start('broken', '2026-03-08T00:00:00Z');
  await start('short', '2026-03-08T00:00:00Z');
  const now = afterDay('2026-03-08');
  await env.DB.prepare(
    `create trigger breaking before insert on analysis_moments when new.id = 'broken'
      begin select raise(abort, 'The moments are broken.'); end`,
  ).run();
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  try {
    await runUntilIdle({ now });
    await runUntilIdle({ now: now + 60_000 });
    expect(await stateOf('short')).toMatchObject({ dueDay: dayOf('2026-03-09'), runs: 0 });
    expect(await stateOf('broken')).toMatchObject({ dueDay: dayOf('2026-03-08'), runs: 4 });
    expect(logged.mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual([
      {
        ...{ job: 'analyses', outcome: 'failed', kind: 'experiment', id: 'broken' },
        ...{ start: Date.parse('2026-03-08'), ds: dayOf('2026-03-08') },
        error: expect.stringContaining('The moments are broken.'),
      },
    ]);
  } finally {
    logged.mockRestore();
    await env.DB.prepare('drop trigger breaking').run();
  }
  await runUntilIdle({ now: now + hour });
  expect(await stateOf('broken')).toMatchObject({ dueDay: dayOf('2026-03-09'), runs: 0 });
});

test('a spent budget ends a run at any round trip and postpones no experiment', async () => {
  await start('short', '2026-03-08T00:00:00Z');
  const now = afterDay('2026-03-08');
  const logged = vi.spyOn(console, 'error');
  const ends: string[] = [];
  while (!ends.includes('done')) {
    let isSpent = false;
    const db = openDatabase(env.DB, 'first-primary', undefined, () => {
      isSpent = db.meter.trips > ends.length;
      if (isSpent) throw new Error('The budget is spent.');
    });
    const left = () => ({ trips: 20, ms: isSpent ? 0 : 10_000 });
    const end = analyze({ db, now, left }).then(() => 'done', String);
    ends.push(await end);
  }
  expect(new Set(ends)).toEqual(new Set(['Error: The budget is spent.', 'done']));
  expect(logged).not.toHaveBeenCalled();
  logged.mockRestore();
  expect(await stateOf('short')).toMatchObject({ dueDay: dayOf('2026-03-09'), runs: 0 });
});
