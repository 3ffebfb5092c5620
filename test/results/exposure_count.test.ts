import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { call, costOf, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { makeDynamicConfig, makeGate } from '../support/factories.ts';
import { dayLength, load, setClock, start } from './uneven.ts';

beforeEach(async () => {
  await emptyDatabase();
  setClock(start);
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the counts of exposures', () => {
  test('are of whole days, of all measured rules of a gate, and null for dynamic configs', async () => {
    const { id } = await makeGate({
      measureMetricLifts: true,
      rules: [{ id: 'r1', name: 'R', passPercentage: 10, conditions: [{ type: 'public' }] }],
    });
    const config = await makeDynamicConfig();
    await load('gate', id, { small: 'r1:on', large: 'r1:off' });
    const answer = await call('GET', `exposure_count?gates=${id}&dynamicConfigs=${config.id}`);
    expect(answer.body.data).toEqual({
      experiments: [],
      gates: [{ id, pastDay: 0, past7Days: 1000 }],
      dynamicConfigs: [{ id: config.id, pastDay: null, past7Days: null }],
    });
    expect(costOf(answer).trips).toBe(1);
    expect(costOf(answer).read).toBeLessThanOrEqual(50);
    setClock(start + dayLength);
    const { gates } = await ok('GET', `exposure_count?gates=${id}`);
    expect(gates).toEqual([{ id, pastDay: 1000, past7Days: 1000 }]);
  });

  test('refuse an unknown ID, no ID, and more than 25', async () => {
    const many = Array.from({ length: 26 }, (_, index) => `e${index}`).join(',');
    expect((await call('GET', 'exposure_count?experiments=none')).status).toBe(404);
    for (const query of ['', `?experiments=${many}`]) {
      const { status, body } = await call('GET', `exposure_count${query}`);
      expect([status, body.errors[0].property]).toEqual([400, 'experiments']);
    }
  });
});
