import { describe, expect, test } from 'vitest';
import { call, costOf, ok } from '../support/client.ts';
import { makeAutotune, makeExperiment } from '../support/factories.ts';

const startTime = Date.UTC(2026, 0, 5);

const startWith = (path: string, time: number) =>
  call('PUT', `${path}/start`, { body: { startTime: time } });

const expose = (kind: 'experiment' | 'autotune', id: string, group: string) =>
  ok('POST', 'exposures', {
    exposures: [{ kind, id, unitType: 'userID', unit: 'u-1', group, time: startTime + 1 }],
  });

describe('a start at the time of an earlier run', () => {
  test('of an experiment is 409 after a reset, and the next millisecond is free', async () => {
    const { id } = await makeExperiment();
    const path = `experiments/${id}`;
    expect((await startWith(path, startTime)).status).toBe(200);
    await ok('PUT', `${path}/reset`);
    const again = await startWith(path, startTime);
    expect([again.status, again.body.message]).toEqual([
      409,
      `An earlier run of ${id} began then; use another startTime.`,
    ]);
    expect(costOf(again).trips).toBe(1);
    expect((await startWith(path, startTime + 1)).status).toBe(200);
    expect((await startWith(path, startTime)).body.message).toMatch(/status/);
  });

  test('of a deleted experiment is 409 for one that is created with its ID', async () => {
    const { id, name, groups } = await makeExperiment();
    const path = `experiments/${id}`;
    await startWith(path, startTime);
    await expose('experiment', id, groups[0].name);
    await ok('DELETE', `${path}?force=true`);
    await makeExperiment({ name });
    expect((await startWith(path, startTime)).status).toBe(409);
    expect((await startWith(path, startTime + 1)).status).toBe(200);
  });

  test('of an autotune is 409 after a reset', async () => {
    const { id, variants } = await makeAutotune();
    const path = `autotunes/${id}`;
    expect((await startWith(path, startTime)).status).toBe(200);
    await expose('autotune', id, variants[0].name);
    await ok('PUT', `${path}/reset`);
    expect((await startWith(path, startTime)).status).toBe(409);
    expect((await startWith(path, startTime + 1)).status).toBe(200);
  });
});
