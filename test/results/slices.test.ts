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
