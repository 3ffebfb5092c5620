import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { jobs } from '../../src/scheduled/jobs.ts';
import { runJobs } from '../../src/scheduled/run.ts';
import { callApp, evaluateAll, evaluateFlag, keyOf } from '../support/apps.ts';
import { call, costOf, invalidPropertiesOf, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { makeGate, makeHoldout } from '../support/factories.ts';
import { failingDatabase, withBatches } from '../support/faults.ts';

const hourLength = 3_600_000;
const noon = Date.UTC(2026, 5, 1, 12, 30);
const hour = Math.floor(noon / hourLength);
const onlyFirst = [{ type: 'user_id', operator: 'any', targetValue: ['u-1'] }];

const rows = async () =>
  (
    await env.DB.prepare(
      'select hour, gateID, ruleID, checks, passes, fails from gate_checks order by hour, gateID, ruleID',
    ).all()
  ).results.map((row) => Object.values(row));

/** Sends requests at one time whose checks are written together at the end. */
function heldBack() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting: Promise<unknown>[] = [];
  vi.spyOn(scheduler, 'wait').mockReturnValue(promise);
  const write = () => {
    resolve();
    return Promise.all(waiting);
  };
  return { waiting, write };
}

const exposure = (gate: string, ruleID: string, passes: boolean) => ({
  eventName: 'statsig::gate_exposure',
  user: { userID: 'u-1' },
  metadata: { gate, ruleID, gateValue: String(passes) },
});

const firstRule = { id: 'first', name: 'First', passPercentage: 100, conditions: onlyFirst };

