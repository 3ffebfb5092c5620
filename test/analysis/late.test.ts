import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { planWork } from '../../src/analysis/schedule/planning.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { call, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { withBatches } from '../support/faults.ts';
import { afterDay, dayOf, runJob, runUntilIdle } from './end_to_end.ts';

const start = Date.parse('2026-03-08T00:00:00Z');
const hour = 3_600_000;
const day = 24 * hour;

const metric = (name: string, event: string, more: object = {}) => ({
  ...{ name, type: 'event_count_custom', metricEvents: [{ name: event, type: 'count' }] },
  ...more,
});

const event = (name: string, userID: string, timestamp: number) => ({ name, userID, timestamp });

/** Starts an experiment on two users, one event of each, and loads three days. */
async function loadedExperiment() {
  await ok('POST', 'metrics', metric('views', 'view'));
  await ok('POST', 'metrics', metric('buys', 'buy'));
  await ok('POST', 'metrics', {
    ...metric('visits', 'visit'),
    type: 'user_warehouse',
    metricEvents: [],
    warehouseNative: { aggregation: 'max', metricSourceName: 'visit', valueColumn: 'value' },
  });
  const { id, groups } = await ok('POST', 'experiments', {
    name: 'Late',
    id: 'late',
    primaryMetrics: [
      { name: 'views', type: 'event_count_custom' },
      { name: 'visits', type: 'user_warehouse' },
    ],
    otherMetrics: [{ name: 'buys', type: 'event_count_custom' }],
  });
  await ok('PUT', `experiments/${id}/start`, { startTime: start });
  const exposures = ['a', 'b', 'c', 'd'].map((unit, index) => ({
    ...{ kind: 'experiment', id, unitType: 'userID', unit, time: start + hour },
    group: groups[index % 2].id,
  }));
  await ok('POST', 'exposures', { exposures });
  const events = ['view', 'buy', 'visit'].map((name) => event(name, 'a', start + 2 * hour));
  await ok('POST', 'events', { events });
  await runUntilIdle({ now: afterDay('2026-03-10') });
  return { id, groups };
}

/** Plans all due days without loading them, and returns those of metrics. */
async function planned(now: number): Promise<string[]> {
  for (let runs = 0; runs < 3; runs++) {
    const { results } = await env.DB.prepare(
      "select metric, rollup, ds from analysis_runs where metric <> '' order by metric, rollup, ds",
    ).all<{ metric: string; rollup: number; ds: number }>();
    if (results.length > 0)
      return results.map(
        ({ metric, rollup, ds }) => `${metric} ${rollup} ${ds - dayOf('2026-03-08')}`,
      );
    await runJob({ now, trips: 10 });
  }
  return [];
}

const totals = async (metric: string, ds: string) => {
  const { results } = await env.DB.prepare(
    'select n, moments from analysis_moments where metric = ? and ds = ? and rollup = -1',
  )
    .bind(metric, dayOf(ds))
    .all<{ n: number; moments: string }>();
  return results.reduce((sum, { n, moments }) => sum + n * (JSON.parse(moments).meanY ?? 0), 0);
};

const readAnalyses = async () => {
  const { results } = await env.DB.prepare('select * from analyses').all();
  return results;
};

beforeEach(emptyDatabase);
afterEach(() => {
  vi.useRealTimers();
});

/** An hour after the days were loaded, when late data are looked for again. */
const later = afterDay('2026-03-10') + hour + 60_000;

