import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { analysesOfHoldout } from '../../src/analysis/schedule/designs.ts';
import { analysisDraw } from '../../src/data/exposures/table.ts';
import { optionsOf } from '../../src/results/base/options.ts';
import { settingOf } from '../../src/results/scorecard/experiment_results.ts';
import { call, costOf, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { makeGate, makeHoldout, makeMetric } from '../support/factories.ts';
import { dayLength, load, loadAt, setClock, start, units } from './uneven.ts';

/** The units of the larger group that count. */
const cutOf = (kind: string, id: string) =>
  units.filter(({ unit, isSmall }) => !isSmall && analysisDraw(kind, id, unit) < 10_000 / 9).length;

beforeEach(async () => {
  await emptyDatabase();
  setClock(start);
});
afterEach(() => {
  vi.useRealTimers();
});

describe('lifts', () => {
  test('have no start before the exposures of a holdout are analyzed', async () => {
    const { id } = await makeHoldout({ passPercentage: 10 });
    expect(await ok('GET', `holdouts/${id}/pulse_results`)).toEqual({
      ds: null,
      startTime: null,
      monitoringMetrics: [],
    });
  });

  test('of a measured rule compare groups of equal size, imported exposures too', async () => {
    const { name, type } = await makeMetric();
    const { id } = await makeGate({
      measureMetricLifts: true,
      monitoringMetrics: [{ name, type }],
      rules: [{ id: 'r1', name: 'R', passPercentage: 10, conditions: [{ type: 'public' }] }],
    });
    await load('gate', id, { small: 'r1:on', large: 'r1:off' });
    const answer = await call('GET', `gates/${id}/rules/r1/pulse_results`);
    const { ds, startTime, monitoringMetrics } = answer.body.data;
    expect([ds, startTime]).toEqual(['2026-01-06', start]);
    const kept = cutOf('gate', id);
    expect(kept).toBeGreaterThan(60);
    expect(kept).toBeLessThan(140);
    expect(monitoringMetrics).toMatchObject([
      { testUnits: 100, controlUnits: kept, testMean: 1, controlMean: 1 },
    ]);
    const { trips, read } = costOf(answer);
    expect(trips).toBe(1);
    expect(read).toBeLessThanOrEqual(3 * 2 + 50);
  });

  test('behind a holdout compare all others with as many held-back units', async () => {
    const { name, type } = await makeMetric();
    const { id } = await makeHoldout({
      passPercentage: 10,
      monitoringMetrics: [{ name, type }],
    });
    await load('holdout', id, { small: 'true', large: 'false' });
    const answer = await call('GET', `holdouts/${id}/pulse_results`);
    expect(answer.body.data.monitoringMetrics).toMatchObject([
      { controlUnits: 100, testUnits: cutOf('holdout', id) },
    ]);
    expect(costOf(answer).trips).toBe(1);
    expect(costOf(answer).read).toBeLessThanOrEqual(3 * 2 + 50);
  });

  test('are projected from the units that count, a tenth of all in a group of nine tenths', async () => {
    const [analysis] = analysesOfHoldout(await makeHoldout({ passPercentage: 10 }));
    if (!analysis) throw new Error('There is no analysis.');
    const place = { ds: 20_458, rollup: -1, test: 'false' };
    const { testShare } = settingOf({ allocation: 100 }, analysis, optionsOf({}), place);
    expect(testShare).toBeCloseTo(0.1, 12);
  });

  test('of a rule are those of its latest phase, and earlier ones stay readable by their start', async () => {
    const { name, type } = await makeMetric();
    const { id } = await makeGate({
      measureMetricLifts: true,
      monitoringMetrics: [{ name, type }],
      rules: [{ id: 'r1', name: 'R', passPercentage: 10, conditions: [{ type: 'public' }] }],
    });
    await load('gate', id, { small: 'r1:on', large: 'r1:off' });
    const path = `gates/${id}/rules/r1/pulse_results`;
    const { monitoringMetrics: before } = await ok('GET', path);
    const now = start + 3 * dayLength;
    setClock(now);
    await ok('PATCH', `gates/${id}/rules/r1`, { passPercentage: 50 });
    await ok('POST', 'exposures', {
      exposures: units.slice(0, 40).map(({ unit }, index) => ({
        ...{ kind: 'gate' as const, id, unitType: 'userID', unit, time: now },
        group: index % 2 === 0 ? 'r1:on' : 'r1:off',
      })),
    });
    await loadAt(now + dayLength + 7_200_000);
    const { ds, monitoringMetrics } = await ok('GET', path);
    expect(ds).toBe('2026-01-08');
    expect(monitoringMetrics).toMatchObject([{ testUnits: 20, controlUnits: 20 }]);
    const earlier = await ok('GET', `${path}?start=${start}&date=2026-01-06`);
    expect(earlier.monitoringMetrics[0]).toMatchObject({
      testUnits: before[0].testUnits,
      absoluteChange: before[0].absoluteChange,
    });
  });
});
