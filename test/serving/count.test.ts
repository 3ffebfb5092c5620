import { env } from 'cloudflare:workers';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { recordChecks } from '../../src/data/exposures/recording.ts';
import { checkOf, checksOfEvents } from '../../src/delivery/serving/checks.ts';
import { forgetCounts } from '../../src/delivery/serving/count.ts';
import { loadSnapshot } from '../../src/delivery/serving/snapshot.ts';
import { bucketOf, djb2 } from '../../src/engine/evaluation/hash.ts';
import type { ParameterValues } from '../../src/engine/evaluation/spec.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { callApp, evaluateAll, evaluateFlag, keyOf } from '../support/apps.ts';
import type { Parameter } from '../support/bodies.ts';
import { ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import {
  makeAutotune,
  makeDynamicConfig,
  makeExperiment,
  makeGate,
  makeHoldout,
  makeLayer,
  makeParamStore,
  makeStartedAutotune,
} from '../support/factories.ts';
import { failingDatabase } from '../support/faults.ts';

const everyone = [{ type: 'public' }];
const onlyFirst = { type: 'user_id', operator: 'any', targetValue: ['u-1'] };
const sdk = { sdkType: 'js-client', sdkVersion: '3', stableID: 's-1' };

const log = (events: unknown, options: object = {}) =>
  callApp('/v1/log_event', { body: { events, statsigMetadata: sdk }, ...options });

const rows = async (table: string) =>
  (await env.DB.prepare(`select * from ${table}`).all()).results;

/** A running experiment with two equal groups, and the IDs of its groups. */
async function running(given: Record<string, unknown> = {}) {
  const { id } = await makeExperiment(given);
  const started = await ok('PUT', `experiments/${id}/start`);
  return {
    id,
    start: started.startTime,
    groups: started.groups.map((group: { id: string }) => group.id),
  };
}

const configExposure = (config: string, ruleID: string, userID: string, more: object = {}) => ({
  eventName: 'statsig::config_exposure',
  user: { userID },
  metadata: { config, ruleID, rulePassed: 'true' },
  ...more,
});

const gateExposure = (gate: string, ruleID: string, passes: boolean, userID: string) => ({
  eventName: 'statsig::gate_exposure',
  user: { userID },
  metadata: { gate, ruleID, gateValue: String(passes) },
});

/** Keeps counts pending until they are written; the clock stays within one hour. */
function heldBack() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting: Promise<unknown>[] = [];
  const wait = vi.spyOn(scheduler, 'wait').mockReturnValue(promise);
  vi.useFakeTimers({ toFake: ['Date'] });
  const write = () => {
    resolve();
    return Promise.all(waiting);
  };
  return { waiting, write, wait };
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

beforeEach(async () => {
  await emptyDatabase();
  forgetCounts();
});

describe('an event that an SDK logs', () => {
  test('has a name of whole characters at any length, and is not stored if no path can contain the name', async () => {
    const names = [`${'x'.repeat(199)}😀`, '.', '..'];
    await log(names.map((eventName) => ({ eventName, user: { userID: 'u-1' } })));
    expect(await ok('GET', 'events')).toMatchObject([{ name: names[0] }]);
  });

  test('is stored with its exposures and checks', async () => {
    for (const name of ['companyID', 'stableID'])
      await ok('POST', 'unit_id_types', { name, description: '' });
    vi.useFakeTimers({ toFake: ['Date'] });
    const { id, start, groups } = await running({ preComputedUserDimensions: [{ name: 'plan' }] });
    vi.setSystemTime(start + 60_000);
    const time = start + 55_000;
    const answer = await log([
      {
        eventName: 'purchase',
        user: { userID: 'u-1', customIDs: { companyID: 'c-1' } },
        value: 19.9,
        metadata: { currency: 'EUR' },
        time,
      },
      configExposure(id, groups[1], 'u-1', {
        time,
        user: { userID: 'u-1', custom: { plan: 'pro', income: 9 } },
      }),
      { eventName: 'statsig::diagnostics', metadata: {} },
    ]);
    expect([answer.status, answer.body]).toEqual([202, { success: true }]);
    expect(await ok('GET', 'events')).toEqual([
      {
        timestamp: String(time),
        name: 'purchase',
        source: 'js-client',
        value: '19.9',
        userID: 'u-1',
        metadata: { currency: 'EUR' },
        sender: 'server',
        eventID: null,
      },
    ]);
    expect(await ok('GET', 'events/purchase')).toHaveLength(1);
    expect(await rows('event_units')).toEqual(
      [
        ['companyid', 'c-1'],
        ['stableid', 's-1'],
        ['userid', 'u-1'],
      ].map(([unitType, unitID]) => ({
        unitType,
        unitID,
        name: 'purchase',
        timestamp: time,
        seq: 1,
        number: 19.9,
      })),
    );
    expect(await rows('exposures')).toEqual([
      {
        kind: 'experiment',
        id,
        start,
        unitType: 'userid',
        unit: 'u-1',
        group: groups[1],
        firstTime: time,
        draw: bucketOf(`analysis.experiment.${id}.u-1`, 10_000),
        attributes: '{"sdkType":"js-client","plan":"pro"}',
        sender: 'server',
      },
    ]);
    expect(await rows('exposure_counts')).toEqual([
      { kind: 'experiment', id, start, group: groups[1], units: 1 },
    ]);
    expect(await rows('checks')).toMatchObject([
      {
        kind: 'experiment',
        id,
        count: 1,
        previous: 0,
        lastTrue: expect.any(Number),
        lastFalse: null,
      },
    ]);
  });

  test("is never stored with a time in the future, regardless of the sender's clock", async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { id, groups } = await running();
    const [now, time] = [Date.now(), Date.now() + 60_000];
    await log([configExposure(id, groups[0], 'u-1', { time }), { eventName: 'purchase', time }]);
    expect(await rows('exposures')).toMatchObject([{ firstTime: now }]);
    expect(await ok('GET', 'events')).toMatchObject([{ timestamp: String(now) }]);
  });

  test('uses the IDs of its user, and its own stable ID before the one of the delivery', async () => {
    for (const name of ['teamID', 'companyID', 'groupID', 'stableID'])
      await ok('POST', 'unit_id_types', { name, description: '' });
    const user = { userID: '', customIDs: { teamID: null, companyID: '', groupID: 7 } };
    await log([{ eventName: 'purchase', user, statsigMetadata: { stableID: 's-2' } }]);
    const units = (await rows('event_units')).map(({ unitType, unitID }) => [unitType, unitID]);
    expect(units).toEqual([
      ['groupid', '7'],
      ['stableid', 's-2'],
    ]);
  });

  test('reports whether a gate passed as text or as a boolean', async () => {
    const rules = [{ id: 'r1', name: 'A', passPercentage: 50, conditions: everyone }];
    const gate = await makeGate({ rules, measureMetricLifts: true });
    const { metadata, ...event } = gateExposure(gate.id, 'r1', true, 'u-1');
    const holdout = await makeHoldout();
    const secondaryExposures = [{ gate: holdout.id, gateValue: true, ruleID: 'holdout' }];
    await log([{ ...event, metadata: { ...metadata, gateValue: true }, secondaryExposures }]);
    const exposures = await rows('exposures');
    const groupOf = (id: string) => exposures.find((row) => row.id === id)?.group;
    expect([groupOf(gate.id), groupOf(holdout.id)]).toEqual(['r1:on', 'true']);
  });

  test('is not confirmed with 202 if it was not written, so that the SDK resends it', async () => {
    const events = [{ eventName: 'purchase', user: { userID: 'u-1' } }];
    await log([]);
    const down = { DB: failingDatabase(env.DB, () => 'lost before commit') };
    expect((await log(events, { bindings: down })).status).toBe(503);
    expect((await log(events)).status).toBe(202);
    expect(await rows('events')).toHaveLength(1);
  });
});

