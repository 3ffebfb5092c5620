import { describe, expect, test } from 'vitest';
import { call, invalidPropertiesOf, ok } from '../support/client.ts';
import {
  makeExperiment,
  makeGate,
  makeHoldout,
  makeKey,
  makeLoadedExperiment,
  makeMetric,
  makeStartedExperiment,
} from '../support/factories.ts';

const pair = 'control=control&test=test';

async function statusAndFaults(path: string) {
  const { status, body } = await call('GET', path);
  return [status, ...(body.errors ?? []).map(({ property }: { property: string }) => property)];
}

describe('a request for results', () => {
  test('is 409 before the start of the experiment', async () => {
    const { id } = await makeExperiment();
    for (const part of [
      `pulse_results?${pair}`,
      `pulse_metric_result?${pair}&metricID=m`,
      `pulse_series?${pair}&metricID=m`,
      `pulse_sparks?${pair}`,
      'exposures',
      'health',
      'cumulative_exposures',
      'pulse_load_history',
    ]) {
      const { status, body } = await call('GET', `experiments/${id}/${part}`);
      expect([status, body.message]).toEqual([409, `The experiment ${id} has not started.`]);
    }
    expect((await call('POST', `experiments/${id}/load_pulse`, { body: {} })).status).toBe(409);
  });

  test('is 404 for an unknown group, metric or run', async () => {
    const { id, metricID } = await makeLoadedExperiment();
    const metric = await makeMetric();
    const of = `experiments/${id}`;
    const unknown = [
      `${of}/pulse_results?control=control&test=other`,
      `${of}/pulse_results?${pair}&start=1000`,
      `${of}/pulse_series?${pair}&metricID=none`,
      `${of}/pulse_metric_result?${pair}&metricID=${encodeURIComponent(metric.id)}`,
      `${of}/pulse_series?control=other&test=test&metricID=${encodeURIComponent(metricID)}`,
    ];
    for (const path of unknown) expect(await statusAndFaults(path), path).toEqual([404]);
  });

  test('is 400 and names a parameter that is out of bounds', async () => {
    const { id, metricID } = await makeLoadedExperiment();
    const of = `experiments/${id}`;
    const metric = `metricID=${encodeURIComponent(metricID)}`;
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const wrong: [path: string, property: string][] = [
      [`${of}/pulse_results?control=test&test=test`, 'test'],
      [`${of}/pulse_results?test=test`, 'control'],
      [`${of}/pulse_results?${pair}&confidence=100`, 'confidence'],
      [`${of}/pulse_results?${pair}&confidence=0`, 'confidence'],
      [`${of}/pulse_results?${pair}&confidence=1e1`, 'confidence'],
      [
        `${of}/pulse_results?${pair}&bonferroniPrimaryMetricWeight=1.1`,
        'bonferroniPrimaryMetricWeight',
      ],
      [`${of}/pulse_results?${pair}&cuped=yes`, 'cuped'],
      [`${of}/pulse_results?${pair}&date=2020-01-01`, 'date'],
      [`${of}/pulse_results?${pair}&date=${tomorrow}`, 'date'],
      [`${of}/pulse_results?${pair}&date=2026-02-30`, 'date'],
      [`${of}/pulse_results?${pair}&rollup=2`, 'rollup'],
      [`${of}/pulse_results?${pair}&unknown=1`, 'unknown'],
      [`${of}/pulse_results?${pair}&start=1e300`, 'start'],
      [`${of}/pulse_series?${pair}&${metric}&view=weekly`, 'view'],
      [`${of}/pulse_series?${pair}&${metric}&startDate=2020-01-01`, 'startDate'],
      [`${of}/pulse_series?${pair}&${metric}&startDate=2026-02-02&endDate=2026-02-01`, 'endDate'],
      [`${of}/pulse_metric_result?${pair}&${metric}&dimension=age`, 'dimension'],
      [`${of}/pulse_metric_result?${pair}&${metric}&dimension=country&rollup=7`, 'rollup'],
      [`${of}/cumulative_exposures?dimension=age`, 'dimension'],
      [`${of}/cumulative_exposures?page=2`, 'page'],
      [`${of}/pulse_sparks?control=test&test=test`, 'test'],
      [`${of}/pulse_series?control=test&test=test&${metric}`, 'test'],
      [`${of}/pulse_metric_result?control=test&test=test&${metric}`, 'test'],
      [`${of}/health?date=2026-01-01`, 'date'],
      [`${of}/exposures?limit=1`, 'limit'],
      [`${of}/pulse_load_history?after=x`, 'after'],
      ['exposure_count?ids=x', 'ids'],
      ['experiments/pulse_summaries?ids=,', 'ids'],
      [`experiments/pulse_summaries?ids=${Array.from({ length: 101 }, (_, n) => n)}`, 'ids'],
    ];
    for (const [path, property] of wrong)
      expect(await statusAndFaults(path), path).toEqual([400, property]);
  });

  test('of a gate or a holdout is 404 for an unknown rule or phase, and 400 out of bounds', async () => {
    const gate = await makeGate({
      measureMetricLifts: true,
      rules: [{ id: 'r1', name: 'R', passPercentage: 10, conditions: [{ type: 'public' }] }],
    });
    const holdout = await makeHoldout({ passPercentage: 10 });
    const paths = [
      `gates/${gate.id}/rules/r1/pulse_results`,
      `holdouts/${holdout.id}/pulse_results`,
    ];
    for (const path of paths) {
      expect(await ok('GET', path)).toEqual({ ds: null, startTime: null, monitoringMetrics: [] });
      expect(await statusAndFaults(`${path}?start=5`), path).toEqual([404]);
      expect(await statusAndFaults(`${path}?confidence=0`)).toEqual([400, 'confidence']);
      expect(await statusAndFaults(`${path}?control=a`)).toEqual([400, 'control']);
      expect(await statusAndFaults(`${path}?date=2026-13-01`)).toEqual([400, 'date']);
    }
    expect(await statusAndFaults(`gates/${gate.id}/rules/r2/pulse_results`)).toEqual([404]);
    const { id } = await makeGate();
    expect((await call('POST', `gates/${id}/load_pulse`, { body: {} })).status).toBe(409);
  });

  test('is 403 for a key without read', async () => {
    const { id } = await makeStartedExperiment();
    const { key } = await makeKey({ scopes: ['write'] });
    for (const part of [`pulse_results?${pair}`, 'health', 'exposures', 'pulse_load_history'])
      expect((await call('GET', `experiments/${id}/${part}`, { key })).status).toBe(403);
    const { key: reader } = await makeKey({ scopes: ['read'] });
    const load = await call('POST', `experiments/${id}/load_pulse`, { key: reader, body: {} });
    expect(load.status).toBe(403);
  });

  test('responds without results before the first load', async () => {
    const { id, groups } = await makeStartedExperiment();
    const query = `control=${groups[0].id}&test=${groups[1].id}`;
    const results = await ok('GET', `experiments/${id}/pulse_results?${query}`);
    expect(results).toMatchObject({ ds: null, loadedTime: null, primaryMetrics: [] });
    expect(await ok('GET', `experiments/${id}/pulse_sparks?${query}`)).toEqual([]);
  });
});

