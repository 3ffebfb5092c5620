import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { forgetCounts } from '../../src/delivery/serving/count.ts';
import { callApp, evaluateFlag, keyOf } from '../support/apps.ts';
import { ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import {
  makeExperiment,
  makeGate,
  makeHoldout,
  makeLayer,
  makeStartedAutotune,
  makeTargetApp,
} from '../support/factories.ts';

const everyone = [{ type: 'public' }];
const users = Array.from({ length: 40 }, (_, index) => `u-${index}`);
const minute = 60_000;

const rows = async (table: string) =>
  (await env.DB.prepare(`select * from ${table}`).all()).results;

const report = (events: object[], key?: string) =>
  callApp('/v1/log_event', { body: { events }, ...(key !== undefined && { key }) });

const ofConfig = (config: string, ruleID: string, userID: string, more: object = {}) => ({
  eventName: 'statsig::config_exposure',
  user: { userID },
  metadata: { config, ruleID, rulePassed: 'true' },
  ...more,
});

const ofGate = (gate: string, ruleID: string, passes: boolean, userID: string) => ({
  eventName: 'statsig::gate_exposure',
  user: { userID },
  metadata: { gate, ruleID, gateValue: String(passes) },
});

/** Starts an experiment, and advances the clock by a minute. */
async function running(given: Record<string, unknown> = {}) {
  const { id } = await makeExperiment(given);
  const { startTime: start, groups } = await ok('PUT', `experiments/${id}/start`);
  vi.setSystemTime(start + minute);
  return { id, start, groups: groups.map((group: { id: string }) => group.id) };
}

const exposureHealth = async (id: string): Promise<string> =>
  (await ok('GET', 'experiments')).find((each: { id: string }) => each.id === id).healthChecks[0]
    .description;

/** The stored units by group. */
const stored = async () =>
  Object.fromEntries((await rows('exposures')).map(({ unit, group }) => [unit, group]));

beforeEach(async () => {
  await emptyDatabase();
  forgetCounts();
  vi.useFakeTimers({ toFake: ['Date'] });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** The group of each user, from the service's own evaluation. */
async function drawnGroups(id: string) {
  const drawn = await Promise.all(
    users.map(async (targetingKey) => (await evaluateFlag(id, { targetingKey })).metadata.ruleID),
  );
  return Object.fromEntries(users.map((user, index) => [user, drawn[index]]));
}

describe('a report by a client key of a stored exposure', () => {
  const attributes = (appVersion: string) => ({ user: { userID: 'u-1', appVersion } });

  /** An experiment with the group of u-1 first. */
  async function withDrawn() {
    const { id, groups, start } = await running();
    const { ruleID } = (await evaluateFlag(id, { targetingKey: 'u-1' })).metadata;
    forgetCounts();
    return { id, start, own: ruleID, other: groups.find((group: string) => group !== ruleID) };
  }

  test.each(['SERVER', 'CLIENT'] as const)(
    'of a %s key changes neither its time nor its attributes',
    async (type) => {
      const { id, start, own } = await withDrawn();
      const exposed = ofConfig(id, own, 'u-1', { time: start + 30_000, ...attributes('1.0') });
      await report([exposed], await keyOf(type));
      const before = await rows('exposures');
      expect(before).toMatchObject([{ firstTime: start + 30_000, sender: type.toLowerCase() }]);
      const forged = { ...exposed, time: start + 1, ...attributes('forged') };
      await report([forged], await keyOf('CLIENT'));
      expect(await rows('exposures')).toEqual(before);
    },
  );

  test('is confirmed by a later report of a server, whose earlier time counts', async () => {
    const { id, start, own } = await withDrawn();
    const exposed = ofConfig(id, own, 'u-1', { time: start + 30_000, ...attributes('1.0') });
    await report([exposed], await keyOf('CLIENT'));
    const later = { ...exposed, time: start + 40_000, ...attributes('2.0') };
    await report([later], await keyOf('SERVER'));
    expect(await rows('exposures')).toMatchObject([
      { firstTime: start + 30_000, attributes: '{"appVersion":"1.0"}', sender: 'server' },
    ]);
    await report([{ ...exposed, time: start + 10_000 }], await keyOf('SERVER'));
    expect(await rows('exposures')).toMatchObject([{ firstTime: start + 10_000 }]);
    expect(await rows('exposure_counts')).toMatchObject([{ units: 1 }]);
  });

  test('is left out and counted if a server reported the unit in another group', async () => {
    const { id, own, other } = await withDrawn();
    await report([ofConfig(id, other, 'u-1')], await keyOf('SERVER'));
    const { body } = await report([ofConfig(id, own, 'u-1')], await keyOf('CLIENT'));
    expect(body.leftOut).toEqual({ exposures: { of_server: 1 } });
    expect(await stored()).toEqual({ 'u-1': other });
    expect(await exposureHealth(id)).toContain('1 report was ignored');
  });

  test('is left out and counted as well if it comes of an evaluation', async () => {
    const { id, other } = await withDrawn();
    await report([ofConfig(id, other, 'u-1')], await keyOf('SERVER'));
    const waiting: Promise<unknown>[] = [];
    const key = await keyOf('CLIENT');
    await evaluateFlag(
      id,
      { targetingKey: 'u-1' },
      { key, waiting, bindings: { ROWS: undefined } },
    );
    await Promise.all(waiting);
    expect(await stored()).toEqual({ 'u-1': other });
    expect(await exposureHealth(id)).toContain('1 report was ignored');
  });

  test('is stored for another rule of a gate than a server reported', async () => {
    const rules = ['One', 'Two'].map((name) => ({
      name,
      passPercentage: 50,
      conditions: everyone,
    }));
    const gate = await makeGate({ rules, measureMetricLifts: true });
    const [one, two] = gate.rules.map(({ id }: { id: string }) => id);
    const sides = [true, false];
    await report([ofGate(gate.id, one, true, 'u-1')], await keyOf('SERVER'));
    const { body } = await report(
      [one, two].flatMap((rule) => sides.map((passes) => ofGate(gate.id, rule, passes, 'u-1'))),
      await keyOf('CLIENT'),
    );
    const groups = (await rows('exposures')).map(({ group }) => group);
    expect(groups).toHaveLength(2);
    expect(groups).toContain(`${one}:on`);
    expect(groups.some((group) => String(group).startsWith(two))).toBe(true);
    expect(body.leftOut.exposures).toBeDefined();
  });
});

describe('reports by a client key', () => {
  test("store only the group of the unit's bucket, and health counts the others", async () => {
    const { id, groups } = await running({ allocation: 50 });
    const drawn = await drawnGroups(id);
    forgetCounts();
    const key = await keyOf('CLIENT');
    const all = users.flatMap((user) => groups.map((group: string) => ofConfig(id, group, user)));
    expect((await report(all, key)).status).toBe(202);
    const inGroups = Object.entries(drawn).filter(([, group]) => groups.includes(group));
    expect(inGroups.length).toBeGreaterThan(5);
    expect(inGroups.length).toBeLessThan(users.length - 5);
    expect(await stored()).toEqual(Object.fromEntries(inGroups));
    const leftOut = all.length - inGroups.length;
    expect(await exposureHealth(id)).toContain(`${leftOut} reports were ignored`);
  });

  test("store only the variant of the unit's bucket for an autotune", async () => {
    const { id, variants } = await makeStartedAutotune();
    vi.setSystemTime(Date.now() + minute);
    const drawn = await drawnGroups(id);
    forgetCounts();
    const names = variants.map(({ name }: { name: string }) => name);
    const all = users.flatMap((user) => names.map((name: string) => ofConfig(id, name, user)));
    await report(all, await keyOf('CLIENT'));
    expect(await stored()).toEqual(drawn);
  });

  test("store only the unit's side of a measured gate and of a holdout", async () => {
    const rules = [{ name: 'Half', passPercentage: 50, conditions: everyone }];
    const gate = await makeGate({ measureMetricLifts: true, rules });
    const held = await makeGate();
    const holdout = await makeHoldout({ passPercentage: 10, gateIDs: [held.id] });
    vi.setSystemTime(Date.now() + minute);
    const many = Array.from({ length: 200 }, (_, index) => `u-${index}`);
    const [{ id: ruleID }] = gate.rules;
    const drawn = new Map<string, string[]>();
    for (const targetingKey of many) {
      const [own, other] = [
        await evaluateFlag(gate.id, { targetingKey }),
        await evaluateFlag(held.id, { targetingKey }),
      ];
      drawn.set(targetingKey, [
        `${ruleID}:${own.value ? 'on' : 'off'}`,
        String(other.metadata.ruleID === holdout.id),
      ]);
    }
    forgetCounts();
    const all = [true, false].flatMap((passes) =>
      many.map((user) => ({
        ...ofGate(gate.id, ruleID, passes, user),
        secondaryExposures: [{ gate: holdout.id, gateValue: String(passes), ruleID: 'holdout' }],
      })),
    );
    await report(all, await keyOf('CLIENT'));
    const kept = await rows('exposures');
    const sidesOf = (wanted: string) =>
      kept.filter(({ kind }) => kind === wanted).map(({ unit, group }) => [unit, group]);
    expect(Object.fromEntries(sidesOf('gate'))).toEqual(
      Object.fromEntries(many.map((user) => [user, drawn.get(user)?.[0]])),
    );
    expect(sidesOf('holdout').length).toBeGreaterThan(15);
    for (const [user, side] of sidesOf('holdout'))
      expect([user, side]).toEqual([user, drawn.get(String(user))?.[1]]);
  });

  test('store the group of an experiment in a layer only for units in its buckets', async () => {
    const { id: layerID } = await makeLayer({ parameters: [] });
    const { id, groups } = await running({ layerID, allocation: 30 });
    const drawn = await drawnGroups(layerID);
    forgetCounts();
    const key = await keyOf('CLIENT');
    await report(
      users.flatMap((user) => groups.map((group: string) => ofConfig(id, group, user))),
      key,
    );
    const inGroups = Object.entries(drawn).filter(([, group]) => groups.includes(group));
    expect(inGroups.length).toBeGreaterThan(0);
    expect(await stored()).toEqual(Object.fromEntries(inGroups));
  });

  test('store the group after assignment was stopped, for units that were in it', async () => {
    const { id, groups } = await running();
    const drawn = await drawnGroups(id);
    forgetCounts();
    await ok('PUT', `experiments/${id}/stop_assignment`);
    await report(
      users.flatMap((user) => groups.map((group: string) => ofConfig(id, group, user))),
      await keyOf('CLIENT'),
    );
    expect(await stored()).toEqual(drawn);
  });
});

describe('reports by any key', () => {
  test('count only after the start of a run, and never move a first time before it', async () => {
    const { id, start, groups } = await running();
    const at = (time: number) => report([ofConfig(id, groups[0], 'u-1', { time })]);
    await at(start + 5000);
    await at(start - 1);
    expect(await rows('exposures')).toMatchObject([{ firstTime: start + 5000 }]);
    await at(start);
    expect(await rows('exposures')).toMatchObject([{ firstTime: start }]);
    expect(await exposureHealth(id)).toContain('1 report was ignored');
  });

  test('do not count for an experiment in setup, reset, decided or archived', async () => {
    const { id, groups } = await makeExperiment({ enabledNonProdEnvironments: ['development'] });
    const seen = (user: string) => report([ofConfig(id, groups[0].id, user)]);
    await seen('setup');
    await ok('PUT', `experiments/${id}/start`);
    vi.setSystemTime(Date.now() + minute);
    await seen('active');
    await ok('PUT', `experiments/${id}/make_decision`, { id: groups[0].id, decisionReason: 'So.' });
    await seen('decided');
    await ok('PUT', `experiments/${id}/archive`);
    await seen('archived');
    expect(Object.keys(await stored())).toEqual(['active']);
  });

  test.each(['CLIENT', 'SERVER'] as const)(
    'are ignored if a %s key of another app may not evaluate the entity',
    async (type) => {
      const [own, other] = [await makeTargetApp(), await makeTargetApp()];
      const { id, groups } = await running({ targetApps: [other.id] });
      const gate = await makeGate({ targetApps: [other.id] });
      const key = await keyOf(type, { targetAppID: own.id });
      await report(
        [
          ...users.map((user) => ofConfig(id, groups[0], user)),
          ofGate(gate.id, 'default', false, 'u-1'),
          { eventName: 'statsig::non_exposed_checks', metadata: { checks: { [gate.id]: 7 } } },
        ],
        key,
      );
      expect([await rows('exposures'), await rows('checks')]).toEqual([[], []]);
      await report([ofGate(gate.id, 'default', false, 'u-1')], await keyOf(type));
      expect(await rows('checks')).toMatchObject([{ id: gate.id, count: 1 }]);
    },
  );

  test('are ignored for a rule of an environment that the key lacks', async () => {
    const rules = [
      {
        id: 'r1',
        name: 'Half',
        passPercentage: 50,
        conditions: everyone,
        environments: ['staging'],
      },
    ];
    const gate = await makeGate({ measureMetricLifts: true, rules });
    vi.setSystemTime(Date.now() + minute);
    const reported = [ofGate(gate.id, 'r1', true, 'u-1')];
    await report(reported, await keyOf('SERVER', { environments: ['production'] }));
    expect(await rows('exposures')).toEqual([]);
    await report(reported, await keyOf('SERVER', { environments: ['staging'] }));
    expect(await rows('exposures')).toHaveLength(1);
  });

  test('are trusted about the group if the key is of a server', async () => {
    const { id, groups } = await running();
    await report(
      users.map((user) => ofConfig(id, groups[0], user)),
      await keyOf('SERVER'),
    );
    expect(Object.values(await stored())).toEqual(users.map(() => groups[0]));
  });
});

describe('private attributes', () => {
  const dimensions = { preComputedUserDimensions: [{ name: 'plan' }, { name: 'color' }] };
  const user = {
    userID: 'u-1',
    custom: { color: 'red' },
    privateAttributes: { plan: 'pro', color: 'blue' },
  };

  test('are not stored with an exposure that an SDK reports', async () => {
    const { id, groups } = await running(dimensions);
    await report([ofConfig(id, groups[0], 'u-1', { user })]);
    expect(await rows('exposures')).toMatchObject([{ attributes: '{"color":"red"}' }]);
  });

  test.each([
    ['OFREP', (id: string) => evaluateFlag(id, { targetingKey: 'u-1', ...user })],
    ['get_config', (id: string) => callApp('/v1/get_config', { body: { configName: id, user } })],
  ])('are not stored with an exposure by %s, although they decide it', async (_, evaluate) => {
    vi.spyOn(scheduler, 'wait').mockResolvedValue(undefined);
    const conditions = [
      { type: 'custom_field', field: 'plan', operator: 'any', targetValue: ['pro'] },
    ];
    const inlineTargetingRulesJSON = JSON.stringify([
      { name: 'Pro', passPercentage: 100, conditions },
    ]);
    const { id } = await running({ ...dimensions, inlineTargetingRulesJSON });
    await evaluate(id);
    await vi.waitFor(async () => expect(await rows('exposures')).toHaveLength(1));
    expect(await rows('exposures')).toMatchObject([{ attributes: '{"color":"red"}' }]);
  });
});
