import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { dayScope } from '../../src/analysis/base/scope.ts';
import { readerOf } from '../../src/analysis/day/reading.ts';
import { planMetric } from '../../src/analysis/plan/metric.ts';
import { loadMoments } from '../../src/analysis/read/moments.ts';
import { readUnits } from '../../src/analysis/sql/statements.ts';
import { readAnalysis } from '../../src/analysis/work/day_tasks.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { ok } from '../support/client.ts';
import { runJob, runUntilIdle } from './end_to_end.ts';

const start = Date.parse('2026-03-08T00:00:00Z');
const day = 86_400_000;

/** A tenth of the size for which the bounds are given, so that the rows to expect are a tenth too. */
const size = { events: 100_000, units: 10_000, exposed: 6000 };

const names = ['a_event', 'b_event', 'c_event', 'd_event'];
const key = { kind: 'experiment' as const, id: 'large', start };

/** Adds events of 30 days around the start, and exposures in the week after it. */
async function fill() {
  const numbers = (count: number) =>
    `with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1})`;
  await env.DB.batch([
    env.DB.prepare(`insert into event_units (unitType, unitID, name, timestamp, seq, number)
      ${numbers(size.events)} select 'userid', 'u' || (i * 7919 % ${size.units}),
      char(97 + i / 3 % 4) || '_event', ${start - 7 * day} + i * 104729 % ${30 * day}, i + 1, i % 50 from n`),
    env.DB.prepare(`insert into exposures (kind, id, start, unitType, unit, "group", firstTime, draw, attributes)
      ${numbers(size.exposed)} select 'experiment', 'large', ${start}, 'userid', 'u' || i, iif(i % 2 = 0, 'control', 'test'),
      ${start} + i * 7919 % ${7 * day}, 0, '{}' from n`),
  ]);
}

const metricOf = (name: string) => ({
  ...{ name: name.replace('_event', '_sum'), type: 'sum' },
  metricEvents: [{ name, type: 'value' }],
});

beforeAll(async () => {
  for (const name of names) await ok('POST', 'metrics', metricOf(name));
  const metrics = names.map((name) => ({ name: metricOf(name).name, type: 'sum' }));
  await ok('POST', 'experiments', {
    ...{ name: 'Large', id: 'large', otherMetrics: metrics },
    groups: [
      { name: 'Control', id: 'control', size: 50 },
      { name: 'Test', id: 'test', size: 50 },
    ],
  });
  await ok('PUT', 'experiments/large/start', { startTime: start });
  await fill();
});

async function costOf(work: (db: ReturnType<typeof openDatabase>) => Promise<unknown>) {
  const db = openDatabase(env.DB, 'first-primary');
  await work(db);
  return db.meter;
}

async function statementFor(
  metrics: readonly string[],
  chunk: { after: string; size: number },
  uploaded: string[] = [],
) {
  const [[analysis]] = await openDatabase(env.DB, 'first-primary').batch(readAnalysis(key));
  if (!analysis) throw new Error('no analysis');
  const scope = dayScope(analysis, start / day + 13);
  const plans = await Promise.all(
    metrics.map(async (name) =>
      planMetric(await ok('GET', `metrics/${metricOf(name).name}::sum`), {
        ...{ unitType: 'userid', dimensions: [], cohortDays: null, waitsForCohort: false },
        ...{ find: () => undefined, uploaded },
      }),
    ),
  );
  const columns = plans.flatMap((plan) =>
    'type' in plan && plan.type === 'units' ? readerOf(plan, scope, -1).columns : [],
  );
  return readUnits(scope, chunk, columns);
}

describe('the rows that an analysis reads', () => {
  test('are 4 for each unit in a pass of one sum with its past', async () => {
    const statement = await statementFor(names.slice(0, 1), { after: '', size: 10_000 });
    const { rowsRead } = await costOf((db) => db.batch(statement));
    expect(rowsRead).toBe(22_548);
  });

  test('are 12 for each unit in a statement of four sums with their pasts', async () => {
    const statement = await statementFor(names, { after: '', size: 1000 });
    const { rowsRead } = await costOf((db) => db.batch(statement));
    expect(rowsRead).toBe(12_032);
  });

  test('are the uploaded days of each unit, and one more, but no events', async () => {
    const days = 4;
    await env.DB.prepare(`insert into unit_values (metricName, metricType, unitType, unit, ds, value)
      with recursive n(i) as (select 0 union all select i + 1 from n where i < ${days * size.exposed - 1})
      select 'a_sum', 'sum', 'userid', 'u' || (i % ${size.exposed}), ${start / day - 2} + i / ${size.exposed}, 1 from n`).run();
    const rowsOf = async (names: string[], uploaded: string[]) => {
      const statement = await statementFor(names, { after: '', size: 10_000 }, uploaded);
      return (await costOf((db) => db.batch(statement))).rowsRead;
    };
    const ofValues = (await rowsOf(['a_event'], ['a_sum::sum'])) - (await rowsOf([], []));
    // Each unit is followed by another one, but the last.
    expect(ofValues).toBe((days + 1) * size.exposed - 1);
  });

  test('are few for a run with nothing new', async () => {
    const now = start + 2 * day + 7_200_000;
    await runUntilIdle({ now });
    const { rowsRead, rowsWritten, trips } = await runJob({ now });
    expect({ rowsRead, rowsWritten, trips }).toEqual({ rowsRead: 7, rowsWritten: 0, trips: 2 });
  });

  test('are those of the results when results are read', async () => {
    const wanted = {
      ...{ ...key, metrics: names.map((name) => `${metricOf(name).name}::sum`) },
      ...{ rollup: -1, from: start / day + 1, to: start / day + 1, dimension: '' },
    };
    const db = openDatabase(env.DB, 'first-primary');
    const { analysis, moments, exposures } = await loadMoments(db, wanted);
    expect(analysis?.id).toBe('large');
    expect([moments.length, exposures.length]).toEqual([8, 2]);
    expect(db.meter.trips).toBe(1);
    expect(db.meter.rowsRead).toBe(24);
  });

  test('are at most two more for each open analysis in a run with nothing new', async () => {
    const now = start + 2 * day + 7_200_000;
    const before = await runJob({ now });
    for (const id of ['second', 'third', 'fourth']) {
      await ok('POST', 'experiments', { name: id, id });
      await ok('PUT', `experiments/${id}/start`, { startTime: start });
    }
    await runUntilIdle({ now });
    const after = await runJob({ now });
    expect([before.rowsRead, after.rowsRead]).toEqual([7, 10]);
  });
});