test('a metric that cannot be computed has a reason, and the others have results', async () => {
  const [good, bad] = [
    await makeMetric(),
    await makeMetric({
      metricEvents: [
        {
          ...{ name: 'purchase', type: 'count' },
          criteria: [{ type: 'user_custom', column: 'plan', condition: '=', values: ['pro'] }],
        },
      ],
    }),
  ];
  const { id } = await makeExperiment({
    primaryMetrics: [bad, good].map(({ name, type }) => ({ name, type })),
    groups: ['control', 'test'].map((name) => ({ name, id: name, size: 50 })),
  });
  const start = Date.now() - 86_400_000;
  await ok('PUT', `experiments/${id}/start`, { startTime: start });
  await ok('POST', 'exposures', {
    exposures: ['a', 'b', 'c', 'd'].map((unit, index) => ({
      ...{ kind: 'experiment' as const, id, unitType: 'userID', unit, time: start },
      group: index < 2 ? 'control' : 'test',
    })),
  });
  await ok('POST', 'events', { events: [{ name: 'purchase', userID: 'a' }] });
  await ok('POST', `experiments/${id}/load_pulse`, {});
  const { primaryMetrics } = await ok('GET', `experiments/${id}/pulse_results?${pair}`);
  expect(primaryMetrics).toMatchObject([
    { reason: 'not_computable', reasonDetail: expect.stringContaining('plan'), testMean: null },
    { reason: 'baseline_near_zero', controlMean: 0.5, testMean: 0, pValue: expect.any(Number) },
  ]);
  const path = `experiments/${id}/pulse_series?${pair}&metricID=${encodeURIComponent(bad.id)}`;
  const { points } = await ok('GET', path);
  for (const point of points) expect(point.reason).toBe('not_computable');
});

