import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { scheduledStarts } from '../../src/experiments/experiments/schedule.ts';
import worker from '../../src/index.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { call, costOf, invalidPropertiesOf, ok, send, textOf } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { makeExperiment, makeLayer, unique } from '../support/factories.ts';
import { allowMoreTrips } from '../support/responses.ts';

beforeEach(emptyDatabase); // what others have due would come before
const day = 24 * 60 * 60 * 1000;
const run = () => worker.scheduled(createScheduledController(), env);
const at = (time: number) => vi.useFakeTimers({ toFake: ['Date'], now: time });
const readOf = (id: string) => ok('GET', `experiments/${id}`);
const allowStarts = () => allowMoreTrips('the first request stores the start that is overdue');
const isCalled = (id: string) => (one: { id: string }) => one.id === id;
const exportedOf = async (id: string) => {
  const lines = (await textOf(await send('GET', 'export'))).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line).entity).find((entity) => entity?.id === id);
};

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('the scheduled start of an experiment', () => {
  test('happens automatically once its time has come, and not before', async () => {
    const { id } = await makeExperiment();
    const startTime = Date.now() + day;
    const scheduled = await ok('PUT', `experiments/${id}/schedule_start`, { startTime });
    expect(scheduled).toMatchObject({ status: 'setup', scheduledStartTime: startTime });
    await run();
    expect(await readOf(id)).toMatchObject({ status: 'setup', version: 2 });
    at(startTime + 1);
    await run();
    const started = { status: 'active', startTime: startTime + 1, scheduledStartTime: null };
    expect(await readOf(id)).toMatchObject(started);
    const [{ action, actorID }] = await ok('GET', `experiments/${id}/versions`);
    expect([action, actorID]).toEqual(['start', 'scheduler']);
    await run();
    expect(await readOf(id)).toMatchObject({ version: 3 });
    expect(await ok('GET', 'audit_logs?actorName=Scheduler')).not.toEqual([]);
  });

  test.each<[what: string, read: (id: string, layerID: string) => Promise<{ status: string }>]>([
    ['the experiment', readOf],
    ['the list', async (id) => (await ok('GET', 'experiments')).find(isCalled(id))],
    ['its layer', async (_, layerID) => (await ok('GET', `layers/${layerID}/experiments`))[0]],
    ['its history', async (id) => (await ok('GET', `experiments/${id}/versions/3`)).snapshot],
    ['its overrides', async (id) => (await ok('GET', `experiments/${id}/overrides`)) && readOf(id)],
    ['the export', exportedOf],
    ['a change', (id) => ok('PATCH', `experiments/${id}`, { description: 'New.' })],
    ['a dry run', (id) => ok('PATCH', `experiments/${id}?dryRun=true`, { description: 'New.' })],
  ])('has happened once its time has come for whoever comes first: %s', async (_, read) => {
    const { id: layerID } = await makeLayer();
    const { id } = await makeExperiment({ layerID });
    const startTime = Date.now() + day;
    await ok('PUT', `experiments/${id}/schedule_start`, { startTime });
    expect(await readOf(id)).toMatchObject({ status: 'setup', version: 2 });
    at(startTime);
    allowStarts();
    expect(await read(id, layerID)).toMatchObject({ status: 'active', startTime });
    const versions = await ok('GET', `experiments/${id}/versions`);
    expect(versions.at(-3)).toMatchObject({ version: 3, action: 'start', actorID: 'scheduler' });
  });

  test('is applied before the experiment is deleted, evaluated or restarted as new', async () => {
    const ids = [];
    const startTime = Date.now() + day;
    for (let count = 0; count < 3; count++) {
      const { id } = await makeExperiment();
      await ok('PUT', `experiments/${id}/schedule_start`, { startTime });
      ids.push(id);
    }
    const [deleted, evaluated, restarted] = ids;
    at(startTime);
    allowStarts();
    expect((await call('DELETE', `experiments/${deleted}`)).status).toBe(409);
    const user = { userID: 'u-1' };
    await ok('POST', 'evaluate', { user, kind: 'experiment', id: evaluated });
    const [{ version }] = await ok('GET', `audit_logs?kind=experiment&id=${evaluated}`);
    expect(version).toBe(3);
    const name = unique('Anew');
    const body = { name };
    expect(await ok('POST', `experiments/${restarted}/restart_as_new`, body)).toMatchObject({
      status: 'setup',
      scheduledStartTime: null,
    });
    expect(await readOf(String(restarted))).toMatchObject({ status: 'active' });
  });

  test('happens once for concurrent readers', async () => {
    const { id } = await makeExperiment();
    const startTime = Date.now() + day;
    await ok('PUT', `experiments/${id}/schedule_start`, { startTime });
    at(startTime);
    allowStarts();
    const read = await Promise.all(Array.from({ length: 8 }, () => readOf(id)));
    expect(new Set(read.map(({ version, status }) => `${version} ${status}`))).toEqual(
      new Set(['3 active']),
    );
  });

  test('is not restored after its time has passed', async () => {
    const { id } = await makeExperiment();
    const startTime = Date.now() + day;
    await ok('PUT', `experiments/${id}/schedule_start`, { startTime });
    await ok('PUT', `experiments/${id}/schedule_start`, { startTime: null });
    const restore = () => ok('PUT', `experiments/${id}/versions/2/restore`);
    expect((await restore()).scheduledStartTime).toBe(startTime);
    await ok('PUT', `experiments/${id}/schedule_start`, { startTime: null });
    at(startTime);
    expect((await restore()).scheduledStartTime).toBeNull();
    expect((await readOf(id)).status).toBe('setup');
  });

  test('can be given as a date, removed, and ends with a start or archiving', async () => {
    const { id } = await makeExperiment();
    const path = `experiments/${id}`;
    const schedule = (startTime: unknown) =>
      call('PUT', `${path}/schedule_start`, { body: { startTime } });
    const future = '2126-01-01T09:00:00+01:00';
    expect((await schedule(future)).data.scheduledStartTime).toBe(Date.parse(future));
    expect((await schedule(null)).data.scheduledStartTime).toBeNull();
    for (const wrong of [Date.now() - 1, 'tomorrow', undefined])
      expect(
        await invalidPropertiesOf('PUT', `${path}/schedule_start`, { startTime: wrong }),
      ).toEqual(['startTime']);
    await schedule(future);
    expect((await ok('PUT', `${path}/archive`)).scheduledStartTime).toBeNull();
    await ok('PUT', `${path}/unarchive`);
    await schedule(future);
    expect((await ok('PUT', `${path}/start`)).scheduledStartTime).toBeNull();
    const { status, body } = await schedule(future);
    expect([status, body.message]).toEqual([409, expect.stringContaining('already started')]);
  });
});