describe('an event with checks', () => {
  test('counts as a check of the current hour along with the previous hour, in any order of arrival', async () => {
    const db = openDatabase(env.DB, 'first-primary');
    const checked = async (hour: number, count: number) => {
      const check = { kind: 'gate', id: 'checked', hour, count, previous: 0 };
      await db.batch(...recordChecks([{ ...check, lastTrue: hour, lastFalse: null }]));
      const all = await rows('checks');
      return all.map((row) => [row.hour, row.count, row.previous, row.lastTrue]);
    };
    expect(await checked(100, 1)).toEqual([[100, 1, 0, 100]]);
    expect(await checked(100, 2)).toEqual([[100, 3, 0, 100]]);
    expect(await checked(101, 4)).toEqual([[101, 4, 3, 101]]);
    expect(await checked(100, 8)).toEqual([[101, 4, 11, 101]]);
    expect(await checked(99, 16)).toEqual([[101, 4, 11, 101]]);
    expect(await checked(103, 32)).toEqual([[103, 32, 0, 103]]);
  });

  test('stores the last time of each result when several checks are pending', async () => {
    const snapshot = await loadSnapshot(openDatabase(env.DB, 'first-primary'));
    const gate = { kind: 'gate', id: 'checked' };
    const waiting = [5, 8].map((time) => checkOf(gate, 1, time, true));
    waiting.push(checkOf(gate, 1, 6, false));
    for (const further of [waiting, waiting.toReversed()])
      expect(checksOfEvents([], snapshot, 7, further)).toMatchObject([
        { ...gate, count: 3, lastTrue: 8, lastFalse: 6 },
      ]);
  });

  test('counts a unit once, and a check each time it is delivered', async () => {
    vi.useFakeTimers({ toFake: ['Date'] }); // keeps the clock within one hour
    const { id, groups } = await running();
    const events = Array.from({ length: 500 }, (_, index) =>
      configExposure(id, groups[index % 2], `u-${index}`),
    );
    const first = await log(events);
    const again = await log(events);
    expect([first.status, again.status]).toEqual([202, 202]);
    const zipped = await callApp('/v1/rgstr?gz=1', {
      raw: gzipSync(JSON.stringify({ events, statsigMetadata: sdk })),
    });
    expect(zipped.status).toBe(202);
    await log([...events].reverse());
    await log(events, { key: await keyOf('SERVER') }); // another app may report equal checks
    expect((await rows('checks'))[0]).toMatchObject({ count: 2500 });
    expect(await rows('exposures')).toHaveLength(500);
    expect((await rows('exposure_counts')).map(({ units }) => units)).toEqual([250, 250]);
  });

  test('counts the reported number of checks, up to the maximum', async () => {
    const [gate, config] = [await makeGate(), await makeDynamicConfig()];
    const checks = { [gate.id]: 1_000_000, [config.id]: 1_000_001, none: 1 };
    await log([{ eventName: 'statsig::non_exposed_checks', metadata: { checks } }]);
    const checked = (await rows('checks')).map(({ id, count }) => [id, count]);
    expect(checked).toEqual([[gate.id, 1_000_000]]);
  });
});