describe('a late event', () => {
  test('reloads the days and metrics that can see it', async () => {
    await loadedExperiment();
    await ok('POST', 'events', { events: [event('view', 'b', start + day + hour)] });
    const cumulative = [1, 2].map((ds) => `views::event_count_custom -1 ${ds}`);
    const rollups = [1, 7].flatMap((rollup) =>
      [1, 2].map((ds) => `views::event_count_custom ${rollup} ${ds}`),
    );
    expect((await planned(later)).filter((one) => !one.endsWith(' 3'))).toEqual([
      ...cumulative,
      ...rollups,
    ]);
    await runUntilIdle({ now: later });
    expect(await totals('views::event_count_custom', '2026-03-08')).toBe(1);
    expect(await totals('views::event_count_custom', '2026-03-09')).toBe(2);
    expect(await totals('views::event_count_custom', '2026-03-10')).toBe(2);
  });

  test('of a metric without a past reloads only the rollups that contain its day', async () => {
    await loadedExperiment();
    await ok('POST', 'events', { events: [event('visit', 'b', start + day + hour)] });
    const cumulative = [1, 2].map((ds) => `visits::user_warehouse -1 ${ds}`);
    const weekly = [1, 2].map((ds) => `visits::user_warehouse 7 ${ds}`);
    expect(await planned(later)).toEqual([...cumulative, 'visits::user_warehouse 1 1', ...weekly]);
  });

  test('of a day that is being loaded begins its load again', async () => {
    await loadedExperiment();
    const now = afterDay('2026-03-11');
    const isUnderWay = () =>
      env.DB.prepare(
        "select 1 as found from analysis_runs where metric like 'views%' and nextUnit >= 'b' and ds = ?",
      )
        .bind(dayOf('2026-03-11'))
        .first('found');
    for (let runs = 0; runs < 40 && !(await isUnderWay()); runs++)
      await runJob({ now, chunkSize: 1, trips: 10 });
    expect(await isUnderWay()).toBe(1);
    await ok('POST', 'events', { events: [event('view', 'a', start + 3 * day + hour)] });
    await runUntilIdle({ now: now + hour + 60_000, chunkSize: 1 });
    expect(await totals('views::event_count_custom', '2026-03-11')).toBe(2);
  });

  test('of one metric does not close a day that the others have not loaded', async () => {
    await loadedExperiment();
    const closing = afterDay('2026-03-11');
    await runUntilIdle({ now: closing - 3 * hour + 30 * 60_000 });
    await ok('POST', 'events', { events: [event('buy', 'b', start + 2 * day + hour)] });
    await runUntilIdle({ now: closing });
    const { results } = await env.DB.prepare(
      'select distinct metric, rollup from analysis_moments where ds = ? and rollup <> 0 order by metric, rollup',
    )
      .bind(dayOf('2026-03-11'))
      .all<{ metric: string; rollup: number }>();
    expect(results.map(({ metric, rollup }) => `${metric.split('::')[0]} ${rollup}`)).toEqual([
      'buys -1',
      ...[-1, 1, 7].map((rollup) => `views ${rollup}`),
      ...[-1, 1, 7].map((rollup) => `visits ${rollup}`),
    ]);
  });

  test('that is planned while another load ends is counted', async () => {
    await loadedExperiment();
    await ok('POST', 'events', { events: [event('view', 'b', start + day + hour)] });
    const isLoaded = () =>
      env.DB.prepare("select min(phase = 'done') as isDone from analysis_runs where ds = ?")
        .bind(dayOf('2026-03-09'))
        .first<number>('isDone');
    let isBetween = true;
    const d1 = withBatches(env.DB, async (session, statements) => {
      if (isBetween && (await isLoaded()) === 1) {
        isBetween = false;
        await ok('POST', 'events', { events: [event('view', 'c', start + day + 2 * hour)] });
        await env.DB.prepare('update analysis_looks set time = 0').run();
        const db = openDatabase(env.DB, 'first-primary');
        const left = () => ({ trips: 30 - db.meter.trips, ms: 10_000 });
        await planWork({ db, now: later + 1, left, chunkSize: 10_000 });
      }
      return session.batch(statements);
    });
    await runJob({ now: later, trips: 1000, d1 });
    expect(isBetween).toBe(false);
    await runUntilIdle({ now: later + 2 });
    expect(await totals('views::event_count_custom', '2026-03-09')).toBe(3);
  });

  test('of another name reloads nothing', async () => {
    await loadedExperiment();
    await ok('POST', 'events', { events: [event('scroll', 'b', start + day + hour)] });
    await runUntilIdle({ now: later });
    const { results } = await env.DB.prepare(
      'select startDs from analysis_loads where createdTime = ?',
    )
      .bind(later)
      .all<{ startDs: number }>();
    expect(results.map(({ startDs }) => startDs)).toEqual([dayOf('2026-03-11')]);
  });

  test('of more than a week ago reloads nothing', async () => {
    await loadedExperiment();
    await runUntilIdle({ now: afterDay('2026-03-20') });
    await ok('POST', 'events', { events: [event('view', 'b', start + hour + 1)] });
    const now = afterDay('2026-03-20') + hour + 60_000;
    expect((await planned(now)).every((one) => one.endsWith(' 13'))).toBe(true);
  });
});

