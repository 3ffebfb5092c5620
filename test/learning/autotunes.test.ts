import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { nothingCounted } from '../../src/experiments/autotune_runs/table.ts';
import { readTrials } from '../../src/results/learning/trials.ts';
import { jobs } from '../../src/scheduled/jobs.ts';
import { runJobs } from '../../src/scheduled/run.ts';
import { call, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { withBatches } from '../support/faults.ts';
import {
  hour,
  learnAt,
  learned,
  report,
  setClock,
  start,
  startAutotune,
  units,
  weightsOf,
} from './support.ts';

const job = jobs.filter(({ name }) => name === 'autotunes');

const rows = async (sql: string) => (await env.DB.prepare(sql).all()).results;

beforeEach(emptyDatabase);

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('trials', () => {
  test('are first exposures to a variant whose attribution window is over', async () => {
    const id = await startAutotune();
    await report(id, [
      { unit: 'early', group: 'control', at: 0, successes: [0] },
      { unit: 'early', group: 'test', at: 5000 },
      { unit: 'edge', group: 'control', at: hour, successes: [] },
      { unit: 'young', group: 'control', at: hour + 1, successes: [1] },
    ]);
    await learnAt(2);
    const [found] = await learned(id);
    expect(found?.hour).toBe(2);
    expect(found?.variants).toMatchObject([
      { name: 'control', units: 2, successes: 1 },
      { name: 'test', units: 1, successes: 0 },
    ]);
  });

  test('succeed by an event within the window, the end excluded', async () => {
    const id = await startAutotune();
    await report(id, [
      { unit: 'before', group: 'test', at: 5, successes: [-1] },
      { unit: 'first', group: 'test', at: 5, successes: [0, 10] },
      { unit: 'last', group: 'test', at: 5, successes: [hour - 1] },
      { unit: 'late', group: 'test', at: 5, successes: [hour] },
    ]);
    await learnAt(3);
    expect((await learned(id))[0]?.variants[1]).toMatchObject({ units: 4, successes: 2 });
  });

  test('need the success value if there is one', async () => {
    const id = await startAutotune({ successEventValue: 'gold' });
    await report(id, [
      { unit: 'a', group: 'test', at: 5, successes: [1], value: 'gold' },
      { unit: 'b', group: 'test', at: 5, successes: [1], value: 'silver' },
    ]);
    await learnAt(3);
    expect((await learned(id))[0]?.variants[1]).toMatchObject({ units: 2, successes: 1 });
  });

  test('have the window of the unit of time that is set', async () => {
    const id = await startAutotune({ attributionWindow: '2', attributionWindowUnit: 'min' });
    await report(id, [
      { unit: 'a', group: 'test', at: 0, successes: [119_999] },
      { unit: 'b', group: 'test', at: 0, successes: [120_000] },
    ]);
    await learnAt(1);
    expect((await learned(id))[0]?.variants[1]).toMatchObject({ units: 2, successes: 1 });
  });

  test.each([
    ['the value of the event', {}, 'value'],
    ['a metadata field', { metadataField: 'price' }, 'price'],
    ['the column of values', { valueColumn: 'price' }, 'price'],
  ])('sum %s of a unit', async (_, settings, key) => {
    const id = await startAutotune({ optimizationParameter: 'value', ...settings });
    const valued = (number: number) =>
      key === 'value' ? { value: number } : { metadata: { price: number } };
    await report(id, [
      { unit: 'a', group: 'control', at: 0, successes: [1, 2], ...valued(1.5) },
      { unit: 'b', group: 'control', at: 0 },
      { unit: 'c', group: 'control', at: 0, successes: [1], ...valued(6) },
      { unit: 'd', group: 'test', at: 0, successes: [1], ...valued(-2) },
    ]);
    await learnAt(2);
    expect((await learned(id))[0]?.variants).toMatchObject([
      { units: 3, successes: 2, mean: 3, squares: 18, probabilityOfBest: null, allocation: 50 },
      { units: 1, successes: 1, mean: -2, squares: 0 },
    ]);
  });

  test('are the same in chunks of any size, and when each run is killed after each statement', async () => {
    const trials = [...units('control', 40, 9), ...units('test', 35, 20)];
    const settings = { explorationWindow: '1hr', optimizationParameter: 'value' };
    const id = await startAutotune(settings);
    const valued = trials.map((trial, index) => ({ ...trial, value: index % 7 }));
    await report(id, valued);
    await learnAt(2);
    const [whole] = await learned(id);
    for (const [hours, chunkSize] of [
      [3, 1],
      [4, 7],
      [5, 75],
    ] as const) {
      await learnAt(hours, { chunkSize });
      const [last] = (await learned(id)).slice(-1);
      expect(last?.hour).toBe(hours);
      for (const [place, variant] of (last?.variants ?? []).entries()) {
        expect(variant).toMatchObject({ units: whole?.variants[place].units });
        expect(variant.mean).toBeCloseTo(whole?.variants[place].mean, 12);
        expect(variant.squares).toBeCloseTo(whole?.variants[place].squares, 10);
      }
    }
    vi.spyOn(console, 'error').mockReturnValue();
    for (let kills = 0; (await learned(id)).length < 5; kills++) {
      expect(kills).toBeLessThan(100);
      let batches = 0;
      const lasting = 1 + (kills % 5);
      const d1 = withBatches(env.DB, async (session, statements) => {
        if (batches++ >= lasting) throw new Error('killed');
        return session.batch<never>(statements);
      });
      await learnAt(6, { chunkSize: 20, d1 }).catch(() => undefined);
    }
    const [last] = (await learned(id)).slice(-1);
    expect(last?.hour).toBe(6);
    expect(last?.variants.map((one: { units: number }) => one.units)).toEqual([40, 35]);
  });

  test('are found by keys: no statement scans events or their units', async () => {
    const id = await startAutotune({
      successEventValue: 'x',
      metadataField: 'price',
      optimizationParameter: 'value',
    });
    await report(id, units('test', 3, 1));
    const autotune = await ok('GET', `autotunes/${id}`);
    const place = { hour: start / hour + 2, chunkSize: 10 };
    const { sql, params } = readTrials(autotune, start, nothingCounted, place);
    const explained = env.DB.prepare(`explain query plan ${sql}`).bind(...params);
    const { results } = await explained.all<{ detail: string }>();
    const details = results.map(({ detail }) => detail);
    expect(details.filter((detail) => /SCAN (e|v|exposures)\b/.test(detail))).toEqual([]);
    expect(details).toContainEqual(
      'SEARCH e USING PRIMARY KEY (unitType=? AND unitID=? AND name=? AND timestamp>? AND timestamp<?)',
    );
  });
});

describe('shares', () => {
  test('are equal during exploration, whatever the sizes are', async () => {
    const variants = [
      { name: 'control', size: 80 },
      { name: 'test', size: 20 },
    ];
    const id = await startAutotune({ variants });
    await report(id, [...units('control', 150, 5), ...units('test', 150, 90)]);
    await learnAt(2);
    expect(await weightsOf(id)).toEqual([50, 50]);
    expect((await learned(id))[0]?.variants[1].probabilityOfBest).toBeGreaterThan(0.999);
    expect(await ok('GET', `autotunes/${id}`)).toMatchObject({ status: 'active', version: 3 });
  });

  test('explore only a part of the traffic if a rate is set, and give the rest to the best so far', async () => {
    const id = await startAutotune({ explorationWindowRate: 0.4 });
    await report(id, [...units('control', 50, 5), ...units('test', 50, 20)]);
    await learnAt(2);
    expect(await weightsOf(id)).toEqual([20, 80]);
  });

  test('follow the probability of being best after exploration, above the floor', async () => {
    const id = await startAutotune({
      explorationWindow: '1hr',
      longtermExplorationAllocation: 0.2,
    });
    await report(id, [...units('control', 40, 10), ...units('test', 40, 12)]);
    await learnAt(2);
    const [{ variants } = { variants: [] }] = await learned(id);
    const [p] = variants.map((one: { probabilityOfBest: number }) => one.probabilityOfBest);
    expect(p).toBeGreaterThan(0.2);
    const weights = await weightsOf(id);
    const [control = 0, other = 0] = weights ?? [];
    expect(control).toBeCloseTo(100 * (0.1 + 0.8 * p), 2);
    expect(control + other).toBe(100);
    expect(variants.map((one: { allocation: number }) => one.allocation)).toEqual(weights);
  });

  test('prefer the smallest rate if lower is better', async () => {
    const id = await startAutotune({ explorationWindow: '1hr', higherIsBetter: false });
    await report(id, [...units('control', 60, 5), ...units('test', 60, 50)]);
    await learnAt(2);
    expect((await weightsOf(id))?.[0]).toBeGreaterThan(99);
  });

  test('make no version for a change below one percentage point', async () => {
    const id = await startAutotune({ explorationWindow: '1hr' });
    await learnAt(2);
    expect(await weightsOf(id)).toBeUndefined();
    await report(id, [...units('control', 10, 5), ...units('test', 10, 5)]);
    await learnAt(4);
    expect(await learned(id)).toHaveLength(2);
    expect(await ok('GET', `autotunes/${id}`)).toMatchObject({ version: 2 });
  });

  test('are not in responses, and end with a reset', async () => {
    const id = await startAutotune({ explorationWindowRate: 0.4 });
    await report(id, [...units('control', 50, 5), ...units('test', 50, 20)]);
    await learnAt(2);
    expect(await ok('GET', `autotunes/${id}`)).not.toHaveProperty('weights');
    await ok('PUT', `autotunes/${id}/reset`);
    expect(await weightsOf(id)).toBeUndefined();
    expect(await rows('select * from autotune_runs')).toEqual([]);
  });
});

describe('a decision', () => {
  const clear = [...units('control', 100, 5), ...units('test', 100, 60)];

  test('is made by the scheduler for a clear winner, with its reason, when exploration is over', async () => {
    const id = await startAutotune({ explorationWindow: '24hr' });
    await report(id, clear);
    await learnAt(23);
    expect(await ok('GET', `autotunes/${id}`)).toMatchObject({ status: 'active' });
    await learnAt(24);
    expect(await ok('GET', `autotunes/${id}`)).toMatchObject({
      status: 'decision_made',
      decidedVariant: 'test',
      decisionReason:
        'Best with a probability of 100.0% after 100 units; the winner threshold is 95%.',
      lastModifierName: 'Scheduler',
    });
    expect(await rows('select * from autotune_runs')).toEqual([]);
  });

  test('waits for 100 units of each variant', async () => {
    const id = await startAutotune({ explorationWindow: '1hr' });
    await report(id, clear.slice(1));
    await learnAt(2);
    expect(await ok('GET', `autotunes/${id}`)).toMatchObject({ status: 'active' });
  });
});

describe('the job', () => {
  test('learns nothing twice in overlapping runs, and nothing more within the hour', async () => {
    const id = await startAutotune({ explorationWindowRate: 0.4 });
    await report(id, [...units('control', 50, 5), ...units('test', 50, 20)]);
    setClock(start + 2 * hour + 1000);
    vi.spyOn(console, 'info').mockReturnValue();
    await Promise.all([1, 2, 3].map(() => runJobs(job, env)));
    await runJobs(job, env);
    expect(await learned(id)).toHaveLength(1);
    expect(await ok('GET', `autotunes/${id}`)).toMatchObject({ version: 3 });
  });

  test('stores an hour once if two workers count it side by side', async () => {
    const id = await startAutotune({ explorationWindowRate: 0.4 });
    await report(id, [...units('control', 50, 5), ...units('test', 50, 20)]);
    vi.spyOn(console, 'error').mockReturnValue();
    await Promise.all([learnAt(2, { chunkSize: 30 }), learnAt(2, { chunkSize: 30 })]);
    const found = await learned(id);
    expect(found).toHaveLength(1);
    expect(found[0]?.variants).toMatchObject([
      { units: 50, successes: 5 },
      { units: 50, successes: 20 },
    ]);
    expect(await ok('GET', `autotunes/${id}`)).toMatchObject({ version: 3 });
  });

  test('removes what was learned with the autotune, and keeps it through a reset', async () => {
    const id = await startAutotune();
    await learnAt(2);
    await ok('PUT', `autotunes/${id}/reset`);
    expect(await learned(id)).toHaveLength(1);
    await ok('DELETE', `autotunes/${id}`);
    expect(await learned(id)).toEqual([]);
    expect((await call('GET', `autotunes/${id}`)).status).toBe(404);
  });

  test('reads nine rows for each exposure at most, and writes three rows', async () => {
    const id = await startAutotune();
    await report(id, [...units('control', 500, 100), ...units('test', 500, 100)]);
    const { trips, rowsRead, rowsWritten } = await learnAt(2);
    expect({ trips, rowsRead, rowsWritten }).toEqual({ trips: 9, rowsRead: 9018, rowsWritten: 3 });
    expect(await learned(id)).toHaveLength(1);
  });
});