describe('an exposure event', () => {
  test('keeps the earliest time of an exposure', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { id, start, groups } = await running();
    vi.setSystemTime(start + 10_000);
    const seen = (after: number) =>
      configExposure(id, groups[0], 'u-1', { time: Number(start) + after });
    const firstTime = async () => Number((await rows('exposures'))[0]?.firstTime) - Number(start);
    await log([seen(3000)]);
    await log([seen(5000)]);
    expect(await firstTime()).toBe(3000);
    await log([seen(1000)]);
    expect(await firstTime()).toBe(1000);
    await log([seen(900.75)]);
    expect(await firstTime()).toBe(900);
    await log([300, 200, 400].map(seen));
    expect(await firstTime()).toBe(200);
    expect((await rows('exposure_counts'))[0]).toMatchObject({ units: 1 });
  });

  test('records no exposure without a bucket: overrides, plain gates, units in no group', async () => {
    const { id, groups } = await running();
    const plain = await makeGate({
      rules: [{ name: 'Half', passPercentage: 50, conditions: everyone }],
    });
    const holdout = await makeHoldout();
    await makeGate({ id: holdout.id });
    const { id: both } = await makeHoldout();
    const { id: tuned, variants } = await makeStartedAutotune();
    const decision = { id: variants[0].name, decisionReason: 'Best.' };
    await ok('PUT', `autotunes/${tuned}/make_decision`, decision);
    await log([
      configExposure(tuned, variants[0].name, 'u-1'),
      configExposure(id, `${groups[0]}:userID:id_override`, 'u-1'),
      configExposure(id, 'layerAssignment', 'u-2'),
      configExposure('no_such_config', 'any', 'u-2'),
      configExposure(id, groups[0], ''),
      configExposure(id, groups[0], 'x'.repeat(257)),
      gateExposure(plain.id, plain.rules[0].id, true, 'u-1'),
      {
        ...gateExposure('no_such_gate', 'any', true, 'u-1'),
        secondaryExposures: [
          { gate: both, gateValue: 'true', ruleID: 'id_override' },
          { gate: holdout.id, gateValue: 'true', ruleID: 'holdout' },
          { gate: 'no_such_holdout', gateValue: 'true', ruleID: 'holdout' },
        ],
      },
      {
        eventName: 'statsig::non_exposed_checks',
        metadata: { checks: { [plain.id]: 7, none: 3, [id]: 0, [groups[0]]: '1' } },
      },
      { eventName: 'statsig::non_exposed_checks', metadata: { checks: `{"${plain.id}":2}` } },
      { eventName: 'statsig::non_exposed_checks', metadata: { checks: [1, 2] } },
      { eventName: 'statsig::non_exposed_checks', metadata: { checks: '"01"' } },
    ]);
    expect(await rows('exposures')).toEqual([]);
    const counted = (await rows('checks')).map(({ kind, id: of, count }) => [kind, of, count]);
    expect(counted).toEqual([
      ['autotune', tuned, 1],
      ['experiment', id, 4],
      ['gate', plain.id, 10],
    ]);
  });

  test('records equally many units on both sides of a gate and of a holdout', async () => {
    // These IDs determine which units are kept; random IDs would exceed the bound now and then.
    const gate = await makeGate({
      id: 'measured',
      measureMetricLifts: true,
      rules: [{ name: 'Tenth', passPercentage: 10, conditions: everyone }],
    });
    const holdout = await makeHoldout({ id: 'held', passPercentage: 2 });
    const [{ id: ruleID }] = gate.rules;
    const users = Array.from({ length: 1000 }, (_, index) => `u-${index}`);
    const held = (gateValue: string) => [{ gate: holdout.id, gateValue, ruleID: 'holdout' }];
    await log(
      users.map((userID, index) => ({
        ...gateExposure(gate.id, ruleID, index % 10 === 0, userID),
        secondaryExposures: held(index % 50 === 0 ? 'true' : 'false'),
      })),
    );
    const counted = Object.fromEntries(
      (await rows('exposure_counts')).map(({ kind, group, units }) => [`${kind} ${group}`, units]),
    );
    expect(counted[`gate ${ruleID}:on`]).toBe(100);
    expect(counted['holdout true']).toBe(20);
    expect(counted[`gate ${ruleID}:off`]).toBeGreaterThan(60);
    expect(counted[`gate ${ruleID}:off`]).toBeLessThan(140);
    expect(counted['holdout false']).toBeGreaterThan(5);
    expect(counted['holdout false']).toBeLessThan(45);
  });

  test('records the rule of a gate, even if the rule has variants', async () => {
    const variants = [{ name: 'All', passPercentage: 100, returnValue: {} }];
    const rules = [{ id: 'r1', name: 'Most', passPercentage: 50, conditions: everyone, variants }];
    const { id } = await makeGate({ measureMetricLifts: true, rules });
    expect((await evaluateFlag(id, { targetingKey: 'u-1' })).metadata.ruleID).toBe('r1');
  });

  test('of a layer records its experiment if the experiment sets the parameter', async () => {
    const layer = await makeLayer({
      parameters: [{ name: 'size', type: 'number', defaultValue: 1 }],
    });
    const { id, groups } = await running({ layerID: layer.id });
    const seen = (isExplicitParameter: string, userID: string) => ({
      eventName: 'statsig::layer_exposure',
      user: { userID },
      metadata: {
        config: layer.id,
        ruleID: groups[0],
        allocatedExperiment: id,
        parameterName: 'size',
        isExplicitParameter,
      },
    });
    await log([seen('true', 'u-1'), seen('false', 'u-2')]);
    expect((await rows('exposures')).map(({ unit }) => unit)).toEqual(['u-1']);
    expect(await rows('checks')).toMatchObject([{ kind: 'layer', id: layer.id, count: 2 }]);
  });

  test('of a parameter that the experiment does not set records no holdout', async () => {
    const parameters = ['size', 'color'].map((name) => ({ name, type: 'number', defaultValue: 1 }));
    const { id: layerID } = await makeLayer({ parameters });
    const groups = [{ name: 'All', size: 100, parameterValues: { size: 2 } }];
    const { id } = await running({ layerID, groups });
    await makeHoldout({ passPercentage: 10, experimentIDs: [id] });
    const users = Array.from({ length: 120 }, (_, index) => `u-${index}`);
    const asked = (targetingKey: string, name: string) =>
      evaluateFlag(`layer:${layerID}:${name}`, { targetingKey });
    await Promise.all(users.map((user) => asked(user, 'color')));
    await Promise.all(users.map((user) => asked(`${user}-other`, 'size')));
    const unitsOf = async (kind: string) =>
      (await rows('exposures')).filter((row) => row.kind === kind).map(({ unit }) => String(unit));
    await vi.waitFor(
      async () => expect((await unitsOf('holdout')).length).toBeGreaterThan(0),
      5000,
    );
    const all = [...(await unitsOf('holdout')), ...(await unitsOf('experiment'))];
    expect(all.filter((unit) => !unit.endsWith('-other'))).toEqual([]);
  });
});

