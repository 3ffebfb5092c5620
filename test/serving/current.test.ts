import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { forgetSnapshot } from '../../src/delivery/serving/current.ts';
import { callApp, isolate } from '../support/apps.ts';
import { costOf, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { makeExperiment, makeGate, makeLayer, makeSegment } from '../support/factories.ts';
import { failingDatabase, withBatches } from '../support/faults.ts';

const passing = { name: 'All', passPercentage: 100, conditions: [{ type: 'public' }] };

const down = failingDatabase(env.DB, () => 'lost before commit');

/** The response for one flag from an isolate, and its cost. */
async function asked(id: string, bindings: { DB?: D1Database } = {}) {
  const path = `/ofrep/v1/evaluate/flags/${id}`;
  const answer = await callApp(path, { body: { context: { targetingKey: 'u-1' } }, bindings });
  return { ...answer, ...costOf(answer), value: answer.body?.value };
}

let now = 0;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  now = Date.now();
  forgetSnapshot();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Advances the clock. */
const later = (milliseconds: number) => {
  now += milliseconds;
  vi.setSystemTime(now);
};

describe('the snapshot of an isolate', () => {
  test('costs no round trip while it is fresh, and at most one row to check for changes', async () => {
    const { id } = await makeGate({ rules: [passing] });
    forgetSnapshot();
    expect(await asked(id)).toMatchObject({ status: 200, value: true, trips: 1 });
    expect(await asked(id)).toMatchObject({ value: true, trips: 0, read: 0 });
    later(999);
    expect(await asked(id)).toMatchObject({ trips: 0 });
    later(5000);
    const looked = await asked(id);
    expect(looked).toMatchObject({ value: true, trips: 1 });
    expect(looked.read).toBeLessThanOrEqual(1);
    expect(await asked(id)).toMatchObject({ trips: 0 });
  });

  test('immediately includes changes of every kind that the isolate stored', async () => {
    const gate = await makeGate({ rules: [passing] });
    expect((await asked(gate.id)).value).toBe(true);
    await ok('PUT', `gates/${gate.id}/disable`);
    expect((await asked(gate.id)).value).toBe(false);
    await ok('PUT', `gates/${gate.id}/enable`);
    expect((await asked(gate.id)).value).toBe(true);
    await ok('DELETE', `gates/${gate.id}`);
    expect((await asked(gate.id)).status).toBe(404);
    await ok('PUT', `gates/${gate.id}/versions/1/restore`);
    expect((await asked(gate.id)).value).toBe(true);
    const segment = await makeSegment({ type: 'id_list' });
    const inside = { type: 'passes_segment', targetValue: segment.id };
    const member = await makeGate({ rules: [{ ...passing, conditions: [inside] }] });
    expect((await asked(member.id)).value).toBe(false);
    await ok('PATCH', `segments/${segment.id}/id_list`, { add: ['u-1'] });
    expect((await asked(member.id)).value).toBe(true);
    const layer = await makeLayer({
      parameters: [{ name: 'size', type: 'number', defaultValue: 1 }],
    });
    expect((await asked(layer.id)).value).toEqual({ size: 1 });
    const groups = [
      { name: 'A', size: 50, parameterValues: { size: 2 } },
      { name: 'B', size: 50, parameterValues: { size: 2 } },
    ];
    const experiment = await makeExperiment({ layerID: layer.id, groups });
    await ok('PUT', `experiments/${experiment.id}/start`);
    expect((await asked(layer.id)).value).toEqual({ size: 2 });
  });

  test('is checked again if a change was stored during a check', async () => {
    const { id } = await makeGate({ rules: [passing] });
    expect((await asked(id)).value).toBe(true);
    let looks = 0;
    const DB = withBatches(env.DB, async (session, statements) => {
      const results = await session.batch<never>(statements);
      if (looks++ === 0) await ok('PUT', `gates/${id}/disable`);
      return results;
    });
    later(3000);
    expect((await asked(id, { DB })).value).toBe(true);
    expect((await asked(id)).value).toBe(false);
  });

  test('is checked again if the clock was set back, also after a failure', async () => {
    const { id } = await makeGate({ rules: [passing] });
    vi.spyOn(console, 'error').mockImplementation(() => {});
    expect((await asked(id)).value).toBe(true);
    later(3000);
    expect((await asked(id, { DB: down })).value).toBe(true);
    later(-3_600_000);
    expect(await asked(id)).toMatchObject({ value: true, trips: 1 });
    expect(await asked(id)).toMatchObject({ value: true, trips: 0 });
  });

  test('is not replaced by an older one when a first load ends after a later load', async () => {
    const { id } = await makeGate({ rules: [passing] });
    forgetSnapshot();
    const [read, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = withBatches(env.DB, async (session, statements) => {
      const results = await session.batch<never>(statements);
      read.resolve();
      await late.promise;
      return results;
    });
    const first = asked(id, { DB: slow });
    await read.promise;
    await ok('PUT', `gates/${id}/disable`);
    expect((await asked(id)).value).toBe(false);
    late.resolve();
    await first;
    expect((await asked(id)).value).toBe(false);
  });

  test('is equal whether it is updated by each revision or loaded at once', async () => {
    for (let count = 0; count < 4; count++) await asked((await makeGate({ rules: [passing] })).id);
    const before = await callApp('/ofrep/v1/evaluate/flags', {
      body: { context: { targetingKey: 'u' } },
    });
    forgetSnapshot();
    const after = await callApp('/ofrep/v1/evaluate/flags', {
      body: { context: { targetingKey: 'u' } },
    });
    expect(after.body.flags).toEqual(before.body.flags);
    expect(after.body.flags.length).toBeGreaterThan(3);
  });

  test('is loaded again after more changes than are read at once', async () => {
    const { id } = await makeGate({ rules: [passing] });
    await asked(id);
    const many = `insert into revisions (kind, id, version, action, actorID, actorName, time, requestID, snapshot, changes,
        nthOfKind, nthOfAction, nthOfActor)
      select 'metric', 'many', value, 'import', 'a', 'a', 0, 'r', '{}', '[]', value, value, value
      from json_each(?)`;
    const rows = JSON.stringify(Array.from({ length: 700 }, (_, index) => index + 1));
    await env.DB.prepare(many).bind(rows).run();
    later(5000);
    expect(await asked(id)).toMatchObject({ value: true, trips: 2 });
    later(5000);
    expect(await asked(id)).toMatchObject({ value: true, trips: 1 });
    await emptyDatabase();
  });
});

describe('the snapshot of an isolate without its database', () => {
  test('is served with its age if the database fails; without a snapshot the response is 503', async () => {
    const { id } = await makeGate({ rules: [passing] });
    expect((await asked(id)).value).toBe(true);
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    for (const seconds of [5, 10, 100]) {
      later(seconds * 1000);
      const answer = await asked(id, { DB: down });
      expect(answer).toMatchObject({ status: 200, value: true });
      expect(Number(answer.headers.get('Spec-Age'))).toBeGreaterThanOrEqual(seconds);
    }
    expect(said).toHaveBeenCalledTimes(3);
    later(1000);
    expect((await asked(id)).headers.get('Spec-Age')).toBeNull();
    forgetSnapshot();
    const cold = await asked(id, { DB: down });
    expect([cold.status, cold.headers.get('Retry-After')]).toEqual([503, '1']);
    expect(cold.body).toMatchObject({ key: id, errorCode: 'GENERAL' });
    expect((await asked(id)).value).toBe(true);
  });

  test('is checked once a second while the database fails', async () => {
    const { id } = await makeGate({ rules: [passing] });
    await asked(id);
    vi.spyOn(console, 'error').mockImplementation(() => {});
    later(5000);
    expect((await asked(id, { DB: down })).trips).toBe(1);
    for (let count = 0; count < 5; count++) expect((await asked(id, { DB: down })).trips).toBe(0);
    later(1000);
    expect((await asked(id, { DB: down })).trips).toBe(1);
    later(1000);
    await asked(id);
  });

  test('is served immediately while the database hangs, except for one request a second', async () => {
    const { id } = await makeGate({ rules: [passing] });
    await asked(id);
    let looks = 0;
    const silent = withBatches(env.DB, () => {
      looks++;
      return new Promise(() => {});
    });
    vi.spyOn(scheduler, 'wait').mockResolvedValue();
    for (const milliseconds of [5000, 1000]) {
      later(milliseconds);
      looks = 0;
      for (let count = 0; count < 5; count++)
        expect(await asked(id, { DB: silent })).toMatchObject({ status: 200, value: true });
      expect(looks).toBe(1);
    }
  });
});

describe('another isolate', () => {
  test('returns every change within two seconds', async () => {
    const { id } = await makeGate({ rules: [passing] });
    const other = await isolate();
    const value = async () => {
      const answer = await callApp(`/ofrep/v1/evaluate/flags/${id}`, { body: {}, worker: other });
      return { value: answer.body.value, trips: costOf(answer).trips };
    };
    expect(await value()).toEqual({ value: true, trips: 1 });
    for (let count = 0; count < 20; count++) {
      const wanted = count % 2 === 1;
      await ok('PUT', `gates/${id}/${wanted ? 'enable' : 'disable'}`);
      later(count % 4 === 0 ? 900 : 0);
      if (count % 4 === 0) expect(await value()).toEqual({ value: !wanted, trips: 0 });
      later(2000);
      expect(await value()).toEqual({ value: wanted, trips: 1 });
    }
  });

  test('checks for changes after the response while its snapshot is one to two seconds old', async () => {
    const { id } = await makeGate({ rules: [passing] });
    const other = await isolate();
    const waiting: Promise<unknown>[] = [];
    const value = async () => {
      const answer = await callApp(`/ofrep/v1/evaluate/flags/${id}`, {
        body: {},
        worker: other,
        waiting,
      });
      return { value: answer.body.value, trips: costOf(answer).trips };
    };
    await value();
    await ok('PUT', `gates/${id}/disable`);
    later(1500);
    expect(await value()).toEqual({ value: true, trips: 0 });
    expect(await value()).toMatchObject({ trips: 0 });
    expect(waiting).toHaveLength(2); // the first request schedules a write of checks
    await waiting[1];
    expect(await value()).toEqual({ value: false, trips: 0 });
  });
});
