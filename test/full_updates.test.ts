import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import worker from '../src/index.ts';
import { scheduledStarts } from '../src/resources/experiments/schedule.ts';
import { openDatabase } from '../src/store/database.ts';
import { call, costOf, faults, ok, send } from './support/client.ts';
import { emptyDatabase } from './support/database.ts';
import {
  everyone,
  makeEvent,
  makeExperiment,
  makeExperimentIn,
  makeGate,
  makeHoldout,
  makeLayer,
  makeMetric,
  makeSegment,
  passing,
  unique,
} from './support/factories.ts';

describe('a full update of a gate', () => {
  test('puts back what its body does not say, but for name, state and overrides', async () => {
    const gate = await makeGate({ isEnabled: false });
    const path = `gates/${gate.id}`;
    await ok('PATCH', path, {
      description: 'Old.',
      tags: ['old'],
      type: 'TEMPORARY',
      team: 'core',
      measureMetricLifts: true,
      reviewSettings: { requiredReview: true },
      rules: [everyone],
    });
    await ok('POST', `${path}/overrides`, { passingUserIDs: ['u-1'] });
    const replaced = await ok('POST', path, { idType: 'companyID' });
    const { version: _version, lastModifiedTime: _time, ...expected } = gate;
    expect(replaced).toMatchObject({ ...expected, idType: 'companyID' });
    expect(await ok('GET', `${path}/overrides`)).toMatchObject({ passingUserIDs: ['u-1'] });
    expect(await ok('POST', path, replaced)).toEqual(replaced);
  });
});

describe('a full update of a layer', () => {
  test('puts back what its body does not say, but for its name', async () => {
    const layer = await makeLayer();
    const path = `layers/${layer.id}`;
    const parameters = [{ name: 'green', type: 'boolean', defaultValue: false }];
    await ok('PATCH', path, { description: 'Old.', tags: ['old'], team: 'core', parameters });
    const replaced = await ok('POST', path, { idType: 'companyID' });
    const { version: _version, lastModifiedTime: _time, ...expected } = layer;
    expect(replaced).toMatchObject({ ...expected, idType: 'companyID' });
    expect(await ok('POST', path, replaced)).toEqual(replaced);
  });
});

describe('a full update of an experiment', () => {
  const settings = {
    description: 'Old.',
    tags: ['old'],
    allocation: 10,
    hypothesis: 'H',
    duration: 30,
    analyticsType: 'bayesian',
    links: [{ url: 'https://a.test' }],
    team: 'core',
    manualQualityScores: [{ criteriaName: 'HYPOTHESIS_LENGTH', weight: 10 }],
  };

  test('puts back what its body does not say, but for name, groups and status', async () => {
    const experiment = await makeExperiment();
    const path = `experiments/${experiment.id}`;
    await ok('PATCH', path, { ...settings, idType: 'companyID', userBuckets: [1] });
    const replaced = await ok('POST', path, { allocation: 50 });
    const { version: _version, lastModifiedTime: _time, ...expected } = experiment;
    expect(replaced).toMatchObject({ ...expected, allocation: 50 });
    const { version } = await ok('POST', path, { allocation: 50 });
    expect(version).toBe(replaced.version);
  });

  test('keeps what is locked of a started one, and its decision', async () => {
    const { id } = await makeExperimentIn('setup');
    const path = `experiments/${id}`;
    await ok('PATCH', path, { ...settings, idType: 'companyID', userBuckets: [1] });
    await ok('PUT', `${path}/start`);
    expect(await ok('POST', path, { description: 'New.' })).toMatchObject({
      description: 'New.',
      tags: [],
      idType: 'companyID',
      userBuckets: [1],
      status: 'active',
    });
    const locked = await call('POST', path, { body: { idType: 'userID' } });
    expect([locked.status, locked.body.errors[0].property]).toEqual([409, 'idType']);
    const decision = { launchedGroupID: 'test', decisionReason: 'R' };
    await ok('PUT', `${path}/make_decision`, { id: 'test', decisionReason: 'R' });
    expect(await ok('POST', path, { tags: ['a'] })).toMatchObject(decision);
  });
});

describe('groups of an experiment', () => {
  test('are disabled and enabled while it runs', async () => {
    const { id } = await makeExperimentIn('active');
    const disabledOf = ({ groups }: { groups: { disabled: boolean }[] }) =>
      groups.map(({ disabled }) => disabled);
    const to = (name: string, ...groupIDs: string[]) =>
      call('PUT', `experiments/${id}/${name}`, { body: { groupIDs } });
    expect(disabledOf((await to('disable_groups', 'test')).data)).toEqual([false, true]);
    expect((await to('disable_groups', 'control')).status).toBe(409);
    const { groups } = await ok('GET', `experiments/${id}`);
    const enabled = groups.map((group: object) => ({ ...group, disabled: false }));
    const locked = await call('PATCH', `experiments/${id}`, { body: { groups: enabled } });
    expect([locked.status, locked.body.errors?.[0].property]).toEqual([409, 'groups']);
    expect(disabledOf((await to('enable_groups', 'test', 'control')).data)).toEqual([false, false]);
    const { status, body } = await to('disable_groups', 'test', 'other');
    expect([status, body.errors[0].property]).toEqual([400, 'groupIDs.1']);
    await ok('PUT', `experiments/${id}/stop`, { decisionReason: 'R' });
    expect((await to('disable_groups', 'test')).status).toBe(409);
  });
});