describe('the health of an experiment', () => {
  const lateEvents = async () => {
    const { metrics } = await ok('GET', 'experiments/late/health');
    return Object.fromEntries(
      metrics.map((one: { metricID: string; lateEvents: number | null }) => [
        one.metricID.split('::')[0],
        one.lateEvents,
      ]),
    );
  };

  test('counts the events of each metric that arrive after their day was loaded', async () => {
    await loadedExperiment();
    expect(await lateEvents()).toEqual({ views: 0, visits: 0, buys: 0 });
    const late = [
      event('view', 'b', start + day + hour),
      event('view', 'c', start + hour),
      event('visit', 'b', start + hour),
      event('scroll', 'b', start + hour),
      event('view', 'b', start - hour),
      event('view', 'b', later - hour / 2),
    ];
    await ok('POST', 'events', { events: late });
    await runUntilIdle({ now: later });
    expect(await lateEvents()).toEqual({ views: 2, visits: 1, buys: 0 });
    await ok('POST', 'events', { events: [event('view', 'd', start + hour)] });
    await runUntilIdle({ now: later + hour });
    expect(await lateEvents()).toEqual({ views: 3, visits: 1, buys: 0 });
  });
});

describe('a late exposure', () => {
  test('reloads its day and all later ones, for all metrics', async () => {
    const { id, groups } = await loadedExperiment();
    const late = { kind: 'experiment', id, unitType: 'userID', group: groups[0].id };
    await ok('POST', 'exposures', {
      exposures: [{ ...late, unit: 'e', time: start + day + hour }],
    });
    const days = new Set((await planned(later)).map((one) => one.split(' ').at(-1)));
    expect([...days].sort()).toEqual(['1', '2']);
    await runUntilIdle({ now: later });
    const { results } = await env.DB.prepare(
      `select ds, sum(cumulative) as units from analysis_exposures where dimension = '' group by ds order by ds`,
    ).all<{ ds: number; units: number }>();
    expect(results.map(({ units }) => units).slice(0, 3)).toEqual([4, 5, 5]);
  });

  test('at an earlier time of a known unit reloads its days', async () => {
    const { id, groups } = await loadedExperiment();
    await ok('POST', 'exposures', {
      exposures: [
        {
          ...{ kind: 'experiment', id, unitType: 'userID', unit: 'a' },
          ...{ group: groups[0].id, time: start + 60_000 },
        },
      ],
    });
    const days = new Set((await planned(later)).map((one) => one.split(' ').at(-1)));
    expect([...days].sort()).toEqual(['0', '1', '2']);
  });
});