describe('a load', () => {
  test('is 409 while another one is under way', async () => {
    const { id } = await makeStartedExperiment();
    const start = Date.now() - 40 * 86_400_000;
    await ok('PUT', `experiments/${id}/reset`);
    await ok('PUT', `experiments/${id}/start`, { startTime: start });
    await ok('POST', `experiments/${id}/load_pulse`, { refresh: 'full' });
    const again = await call('POST', `experiments/${id}/load_pulse`, { body: {} });
    expect(again.status).toBe(409);
    const [load] = await ok('GET', `experiments/${id}/pulse_load_history`);
    expect(load).toMatchObject({ reloadType: 'full', finishedTime: null });
  });

  test('is 409 after another one of the same request', async () => {
    const { id } = await makeStartedExperiment();
    const path = `/console/v1/experiments/${id}/load_pulse`;
    const load = (refresh: string) => ({ method: 'POST', path, body: { refresh } });
    const changes = [load('full'), load('incremental')];
    const twice = await call('POST', 'changes', { body: { changes } });
    expect([twice.status, twice.body.message]).toEqual([
      409,
      `changes.1: The results of ${id} are loading; wait for the end.`,
    ]);
    expect(await ok('GET', `experiments/${id}/pulse_load_history`)).toEqual([]);
    await ok('POST', 'changes', { changes: changes.slice(0, 1) });
  });

  test('is 400 for unknown metrics, or metrics without refresh metric', async () => {
    const { id, metricID } = await makeLoadedExperiment();
    const path = `experiments/${id}/load_pulse`;
    expect(await invalidPropertiesOf('POST', path, { refresh: 'metric' })).toEqual(['metricIDs']);
    expect(await invalidPropertiesOf('POST', path, { metricIDs: [metricID] })).toEqual([
      'metricIDs',
    ]);
    const unknown = { refresh: 'metric', metricIDs: [metricID, 'none'] };
    expect(await invalidPropertiesOf('POST', path, unknown)).toEqual(['metricIDs.1']);
    const load = await ok('POST', path, { refresh: 'metric', metricIDs: [metricID] });
    expect(load).toMatchObject({ reloadType: 'metric', turboMode: false });
  });
});