describe('a scheduled start', () => {
  test('that fails is retried, and does not block others', async () => {
    const layer = await makeLayer();
    const on = () => makeExperiment({ layerID: layer.id, allocation: 100 });
    const [first, second, third] = [await on(), await on(), await makeExperiment()];
    const now = Date.now();
    for (const [index, { id }] of [first, second, third].entries())
      await ok('PUT', `experiments/${id}/schedule_start`, { startTime: now + day + index });
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    at(now + 2 * day);
    await run();
    expect(await readOf(first.id)).toMatchObject({ status: 'active' });
    expect(await readOf(second.id)).toMatchObject({ status: 'setup' });
    expect(await readOf(third.id)).toMatchObject({ status: 'active' });
    const said = log.mock.calls.filter(([text]) => text.includes(second.id));
    expect(said).toHaveLength(1);
    await ok('PUT', `experiments/${first.id}/stop`, { decisionReason: 'R' });
    await run();
    expect(await readOf(second.id)).toMatchObject({ status: 'active' });
  });

  test('that fails is not retried by requests within the hour', async () => {
    const { id: layerID } = await makeLayer();
    const on = () => makeExperiment({ layerID });
    const [full, { id }] = [await on(), await on()];
    await ok('PUT', `experiments/${full.id}/start`);
    const startTime = Date.now() + day;
    await ok('PUT', `experiments/${id}/schedule_start`, { startTime });
    vi.spyOn(console, 'error').mockReturnValue();
    at(startTime);
    allowStarts();
    expect(costOf(await call('GET', 'experiments')).trips).toBeGreaterThan(1);
    for (const minutes of [1, 2, 30]) {
      at(startTime + minutes * 60_000);
      expect(costOf(await call('GET', 'experiments')).trips).toBe(1);
    }
    await ok('PUT', `experiments/${full.id}/stop`, { decisionReason: 'R' });
    await run();
    expect(await readOf(id)).toMatchObject({ status: 'active' });
  });

  test('that is postponed concurrently waits for its new time', async () => {
    const { id } = await makeExperiment();
    const now = Date.now();
    await ok('PUT', `experiments/${id}/schedule_start`, { startTime: now + day });
    await scheduledStarts.store(openDatabase(env.DB, 'first-primary'), [id], now);
    expect(await readOf(id)).toMatchObject({ status: 'setup', version: 2 });
  });

  test('does not wait for any number of experiments that cannot start', async () => {
    const { id: layerID } = await makeLayer();
    await ok('PUT', `experiments/${(await makeExperiment({ layerID })).id}/start`);
    const startTime = Date.now() + day;
    const schedule = async (given: Record<string, unknown>, time: number) => {
      const { id } = await makeExperiment(given);
      await ok('PUT', `experiments/${id}/schedule_start`, { startTime: time });
      return id;
    };
    for (let count = 0; count < 100; count++) await schedule({ layerID }, startTime);
    const [byScheduler, byReader] = [
      await schedule({}, startTime + 1),
      await schedule({}, startTime + day),
    ];
    const log = vi.spyOn(console, 'error').mockReturnValue();
    at(startTime + 2);
    await run();
    expect(log.mock.calls.length).toBeGreaterThan(90);
    await run();
    const [{ action }] = await ok('GET', `audit_logs?kind=experiment&id=${byScheduler}`);
    expect(action).toBe('start');
    at(startTime + day);
    allowStarts();
    const listed = await ok('GET', 'experiments?status=active');
    expect(listed.some(isCalled(byReader))).toBe(true);
  });
});
