import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  loadedMoments,
  type SinceExposure,
  type StoredMoments,
} from '../../src/analysis/base/cells.ts';
import { reloadAllDays } from '../../src/analysis/schedule/reload.ts';
import { memberOf } from '../../src/base/value_types.ts';
import type { Moments } from '../../src/engine/statistics/moments.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { failingDatabase } from '../support/faults.ts';
import {
  afterDay,
  dayOf,
  events,
  experiment,
  exposures,
  metrics,
  runJob,
  runUntilIdle,
  sendEvents,
  sendExposures,
  startExperiment,
} from './end_to_end.ts';

const dayCount = Number(env.ANALYSIS_DAYS);
const isLong = dayCount > 3;

const textOf = (time: number) => new Date(time).toISOString().slice(0, 10);
const first = textOf(experiment.startTime);
const last = textOf(experiment.startTime + (dayCount - 1) * 86_400_000);

/** One metric of each kind of statement; all in a long run. */
const some = metrics.filter(
  ({ name }) =>
    isLong ||
    ['revenue', 'participation', 'purchases_per_view', 'checkout', 'load_p90', 'carts'].includes(
      name,
    ),
);

/** Without the present day, whose loads depend on the clock. */
const results = `select metric, rollup, ds, dimension, slice, "group", n, moments, upper, skipped
  from analysis_moments where ds <= ${dayOf(last)} order by metric, rollup, ds, dimension, slice, "group"`;
const exposed = `select * from analysis_exposures where ds <= ${dayOf(last)}
  order by ds, dimension, slice, "group"`;

async function read() {
  const [moments, units] = await env.DB.batch<Record<string, unknown>>([
    env.DB.prepare(results),
    env.DB.prepare(exposed),
  ]);
  return { moments: moments?.results ?? [], exposures: units?.results ?? [] };
}

/** Returns the size of the terms of a moment; its rounding errors are relative to this. */
function sizeOf(name: string, moments: Moments): number {
  const means = { y: moments.meanY, d: moments.meanD, x: moments.meanX, m: moments.meanM };
  const squares = { y: moments.yy, d: moments.dd, x: moments.xx, m: moments.mm };
  const isPart = (part: string): part is keyof typeof means => part in means;
  const parts = [...name].filter(isPart);
  if (name.startsWith('mean') || parts.length !== name.length)
    return Math.abs(Number(memberOf(moments, name)));
  return parts.reduce(
    (size, part) => size * Math.sqrt(squares[part] + moments.n * means[part] ** 2),
    1,
  );
}

/** Compares what a week holds: the moments of units by days since their exposure. */
function expectSameWeek(found: SinceExposure, wanted: SinceExposure, what: string) {
  expect(Object.keys(found).sort(), what).toEqual(Object.keys(wanted).sort());
  for (const [ds, days] of Object.entries(wanted)) {
    expect(found[ds]?.map((day) => day === null)).toEqual(days.map((day) => day === null));
    days.forEach((moments, day) => {
      const own = found[ds]?.[day];
      if (own && moments) expectSameMoments(own, moments, `${what} ${ds} ${day}`);
    });
  }
}

let weeks = 0;

function expectSameMoments(found: StoredMoments, wanted: StoredMoments, what: string) {
  const { percentile, steps, since } = found;
  if (since || wanted.since) {
    weeks++;
    expectSameWeek(since ?? {}, wanted.since ?? {}, what);
  }
  expect({ percentile, steps }, what).toEqual({
    percentile: wanted.percentile,
    steps: wanted.steps,
  });
  const [own, other] = [loadedMoments(found), loadedMoments(wanted)];
  for (const [name, value] of Object.entries(own)) {
    const expectedValue = Number(memberOf(other, name));
    const isClose = Math.abs(value - expectedValue) <= 1e-12 * sizeOf(name, other);
    if (!isClose) expect(value, `${what} ${name}`).toBe(expectedValue);
  }
}

function expectEqual(found: Awaited<ReturnType<typeof read>>, wanted: typeof found) {
  expect(found.exposures).toEqual(wanted.exposures);
  const placeOf = ({ moments: _, ...place }: Record<string, unknown>) => place;
  expect(found.moments.map(placeOf)).toEqual(wanted.moments.map(placeOf));
  found.moments.forEach((row, index) => {
    const other = wanted.moments[index];
    const what = JSON.stringify(placeOf(row));
    expectSameMoments(JSON.parse(String(row.moments)), JSON.parse(String(other?.moments)), what);
  });
}

const until = afterDay(last) - 2 * 3_600_000;
const early = events.filter(({ timestamp }) => timestamp < until);
const exposedEarly = exposures.filter(({ time }) => time < until);

/** Uploads values of one metric for some units, on the days before and after their exposure. */
async function sendValues() {
  const values = exposures.slice(0, 40).map(({ unit }, index) => ({
    ...{ metricName: 'carts', metricType: 'event_count_custom' },
    ...{ unitType: 'userID', unitID: unit, value: index % 7 },
  }));
  for (let ds = -2; ds < dayCount; ds++) {
    const date = textOf(experiment.startTime + ds * 86_400_000);
    await ok('POST', 'metrics/unit_values', { date, values: values.slice(ds + 2) });
  }
}