describe('a changed entity', () => {
  test('with another definition reloads its metric for all days', async () => {
    await loadedExperiment();
    const wanted = { warehouseNative: { cupedAttributionWindow: 3 } };
    await ok('POST', 'metrics/buys::event_count_custom', wanted);
    expect(await planned(later)).toEqual(
      [0, 1, 2].map((ds) => `buys::event_count_custom -1 ${ds}`),
    );
  });

  test('with another description reloads nothing', async () => {
    await loadedExperiment();
    await ok('POST', 'metrics/buys::event_count_custom', { description: 'All purchases.' });
    await ok('PATCH', 'experiments/late', { description: 'Another.' });
    const now = afterDay('2026-03-10') + 60_000;
    await runUntilIdle({ now });
    const { results } = await env.DB.prepare(
      'select startDs from analysis_loads where createdTime = ?',
    )
      .bind(now)
      .all();
    expect(results).toEqual([]);
  });

  test('with a further metric has no numbers of it before they are loaded', async () => {
    const { groups } = await loadedExperiment();
    const path = `experiments/late/pulse_results?control=${groups[0].id}&test=${groups[1].id}`;
    await ok('POST', 'metrics', metric('scrolls', 'scroll'));
    await ok('PATCH', 'experiments/late', {
      secondaryMetrics: [{ name: 'scrolls', type: 'event_count_custom' }],
    });
    await planned(afterDay('2026-03-10') + 60_000);
    const { secondaryMetrics, otherMetrics } = await ok('GET', path);
    expect(secondaryMetrics).toMatchObject([
      { reason: 'not_loaded', testUnits: null, controlUnits: null, skippedEvents: null },
    ]);
    expect(otherMetrics).toMatchObject([
      { reason: 'baseline_near_zero', testUnits: 2, controlUnits: 2 },
    ]);
    await runUntilIdle({ now: afterDay('2026-03-10') + 60_000 });
    expect((await ok('GET', path)).secondaryMetrics).toMatchObject([{ testUnits: 2 }]);

    const weekly = await ok('GET', `${path}&rollup=7`);
    const reasonDetail = 'Only primary and secondary metrics have results of 1 and 7 days.';
    expect(weekly.otherMetrics).toMatchObject([
      { reason: 'not_computable', reasonDetail, testUnits: null },
    ]);
    const query = `control=${groups[0].id}&test=${groups[1].id}&view=daily`;
    expect(
      await ok('GET', `experiments/late/pulse_series?${query}&metricID=buys::event_count_custom`),
    ).toMatchObject({ reason: 'not_computable', reasonDetail, points: [] });
  });

  test('with another role of a metric has another ETag', async () => {
    const { groups } = await loadedExperiment();
    const path = `experiments/late/pulse_results?control=${groups[0].id}&test=${groups[1].id}`;
    await ok('PATCH', 'experiments/late', {
      otherMetrics: [],
      primaryMetrics: [
        { name: 'views', type: 'event_count_custom' },
        { name: 'visits', type: 'user_warehouse' },
        { name: 'buys', type: 'event_count_custom' },
      ],
    });
    const before = await call('GET', path);
    expect(before.body.data.otherMetrics).toHaveLength(1);
    await runJob({ now: afterDay('2026-03-10') + 60_000, trips: 10 });
    const headers = { 'If-None-Match': before.headers.get('ETag') ?? '' };
    const after = await call('GET', path, { headers });
    expect([after.status, after.body?.data?.otherMetrics]).toEqual([200, []]);
  });

  test('that plans more days than fit into one batch plans all of them', async () => {
    const { id } = await loadedExperiment();
    const more = Array.from({ length: 40 }, (_, index) => `many${index}`);
    for (const name of more) await ok('POST', 'metrics', metric(name, 'view'));
    const listed = more.map((name) => ({ name, type: 'event_count_custom' }));
    await ok('PATCH', `experiments/${id}`, { secondaryMetrics: listed });
    await runUntilIdle({ now: later });
    const first = dayOf('2026-03-08');
    await env.DB.prepare('update analyses set loadedDay = ?, dueDay = ?')
      .bind(first + 299, first + 300)
      .run();
    await ok('PATCH', `experiments/${id}`, { cohortedAnalysisDuration: 3 });
    await runJob({ now: later + 60_000, trips: 12 });
    const count = await env.DB.prepare('select count(*) as n from analysis_runs where ds < ?')
      .bind(first + 300)
      .first<number>('n');
    expect(count).toBeGreaterThan(36_000);
  });

  test('with a further metric fills it in for all days', async () => {
    await loadedExperiment();
    await ok('POST', 'metrics', metric('scrolls', 'scroll'));
    await ok('PATCH', 'experiments/late', {
      otherMetrics: [
        { name: 'buys', type: 'event_count_custom' },
        { name: 'scrolls', type: 'event_count_custom' },
      ],
    });
    expect(await planned(later)).toEqual(
      [0, 1, 2].map((ds) => `scrolls::event_count_custom -1 ${ds}`),
    );
  });

  test('that was reset keeps the results of its earlier start, without new ones', async () => {
    await loadedExperiment();
    await ok('PUT', 'experiments/late/reset');
    await runUntilIdle({ now: afterDay('2026-03-12') });
    const { results } = await env.DB.prepare('select isOpen, loadedDay from analyses').all();
    expect(results).toEqual([{ isOpen: 0, loadedDay: dayOf('2026-03-10') }]);
  });

  test('that was deleted takes its results along', async () => {
    await loadedExperiment();
    await ok('DELETE', 'experiments/late?force=true');
    await runUntilIdle({ now: afterDay('2026-03-12') });
    for (const table of ['analyses', 'analysis_moments', 'analysis_exposures', 'analysis_runs'])
      expect(await env.DB.prepare(`select count(*) as n from ${table}`).first('n'), table).toBe(0);
  });
});