describe('a scheduled start', () => {
  beforeEach(emptyDatabase); // what others have due would come before
  const day = 24 * 60 * 60 * 1000;
  const run = () => worker.scheduled(createScheduledController(), env);
  const at = (time: number) => vi.useFakeTimers({ toFake: ['Date'], now: time });
  const readOf = (id: string) => ok('GET', `experiments/${id}`);
  const isCalled = (id: string) => (one: { id: string }) => one.id === id;
  const exportedOf = async (id: string) => {
    const lines = (await (await send('GET', 'export')).text()).trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line).entity).find((entity) => entity?.id === id);
  };

  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  test('happens by itself once its time has come, and not before', async () => {
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
    expect(await read(id, layerID)).toMatchObject({ status: 'active', startTime });
    const versions = await ok('GET', `experiments/${id}/versions`);
    expect(versions.at(-3)).toMatchObject({ version: 3, action: 'start', actorID: 'scheduler' });
  });

  test('has happened before the experiment is deleted, evaluated or restarted as new', async () => {
    const ids = [];
    const startTime = Date.now() + day;
    for (let count = 0; count < 3; count++) {
      const { id } = await makeExperiment();
      await ok('PUT', `experiments/${id}/schedule_start`, { startTime });
      ids.push(id);
    }
    const [deleted, evaluated, restarted] = ids;
    at(startTime);
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

  test('at once for several readers is one start', async () => {
    const { id } = await makeExperiment();
    const startTime = Date.now() + day;
    await ok('PUT', `experiments/${id}/schedule_start`, { startTime });
    at(startTime);
    const read = await Promise.all(Array.from({ length: 8 }, () => readOf(id)));
    expect(new Set(read.map(({ version, status }) => `${version} ${status}`))).toEqual(
      new Set(['3 active']),
    );
  });

  test('does not come back by a restore once its time is over', async () => {
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

  test('can be said as a time, taken back, and is gone with a start or the archive', async () => {
    const { id } = await makeExperiment();
    const path = `experiments/${id}`;
    const schedule = (startTime: unknown) =>
      call('PUT', `${path}/schedule_start`, { body: { startTime } });
    const future = '2126-01-01T09:00:00+01:00';
    expect((await schedule(future)).data.scheduledStartTime).toBe(Date.parse(future));
    expect((await schedule(null)).data.scheduledStartTime).toBeNull();
    for (const wrong of [Date.now() - 1, 'tomorrow', undefined])
      expect(await faults('PUT', `${path}/schedule_start`, { startTime: wrong })).toEqual([
        'startTime',
      ]);
    await schedule(future);
    expect((await ok('PUT', `${path}/archive`)).scheduledStartTime).toBeNull();
    await ok('PUT', `${path}/unarchive`);
    await schedule(future);
    expect((await ok('PUT', `${path}/start`)).scheduledStartTime).toBeNull();
    const { status, body } = await schedule(future);
    expect([status, body.message]).toEqual([409, expect.stringContaining('already started')]);
  });

  test('that is refused is tried again, and holds up no other', async () => {
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

  test('that was put off since it was found to be due waits for its new time', async () => {
    const { id } = await makeExperiment();
    const now = Date.now();
    await ok('PUT', `experiments/${id}/schedule_start`, { startTime: now + day });
    await scheduledStarts.store(openDatabase(env.DB, 'first-primary'), [id], now);
    expect(await readOf(id)).toMatchObject({ status: 'setup', version: 2 });
  });

  test('waits for none that cannot start, however many these are', async () => {
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
    const listed = await ok('GET', 'experiments?status=active');
    expect(listed.some(isCalled(byReader))).toBe(true);
  });
});

test('GET /metrics/list is the list of metrics', async () => {
  await makeMetric();
  const { data, body } = await call('GET', 'metrics/list?limit=1');
  expect([data.length, body.pagination.all]).toEqual([1, '/console/v1/metrics/list']);
  expect((await call('POST', 'metrics/list', { body: {} })).status).toBe(405);
});

describe('the events of a name', () => {
  test('are listed alone, newest first, and counted', async () => {
    const name = unique('Sold');
    for (const timestamp of [2, 3, 1]) await makeEvent({ name, timestamp });
    await makeEvent();
    const path = `events/${encodeURIComponent(name)}?limit=2`;
    const first = await call('GET', path);
    const times = ({ data }: typeof first) =>
      data.map(({ timestamp }: { timestamp: string }) => timestamp);
    expect([times(first), first.body.pagination.totalItems]).toEqual([['3', '2'], 3]);
    expect(costOf(first).read).toBeLessThanOrEqual(10);
    expect(times(await call('GET', first.body.pagination.nextPage))).toEqual(['1']);
    expect((await call('GET', 'events/never_recorded')).status).toBe(404);
  });
});

describe('overrides of a holdout', () => {
  test('are replaced, added to and removed like those of a gate', async () => {
    const { id } = await makeHoldout();
    const path = `holdouts/${id}/overrides`;
    const none = { passingUserIDs: [], failingUserIDs: [], environmentOverrides: [] };
    expect(await ok('GET', path)).toEqual(none);
    await ok('POST', path, { passingUserIDs: ['u-1'], failingUserIDs: ['u-2'] });
    expect(await ok('PATCH', path, { passingUserIDs: ['u-3'] })).toMatchObject({
      passingUserIDs: ['u-1', 'u-3'],
      failingUserIDs: ['u-2'],
    });
    expect(await faults('PATCH', path, { passingUserIDs: ['u-2'] })).toEqual(['passingUserIDs']);
    const removed = await call('DELETE', path, { body: { passingUserIDs: ['u-1'] } });
    expect([removed.body.removed, removed.data.passingUserIDs]).toEqual([1, ['u-3']]);
    await ok('PATCH', `holdouts/${id}`, { passPercentage: 5 });
    expect(await ok('GET', path)).toMatchObject({ passingUserIDs: ['u-3'] });
    expect(await ok('DELETE', path)).toEqual(none);
  });
});

describe('a segment', () => {
  test('takes ids under their own name, and lists them by pages', async () => {
    const { id } = await makeSegment({ type: 'id_list' });
    const path = `segments/${id}/id_list`;
    expect(await ok('PATCH', path, { ids: ['a', 'b'] })).toEqual({ ids: ['a', 'b'], count: 2 });
    await ok('PATCH', path, { ids: ['b', 'c'], add: ['d'], remove: ['a'] });
    expect(await faults('PATCH', path, { ids: ['a'], remove: ['a'] })).toEqual(['remove.0']);
    const whole = await call('GET', path);
    expect([whole.data.count, whole.body.pagination]).toEqual([3, undefined]);
    const first = await call('GET', `${path}?limit=2`);
    expect(first.body).toMatchObject({
      data: { ids: whole.data.ids.slice(0, 2), count: 3 },
      pagination: { itemsPerPage: 2, pageNumber: 1, totalItems: 3, previousPage: null },
    });
    const next = await call('GET', first.body.pagination.nextPage);
    expect(next.data.ids).toEqual(whole.data.ids.slice(2));
    expect(next.body.pagination.nextPage).toBeNull();
    const beyond = await call('GET', `${path}?page=9&limit=2`);
    expect(beyond.data.ids).toEqual([]);
    expect((await call('GET', beyond.body.pagination.previousPage)).data.ids).toEqual(
      next.data.ids,
    );
  });

  test('has its rules changed alone', async () => {
    const { id } = await makeSegment();
    const rules = [{ ...everyone, id: 'r1' }];
    const sent = await ok('POST', `segments/${id}/conditional`, { rules: [] });
    expect(sent.rules).toEqual([]);
    const changed = await ok('PATCH', `segments/${id}/conditional`, { rules });
    expect(changed.rules).toMatchObject(rules);
    expect(await faults('PATCH', `segments/${id}/conditional`, {})).toEqual(['rules']);
    const list = await makeSegment({ type: 'id_list' });
    expect(await faults('PATCH', `segments/${list.id}/conditional`, { rules })).toEqual(['rules']);
  });

  test('is left out of lists while it is archived, and open to no new reference', async () => {
    const tag = unique('archived');
    const { id } = await makeSegment({ tags: [tag] });
    const listed = async (query = '') =>
      (await ok('GET', `segments?tags=${encodeURIComponent(tag)}${query}`)).length;
    const naming = (name: string) => ({
      ...everyone,
      name,
      conditions: [{ type: 'passes_segment', targetValue: id }],
    });
    const gate = await makeGate({ rules: [naming('In it')] });
    expect((await call('PUT', `segments/${id}/archive`)).status).toBe(409);
    await ok('PATCH', `gates/${gate.id}`, { rules: [] });
    expect((await ok('PUT', `segments/${id}/archive`)).status).toBe('archived');
    const counts = [await listed(), await listed('&includeArchived=true')];
    expect([...counts, await listed('&status=archived')]).toEqual([0, 1, 1]);
    expect(await faults('PATCH', `gates/${gate.id}`, { rules: [naming('Again')] })).toEqual([
      'rules.0.conditions.0.targetValue',
    ]);
    expect((await ok('PUT', `segments/${id}/unarchive`)).status).toBe('active');
    await ok('PATCH', `gates/${gate.id}`, {
      rules: [naming('Again'), passing(gate.id)].slice(0, 1),
    });
    expect(await listed()).toBe(1);
  });
});
