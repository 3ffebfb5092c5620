import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { callApp } from '../support/apps.ts';
import { call, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { makeExperiment, makeGate, passing } from '../support/factories.ts';

const day = 24 * 60 * 60 * 1000;
const hour = 60 * 60 * 1000;
/** The start of an hour. */
const start = Date.UTC(2030, 0, 1, 12);

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  await emptyDatabase();
});
afterEach(() => {
  vi.useRealTimers();
});

let deliveries = 0;

/** Sends an ETag: the response is 304, or today's data with its ETag. */
async function readAnew(path: string, tag: string) {
  const { status, data, headers } = await call('GET', path, { headers: { 'If-None-Match': tag } });
  return { status, data, tag: headers.get('ETag') ?? '' };
}

/** Reports as an SDK that a gate passed or failed a number of times. */
async function seen(gate: string, passes: boolean, times = 1): Promise<void> {
  const events = Array.from({ length: times }, () => ({
    eventName: 'statsig::gate_exposure',
    user: { userID: `u-${++deliveries}` },
    metadata: { gate, gateValue: String(passes), ruleID: 'r' },
  }));
  expect((await callApp('/v1/log_event', { body: { events } })).status).toBe(202);
}

describe('the checks of a gate', () => {
  test('are the larger count of the current hour and the last whole hour, in a read and in lists', async () => {
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
    vi.setSystemTime(start + 4 * hour);
    await seen(id, true);
    expect(await perHour()).toBe(2);
    vi.setSystemTime(start + 5 * hour);
    expect(await perHour()).toBe(1);
    await ok('DELETE', `gates/${id}`);
    await makeGate({ id }); // another gate without checks
    expect(await perHour()).toBe(0);
    await seen(id, true);
    expect(await perHour()).toBe(1);
  });

  test('change its ETag when they are counted and when they expire', async () => {
    const { id } = await makeGate();
    const path = `gates/${id}`;
    const first = await readAnew(path, '"0"');
    expect((await readAnew(path, first.tag)).status).toBe(304);
    await seen(id, true, 7);
    const counted = await readAnew(path, first.tag);
    expect([counted.status, counted.data?.checksPerHour]).toEqual([200, 7]);
    expect((await readAnew(path, counted.tag)).status).toBe(304);
    vi.setSystemTime(start + 3 * hour);
    const later = await readAnew(path, counted.tag);
    expect([later.status, later.data?.checksPerHour]).toEqual([200, 0]);
    const headers = { 'If-Match': counted.tag };
    const changed = await call('PATCH', path, { body: { description: 'New.' }, headers });
    expect(changed.status).toBe(200);
  });
});

describe('a temporary gate that did not change for 30 days', () => {
  const reasonOf = async (id: string) => (await ok('GET', `gates/${id}`)).typeReason;
  const everyone = [{ name: 'Half', passPercentage: 50, conditions: [{ type: 'public' }] }];
  const temporary = (given = {}) =>
    makeGate({ type: 'TEMPORARY', rules: everyone, tags: ['left'], ...given });

  test('has a stale type that depends on its checks', async () => {
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
    expect(await reasonOf(none.id)).toBe('NONE'); // no checks
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
    // An entity of another type may have the same ID.
    await env.DB.prepare("insert into checks values ('layer', ?1, 0, 1, 0, ?2, ?2)")
      .bind(yes.id, start + 31 * day)
      .run();
    const listed = await ok('GET', 'gates?tags=left&stale=true');
    const ids = (gates: { id: string }[]) => gates.map(({ id }) => id).sort();
    expect(ids(listed)).toEqual(ids([yes, no, none, empty]));
    await ok('PATCH', `gates/${yes.id}`, { description: 'Touched.' });
    expect(await reasonOf(yes.id)).toBe('NONE');
  });
});