/** Ends the experiment on the third day, and loads until its analysis is closed. */
async function closedExperiment(how: 'stop' | 'make_decision') {
  const { groups } = await loadedExperiment();
  vi.useFakeTimers({ toFake: ['Date'], now: start + 2.5 * day });
  const body = how === 'stop' ? {} : { id: groups[1].id };
  await ok('PUT', `experiments/late/${how}`, { ...body, decisionReason: 'Enough.' });
  vi.useRealTimers();
  await runUntilIdle({ now: closedAt });
  expect(await readAnalyses()).toMatchObject([{ isOpen: 0, loadedDay: dayOf('2026-03-10') }]);
}

const closedAt = afterDay('2026-03-25');

describe('a change after an analysis was closed', () => {
  const further = {
    otherMetrics: ['buys', 'scrolls'].map((name) => ({ name, type: 'event_count_custom' })),
  };

  test('computes another metric and another definition for all loaded days, and closes it again', async () => {
    await closedExperiment('stop');
    await ok('POST', 'metrics', metric('scrolls', 'scroll'));
    await ok('POST', 'events', { events: [event('scroll', 'a', start + day)] });
    await ok('POST', 'metrics/buys::event_count_custom', {
      warehouseNative: { cupedAttributionWindow: 3 },
    });
    await ok('PATCH', 'experiments/late', further);
    const now = closedAt + 60_000;
    expect(await planned(now)).toEqual(
      ['buys', 'scrolls'].flatMap((name) =>
        [0, 1, 2].map((ds) => `${name}::event_count_custom -1 ${ds}`),
      ),
    );
    expect(await readAnalyses()).toMatchObject([{ isOpen: 1, loadedDay: dayOf('2026-03-10') }]);
    await runUntilIdle({ now });
    expect(await totals('scrolls::event_count_custom', '2026-03-08')).toBe(0);
    expect(await totals('scrolls::event_count_custom', '2026-03-10')).toBe(1);
    await runUntilIdle({ now: now + hour });
    expect(await readAnalyses()).toMatchObject([
      { isOpen: 0, loadedDay: dayOf('2026-03-10'), dueDay: dayOf('2026-03-11') },
    ]);
  });

  test.each(['stop', 'make_decision'] as const)(
    'that computes nothing leaves it as it is after %s',
    async (how) => {
      await closedExperiment(how);
      const before = await readAnalyses();
      await ok('PATCH', 'experiments/late', { description: 'Another.' });
      await runUntilIdle({ now: closedAt + 60_000 });
      expect(await readAnalyses()).toEqual(before);
    },
  );
});

