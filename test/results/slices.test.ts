import { expect, test } from 'vitest';
import { ok, send } from '../support/client.ts';
import { makeExperiment, makeMetric } from '../support/factories.ts';

const remainder = '(other values)';

test('a value that reads like the remainder of a dimension has a slice of its own', async () => {
  const metric = await makeMetric();
  const { id } = await makeExperiment({
    primaryMetrics: [{ name: metric.name, type: metric.type }],
    preComputedUserDimensions: [{ name: 'plan' }],
    groups: ['control', 'test'].map((name) => ({ name, id: name, size: 50 })),
  });
  const start = Date.now() - 86_400_000;
  await ok('PUT', `experiments/${id}/start`, { startTime: start });
  const rare = Array.from({ length: 19 }, (_, index) => `plan ${index}`);
  const plans = [...rare, ...Array.from({ length: 6 }, () => ['other', remainder]).flat(), ...rare];
  const kept = [...plans, ...rare.map(() => 'other'), 'a', 'b', 'c'];
  await ok('POST', 'exposures', {
    exposures: kept.map((plan, index) => ({
      ...{ kind: 'experiment', id, unitType: 'userID', unit: `u-${index}`, time: start },
      group: index % 2 === 0 ? 'control' : 'test',
      attributes: { plan },
    })),
  });
  await ok('POST', `experiments/${id}/load_pulse`, {});
  const query = `control=control&test=test&dimension=plan&metricID=${encodeURIComponent(metric.id)}`;
  const path = `experiments/${id}/pulse_metric_result?${query}`;
  const { dimensionResults } = await ok('GET', path);
  const unitsOf = Object.fromEntries(
    dimensionResults.map(
      ({
        dimension_value,
        metric: { testUnits, controlUnits },
      }: {
        dimension_value: string;
        metric: { testUnits: number; controlUnits: number };
      }) => [dimension_value, testUnits + controlUnits],
    ),
  );
  expect(unitsOf).toMatchObject({ other: 25, [`${remainder}'`]: 6, 'plan 0': 2, [remainder]: 5 });
  expect(Object.values<number>(unitsOf).reduce((sum, units) => sum + units)).toBe(kept.length);
  const csv = await send('GET', path, { headers: { Accept: 'text/csv' } });
  expect(await csv.text()).toContain(`,plan,${remainder},`);
});

test('each unit is in one slice of a dimension, also if it is named twice or like the days since the exposure', async () => {
  const { name, type } = await makeMetric();
  const { id: metricID } = await ok('POST', 'metrics', {
    ...{ name: `${name} capped`, type: 'sum', metricEvents: [{ name: 'spend', type: 'value' }] },
    warehouseNative: { winsorizationHigh: 0.5 },
  });
  const dimension = 'days_since_exposure';
  const { id } = await makeExperiment({
    primaryMetrics: [{ name: `${name} capped`, type: 'sum' }],
    secondaryMetrics: [{ name, type }],
    preComputedUserDimensions: ['plan', dimension, 'plan'].map((own) => ({ name: own })),
    groups: ['control', 'test'].map((group) => ({ name: group, id: group, size: 50 })),
  });
  const start = Date.now() - 86_400_000;
  await ok('PUT', `experiments/${id}/start`, { startTime: start });
  const units = Array.from({ length: 12 }, (_, index) => ({
    ...{ unit: `s-${index}`, group: index % 2 === 0 ? 'control' : 'test' },
    attributes: { plan: 'pro', [dimension]: index < 4 ? 'few' : 'many' },
    value: index < 4 ? 10 : 1,
  }));
  await ok('POST', 'exposures', {
    exposures: units.map(({ value: _, ...unit }) => ({
      ...{ kind: 'experiment', id, unitType: 'userID', time: start },
      ...unit,
    })),
  });
  await ok('POST', 'events', {
    events: units.map(({ unit, value }) => ({
      ...{ name: 'spend', userID: unit, value, timestamp: start + 1000 },
    })),
  });
  await ok('POST', `experiments/${id}/load_pulse`, {});
  const slicesOf = async (of: string) => {
    const query = `control=control&test=test&dimension=${of}&metricID=${encodeURIComponent(metricID)}`;
    const found = await ok('GET', `experiments/${id}/pulse_metric_result?${query}`);
    return found.dimensionResults.map(
      (one: { dimension_value: string; metric: { testUnits: number; testMean: number } }) => [
        one.dimension_value,
        one.metric.testUnits,
        one.metric.testMean,
      ],
    );
  };
  expect(await slicesOf('plan')).toEqual([['pro', 6, 1]]);
  expect((await slicesOf(dimension)).sort()).toEqual([
    ['few', 2, 10],
    ['many', 4, 1],
  ]);
});
