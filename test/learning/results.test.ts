import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { learnedExample } from '../../src/results/learning/example.ts';
import { call, costOf, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { makeAutotune } from '../support/factories.ts';
import { hour, learnAt, report, start, startAutotune, units } from './support.ts';

beforeEach(emptyDatabase);
afterEach(() => {
  vi.useRealTimers();
});

const faultOf = async (path: string) => {
  const { status, body } = await call('GET', path);
  return [status, body.errors?.[0]?.property ?? body.message];
};

describe('the results of an autotune', () => {
  test('are the documented example', async () => {
    const id = await startAutotune();
    await report(id, [...units('control', 120, 30), ...units('test', 120, 45)]);
    await learnAt(2);
    expect(await ok('GET', `autotunes/${id}/results`)).toEqual(learnedExample);
  });

  test('have an interval and a mean of values if values are optimized', async () => {
    const id = await startAutotune({ optimizationParameter: 'value' });
    const valued = [1, 2, 3, 6].map((value, index) => ({
      ...{ unit: `u${index}`, group: 'test', at: 0, successes: [1], value },
    }));
    await report(id, valued);
    await learnAt(2);
    const { variants } = await ok('GET', `autotunes/${id}/results`);
    expect(variants[0]).toMatchObject({ units: 0, rate: null, mean: null, interval: null });
    expect(variants[1]).toMatchObject({ units: 4, successes: 4, rate: 1, mean: 3 });
    const reach = 1.959963984540054 * Math.sqrt(14 / 3 / 4);
    expect(variants[1].interval.lower).toBeCloseTo(3 - reach, 12);
    expect(variants[1].interval.upper).toBeCloseTo(3 + reach, 12);
  });

  test('are empty in the first hour, with the sizes as shares', async () => {
    const id = await startAutotune();
    const results = await ok('GET', `autotunes/${id}/results`);
    expect(results).toMatchObject({ time: null, hours: [], warnings: [] });
    expect(results.variants).toMatchObject([
      { units: 0, allocation: 50, probabilityOfBest: null },
      { units: 0, allocation: 50 },
    ]);
  });

  test('cover the hours of one day, by default of the latest one', async () => {
    const id = await startAutotune();
    for (const hours of [1, 5, 23, 24, 30]) await learnAt(hours);
    const times = async (query: string) =>
      (await ok('GET', `autotunes/${id}/results${query}`)).hours.map(
        ({ time }: { time: number }) => (time - start) / hour,
      );
    expect(await times('?date=2026-01-05')).toEqual([1, 5, 23]);
    expect(await times('')).toEqual([24, 30]);
    expect(await times(`?start=${start}&date=2026-01-06`)).toEqual([24, 30]);
    vi.setSystemTime(start + 80 * hour);
    const later = await ok('GET', `autotunes/${id}/results?start=${start}&date=2026-01-07`);
    expect([later.time, later.hours]).toEqual([start + 30 * hour, []]);
  });

  test('of an earlier run are found by its start', async () => {
    const id = await startAutotune();
    await learnAt(1);
    await ok('PUT', `autotunes/${id}/reset`);
    expect(await faultOf(`autotunes/${id}/results`)).toEqual([
      409,
      `The autotune ${id} has not started.`,
    ]);
    expect((await ok('GET', `autotunes/${id}/results?start=${start}`)).hours).toHaveLength(1);
  });

  test('name settings that are not used', async () => {
    const id = await startAutotune({ isContextual: true, featureList: ['country'] });
    expect((await ok('GET', `autotunes/${id}/results`)).warnings).toEqual([
      'not_used: isContextual',
      'not_used: featureList',
    ]);
  });

  test('refuse an unknown autotune or run, and dates without results', async () => {
    const id = await startAutotune();
    const path = `autotunes/${id}/results`;
    expect((await call('GET', 'autotunes/none/results')).status).toBe(404);
    expect((await call('GET', `${path}?start=5`)).status).toBe(404);
    expect((await call('GET', `autotunes/${(await makeAutotune()).id}/results`)).status).toBe(409);
    expect(await faultOf(`${path}?date=2026-01-04`)).toEqual([400, 'date']);
    expect(await faultOf(`${path}?date=2026-01-07`)).toEqual([400, 'date']);
    expect(await faultOf(`${path}?date=x`)).toEqual([400, 'date']);
    expect(await faultOf(`${path}?start=x`)).toEqual([400, 'start']);
    expect(await faultOf(`${path}?other=x`)).toEqual([400, 'other']);
  });

  test('are read in one round trip, a row for each hour', async () => {
    const id = await startAutotune();
    for (const hours of Array.from({ length: 24 }, (_, index) => index + 24)) await learnAt(hours);
    const { trips, read } = costOf(await call('GET', `autotunes/${id}/results`));
    expect(trips).toBe(1);
    expect(read).toBeLessThanOrEqual(3 * 24 + 50);
  });
});