beforeEach(async () => {
  await emptyDatabase();
  vi.useFakeTimers({ toFake: ['Date'], now: noon });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('the checks of a gate', () => {
  test('are counted by rule and hour, with a row for all gates', async () => {
    const { id } = await makeGate({ id: 'checked', rules: [firstRule] });
    const { waiting, write } = heldBack();
    for (const targetingKey of ['u-1', 'u-1', 'u-2'])
      await evaluateFlag(id, { targetingKey }, { waiting });
    expect(await rows()).toEqual([]);
    vi.setSystemTime(noon + hourLength);
    await evaluateFlag(id, { targetingKey: 'u-1' }, { waiting });
    await write();
    expect(await rows()).toEqual([
      [hour, '', '', 3, 2, 1],
      [hour, 'checked', 'default', 1, 0, 1],
      [hour, 'checked', 'first', 2, 2, 0],
      [hour + 1, '', '', 1, 1, 0],
      [hour + 1, 'checked', 'first', 1, 1, 0],
    ]);
    expect(await ok('GET', 'gates/checked/checks')).toEqual({
      startTime: (hour - 22) * hourLength,
      hours: [
        { time: hour * hourLength, ruleID: 'default', checks: 1, passes: 0, fails: 1 },
        { time: hour * hourLength, ruleID: 'first', checks: 2, passes: 2, fails: 0 },
        { time: (hour + 1) * hourLength, ruleID: 'first', checks: 1, passes: 1, fails: 0 },
      ],
    });
    expect(await ok('GET', 'gate_checks')).toEqual({
      startTime: (hour - 22) * hourLength,
      hours: [
        { time: hour * hourLength, checks: 3, passes: 2, fails: 1 },
        { time: (hour + 1) * hourLength, checks: 1, passes: 1, fails: 0 },
      ],
    });
  });

  test('of a delivery are written later, together with those of evaluations', async () => {
    const { id } = await makeGate({ id: 'checked', rules: [firstRule] });
    const holdout = await makeHoldout({ gateIDs: [id] });
    const { waiting, write } = heldBack();
    const events = [
      exposure(id, 'first', true),
      exposure(id, holdout.id, false),
      exposure(id, 'pass:all:userID:id_override', true),
      { eventName: 'statsig::non_exposed_checks', metadata: { checks: { [id]: 5 } } },
    ];
    const response = await callApp('/v1/log_event', { body: { events }, waiting });
    expect(response.status).toBe(202);
    await evaluateFlag(id, { targetingKey: 'u-2' }, { waiting });
    expect(await rows()).toEqual([]);
    await write();
    expect(await rows()).toEqual([
      [hour, '', '', 9, 2, 2],
      [hour, 'checked', '', 5, 0, 0],
      [hour, 'checked', 'default', 1, 0, 1],
      [hour, 'checked', 'first', 1, 1, 0],
      [hour, 'checked', 'holdout', 1, 0, 1],
      [hour, 'checked', 'override', 1, 1, 0],
    ]);
  });

  test('of a hostile client make no row for an unknown gate, and one for all unknown rules', async () => {
    const { id } = await makeGate({ id: 'checked', rules: [firstRule] });
    const key = await keyOf('CLIENT');
    const { waiting, write } = heldBack();
    const events = Array.from({ length: 900 }, (_, index) =>
      index % 2 === 0
        ? exposure(id, `invented-${index}`, true)
        : exposure(`invented-${index}`, 'first', true),
    );
    const past = events.map((event, index) => ({ ...event, time: noon - index * hourLength }));
    for (const body of [{ events }, { events: past }])
      expect((await callApp('/v1/log_event', { body, key, waiting })).status).toBe(202);
    await write();
    expect(await rows()).toEqual([
      [hour, '', '', 900, 900, 0],
      [hour, 'checked', '', 900, 900, 0],
    ]);
  });

  test('are not made by an evaluation of all flags', async () => {
    await makeGate();
    const { waiting, write } = heldBack();
    await evaluateAll({ targetingKey: 'u-1' }, { waiting });
    await write();
    expect(await rows()).toEqual([]);
  });

  test('are written again after a failure, and then every 15 minutes in one batch with a row each', async () => {
    const { id } = await makeGate({ id: 'checked', rules: [firstRule] });
    const { waiting, write } = heldBack();
    const written: number[] = [];
    const DB = withBatches(env.DB, async (session, statements) => {
      const results = await session.batch<never>(statements);
      const count = results.reduce((sum, { meta }) => sum + meta.rows_written, 0);
      if (count > 0) written.push(count);
      return results;
    });
    const down = { DB: failingDatabase(env.DB, () => 'lost before commit') };
    await callApp('/v1/initialize', { body: {} }); // loads the project
    await evaluateFlag(id, { targetingKey: 'u-1' }, { waiting, bindings: down });
    await write();
    expect(await rows()).toEqual([]);
    for (const minutes of [7, 8, 14, 15, 28]) {
      vi.setSystemTime(noon + minutes * 60_000);
      await evaluateFlag(id, { targetingKey: 'u-1' }, { waiting, bindings: { DB } });
      await Promise.all(waiting);
    }
    expect(written).toEqual([3, 1, 3]); // with one row of the checks of the gate
    expect(await rows()).toEqual([
      [hour, '', '', 6, 6, 0],
      [hour, 'checked', 'first', 6, 6, 0],
    ]);
  });

  test('of an earlier gate with the same ID are not listed', async () => {
    await env.DB.prepare("insert into gate_checks values ('again', ?1, 'old', 7, 7, 0)")
      .bind(hour - 2)
      .run();
    await makeGate({ id: 'again' });
    expect((await ok('GET', 'gates/again/checks')).hours).toEqual([]);
  });
});

describe('reading checks', () => {
  const fill = async (days: number) => {
    await env.DB.prepare(
      `with recursive n (n) as (select 0 union all select n + 1 from n where n < ?1)
       insert into gate_checks
       select value, ?2 - n, iif(value = '', '', 'default'), 3, 2, 1
       from n, json_each('["", "checked", "other"]')`,
    )
      .bind(days * 24 - 1, hour)
      .run();
  };

  test('takes one round trip, and reads a row for each hour and rule', async () => {
    vi.setSystemTime(noon - 40 * 24 * hourLength);
    await makeGate({ id: 'checked' });
    vi.setSystemTime(noon);
    await fill(35);
    const one = await call('GET', 'gates/checked/checks');
    expect([one.data.hours.length, costOf(one)]).toEqual([24, { trips: 1, read: 26, written: 0 }]);
    const all = await call('GET', 'gate_checks?days=30');
    expect([all.data.hours.length, costOf(all)]).toEqual([
      720,
      { trips: 1, read: 721, written: 0 },
    ]);
  });

  test('takes 1 to 30 days', async () => {
    const { id } = await makeGate();
    for (const path of [`gates/${id}/checks`, 'gate_checks']) {
      for (const days of ['0', '31', '1.5', '', 'all'])
        expect(await invalidPropertiesOf('GET', `${path}?days=${days}`, undefined)).toEqual([
          'days',
        ]);
      expect(await invalidPropertiesOf('GET', `${path}?hours=1`, undefined)).toEqual(['hours']);
    }
    expect((await call('GET', 'gates/none/checks')).status).toBe(404);
  });

  test('refuses days with more counts than a response may have', async () => {
    await makeGate({ id: 'checked' });
    await env.DB.prepare(
      `with recursive n (n) as (select 0 union all select n + 1 from n where n < 50000)
       insert into gate_checks select 'checked', ?1 - n % 24, n, 1, 1, 0 from n`,
    )
      .bind(hour)
      .run();
    expect(await invalidPropertiesOf('GET', 'gates/checked/checks', undefined)).toEqual(['days']);
  });

  test('finds the hours of the last 30 days only: older ones are deleted', async () => {
    await fill(35);
    await runJobs(jobs, env);
    const { results } = await env.DB.prepare(
      'select min(hour) as first, count(*) as count from gate_checks',
    ).all();
    expect(results).toEqual([{ first: hour - 720, count: 721 * 3 }]);
  });
});
