import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ask } from '../support/apps.ts';
import { emptyDatabase, ok } from '../support/client.ts';
import { makeExperiment, makeGate, passing } from '../support/factories.ts';

const day = 24 * 60 * 60 * 1000;
const hour = 60 * 60 * 1000;
/** The begin of an hour. */
const start = Date.UTC(2030, 0, 1, 12);

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  await emptyDatabase();
});
afterEach(() => {
  vi.useRealTimers();
});

let deliveries = 0;

/** Has an SDK report that a gate passed, or failed, some times. */
async function seen(gate: string, passes: boolean, times = 1): Promise<void> {
  const events = Array.from({ length: times }, () => ({
    eventName: 'statsig::gate_exposure',
    user: { userID: `u-${++deliveries}` },
    metadata: { gate, gateValue: String(passes), ruleID: 'r' },
  }));
  expect((await ask('/v1/log_event', { body: { events } })).status).toBe(202);
}

describe('the checks of a gate', () => {
  test('are those of the running hour or of the last whole one, the larger, alone and in lists', async () => {
    const { id } = await makeGate();
    const [other] = [await makeGate()];
    const perHour = async () => {
      const { checksPerHour } = await ok('GET', `gates/${id}`);
      const listed = await ok('GET', 'gates');
      expect(listed.find((gate: { id: string }) => gate.id === id)).toMatchObject({
        checksPerHour,
      });
      expect(listed.find((gate: { id: string }) => gate.id === other.id)).toMatchObject({
        checksPerHour: 0,
      });
      return checksPerHour;
    };
    expect(await perHour()).toBe(0);
    await seen(id, true, 7);
    expect(await perHour()).toBe(7);
    vi.setSystemTime(start + hour);
    expect(await perHour()).toBe(7);
    await seen(id, true, 3);
    expect(await perHour()).toBe(7);
    await seen(id, true, 9);
    expect(await perHour()).toBe(12);
    vi.setSystemTime(start + 3 * hour);
    expect(await perHour()).toBe(0);
    await seen(id, true, 2);
    expect(await perHour()).toBe(2);
  });
});

describe('a temporary gate that was left alone for 30 days', () => {
  const reasonOf = async (id: string) => (await ok('GET', `gates/${id}`)).typeReason;
  const everyone = [{ name: 'Half', passPercentage: 50, conditions: [{ type: 'public' }] }];
  const temporary = (given = {}) => makeGate({ type: 'TEMPORARY', rules: everyone, ...given });

  test('is stale by what was seen of it', async () => {
    const [both, yes, no, none, empty, permanent] = [
      await temporary(),
      await temporary(),
      await temporary(),
      await temporary(),
      await temporary({ rules: [] }),
      await temporary({ type: 'PERMANENT' }),
    ];
    const referred = await temporary();
    await makeGate({ rules: [passing(referred.id)] });
    vi.setSystemTime(start + 31 * day);
    expect(await reasonOf(none.id)).toBe('NONE'); // nothing was counted at all
    await seen(both.id, true);
    await seen(both.id, false);
    await seen(yes.id, true);
    await seen(no.id, false);
    await seen(permanent.id, true);
    await seen(referred.id, true);
    const all = [both, yes, no, none, empty, permanent, referred];
    expect(await Promise.all(all.map(({ id }) => reasonOf(id)))).toEqual([
      'NONE',
      'STALE_ALL_TRUE',
      'STALE_ALL_FALSE',
      'STALE_EMPTY_CHECKS',
      'STALE_NO_RULES',
      'NONE',
      'NONE',
    ]);
    await ok('PATCH', `gates/${yes.id}`, { description: 'Touched.' });
    expect(await reasonOf(yes.id)).toBe('NONE');
  });
});

describe('the health of an experiment', () => {
  /** Writes how many units were seen in each group, as if they had been. */
  const count = (id: string, startTime: number, group: string, units: number) =>
    env.DB.prepare("insert or replace into exposure_counts values ('experiment', ?, ?, ?, ?)")
      .bind(id, startTime, group, units)
      .run();

  test.each([
    [50, 49, 'WAITING', 'WAITING'],
    [5050, 4950, 'PASSED', 'PASSED'],
    [5130, 4870, 'WARNING', 'WARNING'],
    [5200, 4800, 'FAILED', 'FAILED'],
    [200, 0, 'FAILED', 'FAILED'],
  ])('of %i and %i units is %s', async (first, second, balanced, worst) => {
    const { id } = await makeExperiment();
    const { startTime, groups } = await ok('PUT', `experiments/${id}/start`);
    const health = async () => (await ok('GET', 'experiments'))[0];
    expect(await health()).toMatchObject({
      healthChecks: [{ name: 'Exposures', status: 'WAITING' }],
      healthCheckStatus: 'WAITING',
    });
    await count(id, startTime - 1, groups[0].id, 9999); // an earlier run
    await count(id, startTime, groups[0].id, first);
    if (second > 0) await count(id, startTime, groups[1].id, second);
    expect(await health()).toMatchObject({
      healthChecks: [
        { name: 'Exposures', status: 'PASSED' },
        { name: 'Balanced groups', status: balanced },
      ],
      healthCheckStatus: worst,
    });
    expect(await ok('GET', `experiments/${id}`)).toMatchObject({ healthCheckStatus: worst });
  });
});
