import { expect, test } from 'vitest';
import { ok } from '../support/client.ts';
import { makeExperiment, makeMetric } from '../support/factories.ts';

/** Among 49 units, a mean of 1 in 49 times 49 is 0.9999999999999999. */
const unitsOfGroup = 49;

test('the total of a metric of whole numbers is whole', async () => {
  const metrics = await Promise.all(
    ['event_count_custom', 'event_user', 'sum'].map((type) =>
      makeMetric({
        type,
        ...(type === 'event_user' && { rollupTimeWindow: 'max' }),
        metricEvents: [{ name: 'whole', type: type === 'sum' ? 'value' : 'count' }],
      }),
    ),
  );
  const { id } = await makeExperiment({
    primaryMetrics: metrics.map(({ name, type }) => ({ name, type })),
    groups: ['control', 'test'].map((name) => ({ name, id: name, size: 50 })),
  });
  const start = Date.now() - 86_400_000;
  await ok('PUT', `experiments/${id}/start`, { startTime: start });
  await ok('POST', 'exposures', {
    exposures: Array.from({ length: 2 * unitsOfGroup }, (_, index) => ({
      ...{ kind: 'experiment', id, unitType: 'userID', unit: `u-${index}`, time: start },
      group: index % 2 === 0 ? 'control' : 'test',
    })),
  });
  const events = ['u-0', 'u-1'].map((userID) => ({
    ...{ name: 'whole', userID, value: 1, timestamp: start + 1000 },
  }));
  await ok('POST', 'events', { events });
  await ok('POST', `experiments/${id}/load_pulse`, {});
  const results = await ok('GET', `experiments/${id}/pulse_results?control=control&test=test`);
  const totals = results.primaryMetrics.map(
    ({ controlTotal, testTotal }: Record<string, number>) => [controlTotal, testTotal],
  );
  expect(totals).toEqual([
    [1, 1],
    [1, 1],
    [1, 1],
  ]);
});