describe('a power analysis', () => {
  test.each([
    [{ relativeEffect: 0.1 }, 'mean'],
    [{ mean: 1, relativeEffect: 0.1 }, 'variance'],
    [{ proportion: 1, relativeEffect: 0.1 }, 'proportion'],
    [{ proportion: 0.1, relativeEffect: 0 }, 'relativeEffect'],
    [{ proportion: 0.1, relativeEffect: 20 }, 'relativeEffect'],
    [{ proportion: 0.1, relativeEffect: 0.1, power: 1 }, 'power'],
    [{ proportion: 0.1, relativeEffect: 0.1, controlShare: 0 }, 'controlShare'],
    [{ proportion: 0.1 }, 'relativeEffect'],
    [{ proportion: 0.1, relativeEffect: 0.1, days: 7 }, 'unitsPerDay'],
    [{ baselineExperimentID: 'x', unitsPerDay: 1 }, 'metricID'],
    [{ mean: 0, variance: 1, unitsPerDay: 1 }, 'mean'],
    [{ mean: 1e308, variance: 1, relativeEffect: 0.1 }, 'mean'],
    [{ mean: 1, variance: 0, relativeEffect: 0.1 }, 'variance'],
    [{ mean: 1, variance: 0, unitsPerDay: 1000 }, 'variance'],
    [{ mean: 1, variance: 1e308, relativeEffect: 0.1 }, 'variance'],
    [{ mean: 1, variance: 1, relativeEffect: 1e-300 }, 'relativeEffect'],
    [{ mean: 1, variance: 1, relativeEffect: 1e-300, sequential: true }, 'relativeEffect'],
    [{ proportion: 0.5, relativeEffect: -1.1 }, 'relativeEffect'],
    [{ proportion: 0.5, relativeEffect: 1.1, sequential: true }, 'relativeEffect'],
    [{ proportion: 0.1, relativeEffect: 0.1, controlShare: 1e-300 }, 'controlShare'],
    [{ proportion: 0.1, relativeEffect: 0.1, alpha: 1e-320 }, 'alpha'],
    [{ proportion: 0.1, relativeEffect: 0.1, alpha: 0.9 }, 'alpha'],
    [{ proportion: 0.1, relativeEffect: 0.1, alpha: 0.05, power: 0.01 }, 'power'],
    [{ proportion: 0.1, relativeEffect: 0.1, unitsPerDay: 1e-300 }, 'unitsPerDay'],
    [{ proportion: 0.1, unitsPerDay: 1, days: 0 }, 'days'],
  ])('of %j is 400 and names %s', async (body, property) => {
    expect(await invalidPropertiesOf('POST', 'power_analysis', body)).toEqual([property]);
  });

  test('returns the units that find an effect, and the effects that units find', async () => {
    const given = { proportion: 0.1, relativeEffect: 0.1, unitsPerDay: 1000 };
    const { units, days, minimumDetectableEffects } = await ok('POST', 'power_analysis', given);
    expect(units).toEqual({ test: 14_749, control: 14_749, total: 29_498 });
    expect(days).toBe(30);
    expect(minimumDetectableEffects).toHaveLength(8);
    const sequential = await ok('POST', 'power_analysis', { ...given, sequential: true });
    expect(sequential.units.total).toBeGreaterThan(units.total);
  });
});

const half = { proportion: 0.5 };

describe('an effect that no units find', () => {
  test.each([
    ['too_few_units', { ...half, unitsPerDay: 1, days: 1 }],
    ['too_few_units', { ...half, unitsPerDay: 6, days: 1 }],
    ['too_few_units', { ...half, unitsPerDay: 6, days: 1, sequential: true }],
    ['too_few_units', { ...half, unitsPerDay: 1000, days: 1e-300 }],
    ['baseline_near_zero', { mean: 1e-300, variance: 1, unitsPerDay: 1000, days: 7 }],
    ['zero_variance', { mean: 1e300, variance: 1e-300, unitsPerDay: 1000, days: 7 }],
  ])('is null for %s', async (reason, body) => {
    const { minimumDetectableEffects } = await ok('POST', 'power_analysis', body);
    expect(minimumDetectableEffects).toMatchObject([{ relativeEffect: null, reason }]);
  });

  test('may be a decrease of a proportion that an increase would move beyond 1', async () => {
    const body = { proportion: 0.9, unitsPerDay: 40, days: 1 };
    const { minimumDetectableEffects } = await ok('POST', 'power_analysis', body);
    const [{ relativeEffect, reason }] = minimumDetectableEffects;
    expect([0.9 * (1 + relativeEffect) > 1, reason]).toEqual([true, null]);
  });
});

test('a power analysis of an extreme effect asks for two units in each group, and is 400 without variance', async () => {
  const body = { mean: 1e300, variance: 1e-300, relativeEffect: 1e6, unitsPerDay: 1 };
  for (const sequential of [false, true]) {
    const { units, days } = await ok('POST', 'power_analysis', { ...body, sequential });
    expect([units, days]).toEqual([{ test: 2, control: 2, total: 4 }, 4]);
  }
  const metric = await makeMetric({ metricEvents: [{ name: 'never' }] });
  const { id } = await makeLoadedExperiment({
    primaryMetrics: [{ name: metric.name, type: metric.type }],
  });
  const without = { baselineExperimentID: id, metricID: metric.id, unitsPerDay: 1000 };
  expect(await invalidPropertiesOf('POST', 'power_analysis', without)).toEqual([
    'baselineExperimentID',
  ]);
});