describe('a later exposure event', () => {
  test.each([
    ['percentage', async () => ({ passPercentage: 5 })],
    ['targeting gate', async () => ({ targetingGateID: (await makeGate()).id })],
    ['switch', async () => ({ isEnabled: true })],
  ])('starts a new run of a holdout after a change of its %s', async (what, change) => {
    const { id } = await makeHoldout({ passPercentage: 10, isEnabled: what !== 'switch' });
    const plain = await makeGate();
    await ok('PATCH', `holdouts/${id}`, await change());
    const secondaryExposures = [{ gate: id, gateValue: 'true', ruleID: 'holdout' }];
    await log([{ ...gateExposure(plain.id, 'r', false, 'u-1'), secondaryExposures }]);
    const { snapshot } = await ok('GET', `holdouts/${id}/versions/2`);
    expect(await rows('exposures')).toMatchObject([{ id, start: snapshot.phaseTime }]);
  });

  test.each([
    ['gate', makeGate, 'gates'],
    ['holdout', makeHoldout, 'holdouts'],
  ])('starts a new run of a %s after a change of its ID type', async (kind, make, path) => {
    const rules = [{ id: 'r1', name: 'Half', passPercentage: 50, conditions: everyone }];
    const { id } = await make(kind === 'gate' ? { rules } : { passPercentage: 10 });
    const group = kind === 'gate' ? 'r1:on' : 'true';
    const exposed = async (unitType: string, unit: string) => {
      const exposures = [{ kind, id, group, unitType, unit, time: Date.now() }];
      await ok('POST', 'exposures', { exposures });
      return (await rows('exposures')).find((row) => row.unit === unit)?.start;
    };
    const before = await exposed('userID', 'u-1');
    await ok('PATCH', `${path}/${id}`, { idType: 'companyID' });
    expect(await exposed('companyID', 'c-1')).toBeGreaterThan(Number(before));
  });

  test('starts a new run of a gate after a change of its percentage, but not of its name', async () => {
    const rules = [{ name: 'Half', passPercentage: 50, conditions: everyone }];
    const gate = await makeGate({ measureMetricLifts: true, rules });
    const [rule] = gate.rules;
    const starts = async () => [...new Set((await rows('exposures')).map(({ start }) => start))];
    const seen = () => log([gateExposure(gate.id, rule.id, true, `u-${Math.random()}`)]);
    await seen();
    await ok('PATCH', `gates/${gate.id}`, {
      description: 'Another.',
      rules: [{ ...rule, name: 'Renamed' }],
    });
    await seen();
    expect(await starts()).toEqual([gate.createdTime]);
    await ok('PATCH', `gates/${gate.id}`, { rules: [{ ...rule, passPercentage: 40 }] });
    await seen();
    expect(await starts()).toHaveLength(2);
    await ok('DELETE', `gates/${gate.id}`);
    await ok('PUT', `gates/${gate.id}/versions/3/restore`);
    await seen();
    const ofLast = (await rows('exposures')).filter(({ start }) => start !== gate.createdTime);
    expect([ofLast.length, await starts()]).toEqual([2, [gate.createdTime, ofLast[0]?.start]]);
  });

  test.each([
    { baseID: 'another' },
    { salt: 'another' },
    { environments: ['production'] },
    { conditions: [{ type: 'email', operator: 'any', targetValue: ['kim@shop.example'] }] },
  ])(
    'starts a new run of a gate after a change of its buckets or conditions: %j',
    async (other) => {
      const rule = { id: 'r1', name: 'Half', passPercentage: 50, conditions: everyone };
      const gate = await makeGate({ measureMetricLifts: true, rules: [rule] });
      const seen = () => log([gateExposure(gate.id, 'r1', true, `u-${Math.random()}`)]);
      await seen();
      await ok('PATCH', `gates/${gate.id}`, { rules: [{ ...rule, ...other }] });
      await seen();
      expect(new Set((await rows('exposures')).map(({ start }) => start)).size).toBe(2);
    },
  );
});