async function plainResults(ds: string = last) {
  await emptyDatabase();
  await startExperiment(some);
  await sendExposures(exposedEarly);
  await sendEvents(early);
  await sendValues();
  await runUntilIdle({ now: afterDay(ds) });
  return read();
}

const faults = ['lost before commit', 'lost after commit', 'statement'] as const;

let killed = 0;

/** Runs the job with a fault in one of its batches, after the wait of days that failed. */
const killedAt = async (batch: number, fault: (typeof faults)[number]) => {
  await env.DB.prepare('update analysis_runs set plannedTime = min(plannedTime, ?)')
    .bind(afterDay(last))
    .run();
  const d1 = failingDatabase(env.DB, (index, statements) => {
    if (index !== batch) return undefined;
    killed++;
    return fault === 'statement' ? { statement: Math.floor(statements / 2) } : fault;
  });
  return runJob({ now: afterDay(last), d1, chunkSize: 50 });
};

/** Whether all days have been loaded. */
async function isLoaded(): Promise<boolean> {
  const due = await env.DB.prepare('select dueDay from analyses').first('dueDay');
  return Number(due) > dayOf(last);
}

const reloadAll = () =>
  openDatabase(env.DB, 'first-primary').batch(
    reloadAllDays({ kind: 'experiment', id: experiment.id, start: experiment.startTime }),
  );

beforeEach(emptyDatabase);

/** How data arrive: the title, events of a batch, and whether the last come first. */
type Delivery = [title: string, size: number, reversed: boolean];

const usual: Delivery[] = [
  ['in batches of 500 events, in reverse', 500, true],
  ['in batches of 97 events', 97, false],
];

const deliveries: Delivery[] = isLong
  ? [...usual, ['in batches of 7 events, in reverse', 7, true], ['at once, in reverse', 1000, true]]
  : usual;

describe('the results of an analysis', () => {
  test.each(deliveries)(
    'are equal for data that arrive %s with the job after each batch',
    async (_, size, reversed) => {
      const wanted = await plainResults();
      expect(wanted.moments.length).toBeGreaterThan(100);
      await emptyDatabase();
      await startExperiment(some);
      const inOrder = reversed ? exposedEarly.toReversed() : exposedEarly;
      let now = afterDay(last);
      const step = Math.floor(7_200_000 / (inOrder.length / 50 + early.length / size));
      const job = async () => {
        now += step;
        await runJob({ now });
      };
      for (let at = 0; at < inOrder.length; at += 50) {
        await sendExposures(inOrder.slice(at, at + 50));
        await job();
      }
      await sendEvents(reversed ? early.toReversed() : early, size, job);
      await sendValues();
      if (isLong) await reloadAll(); // data that are late by more than a week reload nothing
      now += 3_600_000;
      await runUntilIdle({ now });
      await runUntilIdle({ now: now + 3_600_000 });
      expectEqual(await read(), wanted);
    },
  );

  test.each([
    [1, isLong ? last : first],
    [50, last],
  ])('are equal for chunks of %i units', async (chunkSize, ds) => {
    const wanted = await plainResults(ds);
    await emptyDatabase();
    await startExperiment(some);
    await sendExposures(exposedEarly);
    await sendEvents(early);
    await sendValues();
    await runUntilIdle({ now: afterDay(ds), chunkSize });
    expectEqual(await read(), wanted);
  });

  test('are whole days after a kill at any statement, and equal in the end', async () => {
    const wanted = await plainResults();
    await emptyDatabase();
    await startExperiment(some);
    await sendExposures(exposedEarly);
    await sendEvents(early);
    await sendValues();
    const rowsOf = (moments: Record<string, unknown>[], ds: unknown) =>
      moments.filter((row) => row.ds === ds).length;
    for (let round = 0; !(await isLoaded()); round++) {
      await killedAt(round % 8, faults[round % faults.length] ?? 'lost before commit').then(
        () => {},
        () => {},
      );
      const { moments } = await read();
      for (const ds of new Set(moments.map((row) => row.ds)))
        expect(rowsOf(moments, ds), `rows of ${ds}`).toBe(rowsOf(wanted.moments, ds));
      if (round > 3000) throw new Error('The load does not end.');
    }
    expect(killed).toBeGreaterThan(20);
    await runUntilIdle({ now: afterDay(last), chunkSize: 50 });
    expectEqual(await read(), wanted);
  });

  test('were compared by days since the exposure too', () => {
    expect(weeks).toBeGreaterThan(20);
  });

  test('do not change when a day is loaded twice', async () => {
    const wanted = await plainResults();
    await reloadAll();
    await runUntilIdle({ now: afterDay(last) + 60_000 });
    expect(await read()).toEqual(wanted);
    expect(await ok('GET', `experiments/${experiment.id}`)).toMatchObject({ status: 'active' });
  });
});