describe('another end of the analysis during a run', () => {
  const daysIn = (list: readonly string[]) =>
    [...new Set(list.map((one) => one.split(' ').at(-1)))].sort();
  const shown = async ({ groups }: { groups: { id: string }[] }) => {
    const query = `control=${groups[0]?.id}&test=${groups[1]?.id}`;
    const views = `metricID=views%3A%3Aevent_count_custom`;
    const { ds } = await ok('GET', `experiments/late/pulse_results?${query}`);
    const { points } = await ok('GET', `experiments/late/pulse_series?${query}&${views}`);
    return { ds, points: points.map((point: { ds: string }) => point.ds.slice(-2)).join(' ') };
  };
  const viewsEachDay = () =>
    ok('POST', 'events', {
      events: [0, 1, 2].flatMap((at) =>
        [6, 18].map((hours) => event('view', 'a', start + at * day + hours * hour)),
      ),
    });

  test('hides the days after it, and computes its last day for the time before it', async () => {
    await viewsEachDay();
    const loaded = await loadedExperiment();
    expect(await totals('views::event_count_custom', '2026-03-09')).toBe(5);
    await ok('PATCH', 'experiments/late', { analysisEndTime: '2026-03-09T12:00:00Z' });
    expect(daysIn(await planned(later))).toEqual(['1']);
    expect(await readAnalyses()).toMatchObject([
      { loadedDay: dayOf('2026-03-09'), dueDay: dayOf('2026-03-10') },
    ]);
    await runUntilIdle({ now: later });
    expect(await shown(loaded)).toEqual({ ds: '2026-03-09', points: '08 09' });
    expect(await totals('views::event_count_custom', '2026-03-09')).toBe(4);
    const unfinished = 'select count(*) as n from analysis_loads where finishedTime is null';
    expect(await env.DB.prepare(unfinished).first('n')).toBe(0);
  });

  test('that is later computes the last day again, and the days up to it', async () => {
    await viewsEachDay();
    const loaded = await loadedExperiment();
    await ok('PATCH', 'experiments/late', { analysisEndTime: '2026-03-09T12:00:00Z' });
    await runUntilIdle({ now: closedAt });
    expect(await readAnalyses()).toMatchObject([{ isOpen: 0 }]);
    await ok('PATCH', 'experiments/late', { analysisEndTime: null, fixedAnalysisDuration: 3 });
    await runUntilIdle({ now: closedAt + 60_000 });
    expect(await shown(loaded)).toEqual({ ds: '2026-03-10', points: '08 09 10' });
    expect(await totals('views::event_count_custom', '2026-03-09')).toBe(5);
    expect(await totals('views::event_count_custom', '2026-03-10')).toBe(7);
  });

  test('before the start hides all days', async () => {
    const loaded = await loadedExperiment();
    await ok('PATCH', 'experiments/late', { analysisEndTime: '2026-03-07T12:00:00Z' });
    await runUntilIdle({ now: later });
    expect(await shown(loaded)).toEqual({ ds: null, points: '' });
    expect(await readAnalyses()).toMatchObject([{ loadedDay: null, dueDay: dayOf('2026-03-08') }]);
  });

  test('removes the planned days after it', async () => {
    await loadedExperiment();
    const now = afterDay('2026-03-11');
    const isPlanned = () =>
      env.DB.prepare('select 1 as found from analysis_runs where ds = ?')
        .bind(dayOf('2026-03-11'))
        .first('found');
    for (let runs = 0; runs < 40 && !(await isPlanned()); runs++)
      await runJob({ now, chunkSize: 1, trips: 10 });
    expect(await isPlanned()).toBe(1);
    await ok('PATCH', 'experiments/late', { fixedAnalysisDuration: 2 });
    await runUntilIdle({ now: now + 60_000 });
    expect(await readAnalyses()).toMatchObject([
      { loadedDay: dayOf('2026-03-09'), dueDay: dayOf('2026-03-10') },
    ]);
  });
});