describe('an event with hashed names', () => {
  test.each(['none', 'djb2', 'sha256'])(
    'uses names as in the response, hashed by %s',
    async (hash) => {
      const layer = await makeLayer();
      const { id } = await running({ layerID: layer.id });
      const [gate, alone] = [await makeGate(), await running()];
      const config = await makeDynamicConfig();
      const holdout = await makeHoldout({ passPercentage: 10, experimentIDs: [id] });
      const asked = Array.from({ length: 12 }, (_, index) =>
        callApp('/v1/initialize', { body: { user: { userID: `u-${index}` }, hash } }),
      );
      const isTaken = ({ body }: { body: ParameterValues }) =>
        JSON.stringify(body.layer_configs).includes('group_name'); // and not held out
      const { body: answer } = (await Promise.all(asked)).find(isTaken) ?? {};
      const hidden = (list: string) => Object.keys(answer[list]);
      const [inLayer] = Object.values<ParameterValues>(answer.layer_configs);
      const { allocated_experiment_name: allocated, secondary_exposures: held } = inLayer ?? {};
      const metadata = {
        config: hidden('layer_configs')[0],
        ruleID: inLayer?.rule_id,
        allocatedExperiment: allocated,
        isExplicitParameter: 'true',
      };
      // The larger side is downsampled to the size of the smaller.
      const users = Array.from({ length: 300 }, (_, index) => `u-${index}`);
      await log([
        ...users.map((userID) => ({
          eventName: 'statsig::layer_exposure',
          user: { userID },
          metadata,
          secondaryExposures: held,
        })),
        ...hidden('dynamic_configs').map((name) => configExposure(name, alone.groups[0], 'u-1')),
        ...hidden('feature_gates').map((name) => gateExposure(name, 'r', true, 'u-1')),
      ]);
      const seen = (await rows('exposures')).map(({ kind, id: of }) => `${kind} ${of}`);
      expect(seen).toEqual(
        expect.arrayContaining([
          `experiment ${id}`,
          `experiment ${alone.id}`,
          `holdout ${holdout.id}`,
        ]),
      );
      const checked = (await rows('checks')).map(({ id: of }) => of);
      expect(checked.sort()).toEqual([alone.id, config.id, gate.id, id, layer.id].sort());
    },
  );

  test('resolves hashed names of entities that are created later', async () => {
    const named = ({ id }: { id: string }) => log([gateExposure(djb2(id), 'r', true, 'u-1')]);
    const first = await makeGate();
    await named(first);
    const second = await makeGate();
    await named(second);
    expect((await rows('checks')).map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  test('resolves a name before a hash that is equal to it', async () => {
    const other = await makeGate();
    const { id } = await makeGate({ id: djb2(other.id) });
    await log([gateExposure(id, 'r', true, 'u-1')]);
    expect((await rows('checks')).map((row) => row.id)).toEqual([id]);
  });

  test('resolves a holdout by the name or hash of its gate if another gate has its ID', async () => {
    const { id } = await makeHoldout();
    const plain = await makeGate({ id });
    for (const name of [id, `holdout:${id}`].flatMap((own) => [own, djb2(own)])) {
      const secondaryExposures = [{ gate: name, gateValue: 'true', ruleID: 'holdout' }];
      await log([{ ...gateExposure(plain.id, 'r', true, name), secondaryExposures }]);
    }
    const units = (await rows('exposures')).map(({ kind, unit }) => [kind, unit]);
    const own = [`holdout:${id}`, djb2(`holdout:${id}`)];
    expect(units).toEqual(own.sort().map((name) => ['holdout', name]));
  });
});

describe('an unusual event', () => {
  test('may contain any rule name, and does not prevent other writes', async () => {
    const rules = ['constructor', '__proto__'].map((id) => ({
      id,
      name: id,
      passPercentage: 50,
      conditions: everyone,
    }));
    const gate = await makeGate({ measureMetricLifts: true, rules });
    const events = rules.map(({ id }) => gateExposure(gate.id, id, true, 'u-1'));
    expect((await log([...events, { eventName: 'kept' }])).status).toBe(202);
    const starts = (await rows('exposures')).map(({ start }) => start);
    expect(starts).toEqual([gate.createdTime, gate.createdTime]);
    expect(await ok('GET', 'events')).toHaveLength(1);
  });

  test.each([
    [[null, 7, 'x', [], {}, { eventName: 7 }, { eventName: '' }]],
    [[{ eventName: 'odd', user: 7, value: {}, metadata: [], time: 'x', secondaryExposures: {} }]],
    [[{ eventName: 'statsig::gate_exposure', metadata: { gate: {} } }]],
    [
      [
        {
          eventName: 'statsig::config_exposure',
          metadata: null,
          user: { customIDs: { __proto__: 1 } },
        },
      ],
    ],
    [[{ eventName: 'statsig::non_exposed_checks', metadata: { checks: '{' } }]],
    [[{ eventName: 'x'.repeat(10_000), time: -1, value: Number.MAX_VALUE }]],
    [null],
    [{}],
  ])('is stored without its invalid parts: %j', async (events) => {
    const answer = await log(events);
    expect([answer.status, answer.body]).toMatchObject([202, { success: true }]);
  });

  test('is rejected if it is too large, nested too deep, or without a key', async () => {
    const many = Array.from({ length: 5001 }, () => ({ eventName: 'a' }));
    expect((await log(many)).status).toBe(413);
    const deep = `{"events":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect((await callApp('/v1/log_event', { raw: deep })).status).toBe(400);
    expect((await log([], { key: 'secret-unknown' })).status).toBe(401);
  });

  test('is stored without IDs that are too long', async () => {
    const { id, groups } = await running({ preComputedUserDimensions: [{ name: 'plan' }] });
    const seen = (userID: string, plan: string) =>
      configExposure(id, groups[0], userID, { user: { userID, custom: { plan } } });
    const events = [2_000_000, 257, 256].map((length) => seen(`u-${length}`, 'x'.repeat(length)));
    const mountains = '🗻'.repeat(256);
    events.push(seen(mountains, mountains));
    const answer = await callApp('/v1/rgstr?gz=1', { raw: gzipSync(JSON.stringify({ events })) });
    expect(answer.status).toBe(202);
    expect((await rows('exposures')).map(({ unit, attributes }) => [unit, attributes])).toEqual([
      ['u-2000000', '{}'],
      ['u-256', `{"plan":"${'x'.repeat(256)}"}`],
      ['u-257', '{}'],
      [mountains, JSON.stringify({ plan: mountains })],
    ]);
  });

  test('is left out if it exceeds the size of a row; the others are stored', async () => {
    const { id, groups } = await running();
    const events = [
      { eventName: 'crash', metadata: { dump: 'x'.repeat(2_000_000) } },
      { eventName: 'purchase' },
      configExposure(id, groups[0], 'u-1'),
    ];
    const raw = gzipSync(JSON.stringify({ events }));
    expect((await callApp('/v1/rgstr?gz=1', { raw })).status).toBe(202);
    expect((await rows('events')).map(({ name }) => name)).toEqual(['purchase']);
    expect(await rows('exposures')).toHaveLength(1);
  });
});

describe('an evaluation in our own response', () => {
  test('is recorded as an exposure within two seconds, once, by OFREP and by plain HTTP', async () => {
    const { id } = await running();
    const autotune = await makeAutotune();
    await ok('PUT', `autotunes/${autotune.id}/start`);
    const { waiting, write, wait } = heldBack();
    await evaluateFlag(id, { targetingKey: 'u-1' }, { waiting });
    expect(wait).toHaveBeenCalledWith(2000);
    await evaluateFlag(id, { targetingKey: 'u-1' }, { waiting });
    await evaluateFlag(autotune.id, { targetingKey: 'u-2' }, { waiting });
    const body = { configName: id, user: { userID: 'u-3' } };
    await callApp('/v1/get_config', { body, waiting });
    const silent = {
      configName: id,
      user: { userID: 'u-4' },
      statsigMetadata: { exposureLoggingDisabled: true },
    };
    await callApp('/v1/get_config', { body: silent, waiting });
    expect(await rows('exposures')).toEqual([]);
    await write();
    const found = (await rows('exposures')).map(({ kind, unit }) => [kind, unit]);
    expect(found).toEqual([
      ['autotune', 'u-2'],
      ['experiment', 'u-1'],
      ['experiment', 'u-3'],
    ]);
    const before = waiting.length;
    await evaluateFlag(id, { targetingKey: 'u-1' }, { waiting });
    expect(waiting.length, 'what was written is not written again').toBe(before);
  });

  test('of a param store records the used parameters, and one check', async () => {
    const given = ['colour', 'size', 'height'].map((name) => ({ name, type: 'string' }));
    const parameters = given.map((one) => ({ ...one, defaultValue: 'as ever' }));
    const layer = await makeLayer({ parameters });
    const groups = [{ name: 'All', size: 100, parameterValues: { colour: 'blue' } }];
    await running({ layerID: layer.id, groups });
    const common = { ref_type: 'layer', param_type: 'string', layer_name: layer.id };
    const from = (name: string, param_name: string) => ({ ...common, name, param_name });
    const store = async (...taken: Parameter[]) => (await makeParamStore({ parameters: taken })).id;
    const mixed = await store(from('shade', 'colour'), from('colour', 'size'));
    const plain = await store(from('colour', 'size'), from('other', 'height'));
    const { waiting, write } = heldBack();
    await evaluateFlag(
      `param_store:${mixed}:shade`,
      { targetingKey: 'one parameter' },
      { waiting },
    );
    await evaluateFlag(
      `param_store:${mixed}:colour`,
      { targetingKey: 'another of that name' },
      { waiting },
    );
    await evaluateFlag(mixed, { targetingKey: 'the whole store' }, { waiting });
    await evaluateFlag(plain, { targetingKey: 'a store without it' }, { waiting });
    await write();
    expect((await rows('exposures')).map(({ unit }) => unit)).toEqual([
      'one parameter',
      'the whole store',
    ]);
    expect(await rows('checks')).toMatchObject([{ kind: 'layer', id: layer.id, count: 4 }]);
  });

  test('of all flags records no exposure', async () => {
    await running();
    const { waiting, write } = heldBack();
    await evaluateAll({ targetingKey: 'u-1' }, { waiting });
    await callApp('/v1/initialize', { body: { user: { userID: 'u-1' } }, waiting });
    const key = await keyOf('SERVER');
    await callApp(`/v1/download_config_specs/${key}.json`, { method: 'GET', key: null, waiting });
    await write();
    expect(await rows('exposures')).toEqual([]);
  });

  test('of a client key is recorded only within the row limit of its address', async () => {
    const { id } = await running();
    const [key, ROWS] = [await keyOf('CLIENT'), { limit: async () => ({ success: false }) }];
    const headers = { 'CF-Connecting-IP': '198.51.100.1' };
    const { waiting, write } = heldBack();
    const users = Array.from({ length: 120 }, (_, index) => `u-${index}`);
    for (const userID of users) {
      const body = { configName: id, user: { userID } };
      const answer = await callApp('/v1/get_config', {
        body,
        key,
        headers,
        waiting,
        bindings: { ROWS },
      });
      expect(answer.status).toBe(200);
    }
    await write();
    expect((await rows('exposures')).length).toBeLessThan(100);
    expect((await rows('exposures')).length).toBeGreaterThan(80);
  });

  test('of all flags records each result as alive, once a day', async () => {
    const rules = [{ name: 'One', passPercentage: 100, conditions: [onlyFirst] }];
    const { id } = await makeGate({ rules });
    const { waiting, write } = heldBack();
    const time = Date.now();
    for (const targetingKey of ['u-1', 'u-2']) await evaluateAll({ targetingKey }, { waiting });
    vi.setSystemTime(time + 1000);
    for (const targetingKey of ['u-1', 'u-2']) await evaluateAll({ targetingKey }, { waiting });
    await write();
    expect(await rows('checks')).toMatchObject([
      { kind: 'gate', id, count: 0, lastTrue: time, lastFalse: time },
    ]);
  });
});

describe('a pending evaluation', () => {
  test('that was not written is written two seconds after the next evaluation', async () => {
    const { id } = await running();
    await evaluateAll();
    const { waiting, write } = heldBack();
    const down = { DB: failingDatabase(env.DB, () => 'lost before commit') };
    await evaluateFlag(id, { targetingKey: 'u-1' }, { waiting, bindings: down });
    await write();
    expect(await rows('exposures')).toEqual([]);
    vi.setSystemTime(Date.now() + 2000);
    await evaluateFlag(id, { targetingKey: 'u-2' }, { waiting });
    await write();
    expect((await rows('exposures')).map(({ unit }) => unit)).toEqual(['u-1', 'u-2']);
    vi.setSystemTime(Date.now() + 400_000); // may be in the next hour
    await evaluateFlag(id, { targetingKey: 'u-2' }, { waiting });
    await write();
    const [checked] = await rows('checks');
    expect(Number(checked?.count) + Number(checked?.previous)).toBe(3);
  });

  test('is written immediately if many exposures are pending', async () => {
    const { id } = await running();
    const { waiting } = heldBack();
    const users = Array.from({ length: 500 }, (_, index) => `u-${index}`);
    for (const targetingKey of users) await evaluateFlag(id, { targetingKey }, { waiting });
    await waiting.at(-1);
    expect(await rows('exposures')).toHaveLength(500);
  });

  test('that cannot be written is retried every two seconds, regardless of the number pending', async () => {
    const { id } = await running();
    await evaluateAll();
    const { waiting } = heldBack();
    let tries = 0;
    const lost = () => {
      tries++;
      return 'lost before commit' as const;
    };
    const down = { DB: failingDatabase(env.DB, lost) };
    const answer = async (count: number) => {
      for (let index = 0; index < count; index++)
        await evaluateFlag(id, { targetingKey: `u-${index}` }, { waiting, bindings: down });
    };
    await answer(510);
    expect(tries).toBe(1);
    vi.setSystemTime(Date.now() + 2000);
    tries = 0; // checks for changes fail too
    await answer(10);
    expect(tries).toBe(2);
  });
});