describe('the health of an experiment', () => {
  test('waits for units, regardless of the names of its groups', async () => {
    const groups = ['constructor', 'toString'].map((id) => ({ id, name: id, size: 50 }));
    const { id } = await makeExperiment({ groups });
    await ok('PUT', `experiments/${id}/start`);
    expect(await ok('GET', `experiments/${id}`)).toMatchObject({ healthCheckStatus: 'WAITING' });
  });

  /** Stores exposures of a number of units for each group. */
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
    await count(id, startTime - 1, groups[0].id, 9999); // an earlier run
    const health = async () => (await ok('GET', 'experiments'))[0];
    expect(await health()).toMatchObject({
      healthChecks: [{ name: 'Exposures', status: 'WAITING' }],
      healthCheckStatus: 'WAITING',
    });
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

  test('lists the units and the planned share of each group, and p from 100 units', async () => {
    const sizes = [25, 75, 0].map((size, index) => ({ name: `Group ${index}`, size }));
    const started = await makeExperiment({ groups: sizes });
    const { id, startTime, groups } = await ok('PUT', `experiments/${started.id}/start`);
    const balance = async () => (await ok('GET', 'experiments'))[0].healthChecks[1];
    await count(id, startTime, groups[0].id, 20);
    const few = await balance();
    expect([few.status, few.p]).toEqual(['WAITING', undefined]);
    await count(id, startTime, groups[0].id, 2600);
    await count(id, startTime, groups[1].id, 7400);
    await count(id, startTime, groups[2].id, 3); // by overrides
    const { p, groups: counted } = await balance();
    expect(p).toBeCloseTo(0.0209213, 6); // scipy.stats.chisquare([2600, 7400], [2500, 7500])
    expect(counted).toEqual([
      { groupID: groups[0].id, units: 2600, expectedShare: 25 },
      { groupID: groups[1].id, units: 7400, expectedShare: 75 },
      { groupID: groups[2].id, units: 3, expectedShare: 0 },
    ]);
  });

  test('waits for units that were assigned by bucket', async () => {
    const groups = [50, 50, 0].map((size, index) => ({ name: `Group ${index}`, size }));
    const started = await makeExperiment({ groups });
    const { id, startTime, groups: made } = await ok('PUT', `experiments/${started.id}/start`);
    await count(id, startTime, made[0].id, 20);
    await count(id, startTime, made[2].id, 500); // by overrides
    expect(await ok('GET', `experiments/${id}`)).toMatchObject({ healthCheckStatus: 'WAITING' });
  });

  test('compares only groups that take units: an empty group does not raise the probability', async () => {
    const groups = [50, 50, 0].map((size, index) => ({ name: `Group ${index}`, size }));
    const started = await makeExperiment({ groups });
    const { id, startTime, groups: made } = await ok('PUT', `experiments/${started.id}/start`);
    await count(id, startTime, made[0].id, 5170); // 0.0007 of two groups, 0.003 of three
    await count(id, startTime, made[1].id, 4830);
    expect(await ok('GET', `experiments/${id}`)).toMatchObject({ healthCheckStatus: 'FAILED' });
  });

  test.each([
    ['thousandths, as they are drawn', false, 'PASSED'],
    ['sizes, where they are drawn elsewhere', true, 'FAILED'],
  ])('compares its groups with their %s', async (_, isAnalysisOnly, status) => {
    const groups = [0.25, 99.75].map((size, index) => ({ name: `Group ${index}`, size }));
    const started = await makeExperiment({ groups, isAnalysisOnly });
    const { id, startTime, groups: made } = await ok('PUT', `experiments/${started.id}/start`);
    await count(id, startTime, made[0].id, 3000); // 0.3 %
    await count(id, startTime, made[1].id, 997_000);
    expect(await ok('GET', `experiments/${id}`)).toMatchObject({ healthCheckStatus: status });
  });

  test.each([
    [50, 49, 'WAITING', 'WAITING'],
    [5050, 4950, 'PASSED', 'PASSED'],
    [5130, 4869, 'WARNING', 'WAITING'],
    [5200, 4800, 'FAILED', 'PASSED'],
  ])(
    'with %i and %i units is in its quality scores and its ETag',
    async (first, second, ...found) => {
      const names = ['BALANCED_EXPOSURE', 'SUFFICIENT_SAMPLE'];
      const manualQualityScores = names.map((criteriaName) => ({
        criteriaName,
        status: 'PASSED',
        criteriaDescription: 'Said by a client.',
        score: 7,
        weight: 50,
      }));
      const { id } = await makeExperiment({ manualQualityScores, targetExposures: 10_000 });
      const { startTime, groups } = await ok('PUT', `experiments/${id}/start`);
      const path = `experiments/${id}`;
      const { tag, data } = await readAnew(path, '"0"');
      const statusesOf = (of: { manualQualityScores: { status: string }[] }) =>
        of.manualQualityScores.map(({ status }) => status);
      expect(statusesOf(data)).toEqual(['WAITING', 'WAITING']);
      await count(id, startTime, groups[0].id, first);
      await count(id, startTime, groups[1].id, second);
      expect(statusesOf(await ok('GET', path))).toEqual(found);
      expect(statusesOf((await ok('GET', 'experiments'))[0])).toEqual(found);
      const isSame = found.every((status) => status === 'WAITING');
      expect((await readAnew(path, tag)).status).toBe(isSame ? 304 : 200);
    },
  );

  test('rates the sample size only if a target is set', async () => {
    const manualQualityScores = [{ criteriaName: 'SUFFICIENT_SAMPLE', weight: 1 }];
    const { id } = await makeExperiment({ manualQualityScores });
    const { startTime, groups } = await ok('PUT', `experiments/${id}/start`);
    await count(id, startTime, groups[0].id, 10_000);
    const { manualQualityScores: shown } = await ok('GET', `experiments/${id}`);
    expect(shown).toMatchObject([{ status: 'WAITING', score: null, weight: 100 }]);
  });
});
