import { describe, expect, test } from 'vitest';
import { call, costOf, invalidPropertiesOf, ok } from '../support/client.ts';
import {
  holdoutSettings,
  makeDynamicConfig,
  makeExperiment,
  makeGate,
  makeHoldout,
  makeLayer,
  makePrompt,
  passing,
  unique,
} from '../support/factories.ts';

/** The members of holdouts: path, property of the holdout, factory. */
const kinds: [string, string, () => Promise<{ id: string }>][] = [
  ['gates', 'gateIDs', makeGate],
  ['experiments', 'experimentIDs', makeExperiment],
  ['layers', 'layerIDs', makeLayer],
  ['dynamic_configs', 'dynamicConfigIDs', makeDynamicConfig],
  ['prompts', 'promptIDs', makePrompt],
];

const holdoutsOf = async (path: string, id: string) =>
  (await ok('GET', `${path}/${id}`)).holdoutIDs;
const namesOf = async (id: string, list: string) => (await ok('GET', `holdouts/${id}`))[list];

/** Runs `during` with a global holdout, which is not global afterwards. */
async function withGlobal(during: (id: string) => Promise<void>, more = {}) {
  const { id } = await makeHoldout({ isGlobal: true, ...more });
  await during(id);
  await ok('PATCH', `holdouts/${id}`, { isGlobal: false });
}

describe('a holdout', () => {
  test('reads back with every value it was created with', async () => {
    const gate = await makeGate();
    const members = Object.fromEntries(
      await Promise.all(
        kinds.map(async ([, list, make]) => [list, [(await make()).id, (await make()).id]]),
      ),
    );
    const body = {
      id: unique('holdout').replace(' ', '_'),
      name: 'Größe „XL“ 測試',
      description: 'x'.repeat(1000),
      idType: 'companyID',
      targetApps: ['ios', 'web'],
      tags: ['a', 'b'],
      team: 'Growth',
      isEnabled: false,
      isGlobal: false,
      passPercentage: 2.5,
      ...members,
      targetingGateID: gate.id,
      monitoringMetrics: [{ name: 'orders', type: 'event_count_custom' }],
    };
    await ok('POST', 'holdouts', body);
    expect(await ok('GET', `holdouts/${body.id}`)).toMatchObject({ ...body, version: 1 });
  });

  test('requires only a name for its creation', async () => {
    expect(await invalidPropertiesOf('POST', 'holdouts', holdoutSettings)).toEqual(['name']);
    expect(await ok('POST', 'holdouts', { name: unique('Holdout') })).toMatchObject({
      description: '',
      isEnabled: false,
      isGlobal: false,
      passPercentage: 0,
      gateIDs: [],
      experimentIDs: [],
      layerIDs: [],
      dynamicConfigIDs: [],
      promptIDs: [],
      targetingGateID: '',
      monitoringMetrics: [],
      version: 1,
    });
  });

  test.each(Object.keys(holdoutSettings))('requires %s in a full update', async (property) => {
    const { id } = await makeHoldout();
    const body = { ...holdoutSettings, [property]: undefined };
    expect(await invalidPropertiesOf('POST', `holdouts/${id}`, body)).toEqual([property]);
  });

  test.each([
    ['passPercentage', -0.1, 0],
    ['passPercentage', 10.1, 10],
    ['description', 'x'.repeat(1001), 'x'.repeat(1000)],
    ['name', 'xx', 'xxx'],
    ['name', 'x'.repeat(101), 'x'.repeat(100)],
    ['isEnabled', null, false],
    ['gateIDs', null, []],
  ])('has bounds: %s', async (property, past, on) => {
    const { id } = await makeHoldout();
    for (const [method, body] of [
      ['POST', { ...holdoutSettings, [property]: past }],
      ['PATCH', { [property]: past }],
    ] as const)
      expect(await invalidPropertiesOf(method, `holdouts/${id}`, body)).toEqual([property]);
    const set = await ok('POST', `holdouts/${id}`, { ...holdoutSettings, [property]: on });
    expect(set).toMatchObject({ [property]: on });
  });

  test.each([
    [1e-10, 0],
    [-1e-10, 0],
    [0.30000000000000004, 0.3],
    [9.9999999999, 10],
    [2.505, 2.505],
  ])('stores the share %d as %d', async (given, stored) => {
    const { id } = await makeHoldout();
    for (const [method, body] of [
      ['POST', { ...holdoutSettings, passPercentage: given }],
      ['PATCH', { passPercentage: given }],
    ] as const)
      expect((await ok(method, `holdouts/${id}`, body)).passPercentage).toBe(stored);
  });

  test('is replaced in all properties of a full update, and keeps absent ones', async () => {
    const [gate, targeting] = [await makeGate(), await makeGate()];
    const metrics = [{ name: 'orders', type: 'sum' }];
    const holdout = await makeHoldout({
      gateIDs: [gate.id],
      targetingGateID: targeting.id,
      monitoringMetrics: metrics,
      tags: ['a'],
      team: 'Growth',
    });
    const replaced = await ok('POST', `holdouts/${holdout.id}`, holdoutSettings);
    expect(replaced).toMatchObject({
      gateIDs: [],
      targetingGateID: '',
      monitoringMetrics: metrics,
    });
    expect(replaced).toMatchObject({ name: holdout.name, tags: ['a'], team: 'Growth', version: 2 });
  });

  test('keeps absent properties of a partial update; null clears the targeting gate', async () => {
    const [targetingGateID, member] = [(await makeGate()).id, (await makeGate()).id];
    const { id } = await makeHoldout({ targetingGateID, gateIDs: [member] });
    const updated = await ok('PATCH', `holdouts/${id}`, { passPercentage: 7 });
    expect(updated).toMatchObject({ passPercentage: 7, targetingGateID, gateIDs: [member] });
    const cleared = await ok('PATCH', `holdouts/${id}`, { targetingGateID: null });
    expect(cleared).toMatchObject({ targetingGateID: '', gateIDs: [member] });
  });

  test('is listed by tag and by whether it is global', async () => {
    const tag = unique('tag');
    const local = await makeHoldout({ tags: [tag] });
    await withGlobal(
      async (id) => {
        const idsOf = async (query: string) =>
          (await ok('GET', `holdouts?${query}`)).map((found: { id: string }) => found.id);
        expect((await idsOf(`tags=${tag}`)).toSorted()).toEqual([local.id, id].toSorted());
        expect(await idsOf(`tags=${tag}&isGlobal=true`)).toEqual([id]);
        expect(await idsOf(`tags=${tag}&isGlobal=false`)).toEqual([local.id]);
      },
      { tags: [tag] },
    );
  });

  test('must refer to existing members and targeting gates', async () => {
    const gate = await makeGate();
    const unknown = Object.fromEntries(kinds.map(([, list]) => [list, ['nothing']]));
    const body = { ...holdoutSettings, ...unknown, targetingGateID: 'nothing' };
    const named = [...kinds.map(([, list]) => `${list}.0`), 'targetingGateID'].toSorted();
    expect(
      (await invalidPropertiesOf('POST', 'holdouts', { ...body, name: 'Holdout' })).toSorted(),
    ).toEqual(named);
    const { id } = await makeHoldout();
    expect((await invalidPropertiesOf('POST', `holdouts/${id}`, body)).toSorted()).toEqual(named);
    const second = { gateIDs: [gate.id, 'nothing'] };
    expect(await invalidPropertiesOf('PATCH', `holdouts/${id}`, second)).toEqual(['gateIDs.1']);
    expect(await holdoutsOf('gates', gate.id)).toEqual([]);
  });

  test('accepts the maximum number of members of a global holdout', async () => {
    const { id } = await makeHoldout();
    const gateIDs = Array.from({ length: 10_001 }, (_, index) => `no_gate_of_this_name_${index}`);
    const { status, body } = await call('PATCH', `holdouts/${id}`, { body: { gateIDs } });
    expect([status, body.type]).toEqual([400, '/problems/unknown_reference']);
  });
});

describe.each(kinds)('%s in a holdout', (path, list, make) => {
  test('contain its id exactly while it lists them', async () => {
    const [first, second] = [await make(), await make()];
    const { id } = await makeHoldout({ [list]: [first.id] });
    expect(await holdoutsOf(path, first.id)).toEqual([id]);
    await ok('POST', `holdouts/${id}`, { ...holdoutSettings, [list]: [second.id] });
    expect(await holdoutsOf(path, first.id)).toEqual([]);
    expect(await holdoutsOf(path, second.id)).toEqual([id]);
    await ok('PATCH', `holdouts/${id}`, { [list]: [] });
    expect(await holdoutsOf(path, second.id)).toEqual([]);
  });

  test('are listed once, and list it once', async () => {
    const { id: member } = await make();
    const { id } = await makeHoldout({ [list]: [member, member] });
    expect(await namesOf(id, list)).toEqual([member]);
    await ok('PATCH', `holdouts/${id}`, { [list]: [member, member] });
    expect(await namesOf(id, list)).toEqual([member]);
    expect(await holdoutsOf(path, member)).toEqual([id]);
  });

  test('get a new version when they join, and none without a change of their own', async () => {
    const { id: member } = await make();
    const version = async () => (await ok('GET', `${path}/${member}`)).version;
    const { id } = await makeHoldout({ [list]: [member] });
    expect(await version()).toBe(2);
    await ok('PATCH', `holdouts/${id}`, { passPercentage: 9 });
    expect(await version()).toBe(2);
    const [last] = await ok('GET', `${path}/${member}/versions`);
    expect(last).toMatchObject({ action: 'update_holdouts', version: 2 });
  });

  test('cannot be deleted until removed from it', async () => {
    const { id: member } = await make();
    const { id } = await makeHoldout({ [list]: [member] });
    const refused = await call('DELETE', `${path}/${member}`);
    expect(refused.status).toBe(409);
    expect(refused.body.references).toMatchObject([{ kind: 'holdout', id, property: list }]);
    await ok('PATCH', `holdouts/${id}`, { [list]: [] });
    await ok('DELETE', `${path}/${member}`);
  });

  test('stay in their current holdouts when an earlier version is restored', async () => {
    const { id: member } = await make();
    await ok('PATCH', `${path}/${member}`, { tags: ['changed'] });
    const { id } = await makeHoldout({ [list]: [member] });
    const restored = await ok('PUT', `${path}/${member}/versions/1/restore`);
    expect(restored).toMatchObject({ tags: [], holdoutIDs: [id] });
    await ok('DELETE', `holdouts/${id}`);
    await ok('PUT', `${path}/${member}/versions/3/restore`);
    expect(await holdoutsOf(path, member)).toEqual([]);
    await ok('DELETE', `${path}/${member}`);
    await ok('PUT', `${path}/${member}/versions/3/restore`);
    expect(await holdoutsOf(path, member)).toEqual([]);
  });

  test('lose a deleted holdout, and regain a restored one', async () => {
    const [first, second] = [await make(), await make()];
    const { id } = await makeHoldout({ [list]: [first.id] });
    await ok('PATCH', `holdouts/${id}`, { [list]: [second.id] });
    await ok('DELETE', `holdouts/${id}`);
    expect(await holdoutsOf(path, second.id)).toEqual([]);
    await ok('PUT', `holdouts/${id}/versions/1/restore`);
    expect(await namesOf(id, list)).toEqual([first.id]);
    expect(await holdoutsOf(path, first.id)).toEqual([id]);
    expect(await holdoutsOf(path, second.id)).toEqual([]);
  });

  test('contain the ids of all holdouts that add them concurrently', async () => {
    const { id: member } = await make();
    const made = await Promise.all(
      Array.from({ length: 5 }, () => makeHoldout({ [list]: [member] })),
    );
    const ids = made.map(({ id }) => id);
    expect((await holdoutsOf(path, member)).toSorted()).toEqual(ids.toSorted());
  });

  test('lose no concurrent change of their own', async () => {
    const { id: member } = await make();
    const [holdout] = await Promise.all([
      makeHoldout({ [list]: [member] }),
      ok('PATCH', `${path}/${member}`, { tags: ['changed'] }),
    ]);
    expect(await ok('GET', `${path}/${member}`)).toMatchObject({
      tags: ['changed'],
      holdoutIDs: [holdout.id],
    });
  });

  test('stay consistent with it when one is added and deleted concurrently', async () => {
    const { id: member } = await make();
    const { id } = await makeHoldout();
    const [joined, removed] = await Promise.all([
      call('PATCH', `holdouts/${id}`, { body: { [list]: [member] } }),
      call('DELETE', `${path}/${member}`),
    ]);
    expect([
      [200, 409],
      [400, 200],
    ]).toContainEqual([joined.status, removed.status]);
    expect(await namesOf(id, list)).toEqual(joined.status === 200 ? [member] : []);
  });
});

describe('a member that is created while a holdout adds it', () => {
  test('is consistent with the holdout', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await makeHoldout();
      const gateID = unique('gate').replace(' ', '_');
      const [joined] = await Promise.all([
        call('PATCH', `holdouts/${id}`, { body: { gateIDs: [gateID] } }),
        makeGate({ id: gateID }),
      ]);
      const expected = joined.status === 200 ? [id] : [];
      expect(await holdoutsOf('gates', gateID)).toEqual(expected);
      expect(await namesOf(id, 'gateIDs')).toEqual(expected.map(() => gateID));
    }
  });
});

describe('a holdout with many concurrent replacements', () => {
  test('is consistent with all members afterwards', async () => {
    const gates = await Promise.all(Array.from({ length: 6 }, () => makeGate()));
    const experiments = await Promise.all(Array.from({ length: 6 }, () => makeExperiment()));
    const { id } = await makeHoldout();
    const part = (all: { id: string }[], from: number) =>
      all.slice(from, from + 3).map((member) => member.id);
    await Promise.all(
      [0, 1, 2, 3].map((from) => {
        const members = { gateIDs: part(gates, from), experimentIDs: part(experiments, from) };
        return ok('POST', `holdouts/${id}`, { ...holdoutSettings, ...members });
      }),
    );
    const { gateIDs, experimentIDs } = await ok('GET', `holdouts/${id}`);
    expect([gateIDs.length, experimentIDs.length]).toEqual([3, 3]);
    for (const gate of gates)
      expect(await holdoutsOf('gates', gate.id)).toEqual(gateIDs.includes(gate.id) ? [id] : []);
    for (const { id: member } of experiments)
      expect(await holdoutsOf('experiments', member)).toEqual(
        experimentIDs.includes(member) ? [id] : [],
      );
  });

  test('takes three round trips for any number of changed members', async () => {
    const { id } = await makeHoldout();
    const members = Object.fromEntries(
      await Promise.all(kinds.map(async ([, list, make]) => [list, [(await make()).id]])),
    );
    const body = { ...holdoutSettings, ...members };
    expect(costOf(await call('POST', `holdouts/${id}`, { body })).trips).toBe(3);
    const none = { body: { passPercentage: 1 } };
    expect(costOf(await call('PATCH', `holdouts/${id}`, none)).trips).toBe(2);
  });
});

describe('a global holdout', () => {
  test('contains each later gate from its first version on', async () => {
    const earlier = await makeGate();
    await withGlobal(async (id) => {
      const gate = await makeGate();
      expect(gate).toMatchObject({ holdoutIDs: [id], version: 1 });
      expect(await namesOf(id, 'gateIDs')).toEqual([gate.id]);
      expect(await holdoutsOf('gates', earlier.id)).toEqual([]);
    });
    expect(await makeGate()).toMatchObject({ holdoutIDs: [] });
  });

  test('stays unchanged by a dry run, or by a gate with a taken id', async () => {
    const { id: taken } = await makeGate();
    await withGlobal(async (id) => {
      const body = { name: 'Gate', id: unique('gate').replace(' ', '_') };
      const dry = await call('POST', 'gates?dryRun=true', { body });
      expect(dry.data).toMatchObject({ holdoutIDs: [id] });
      expect((await call('POST', 'gates', { body: { ...body, id: taken } })).status).toBe(409);
      expect(await namesOf(id, 'gateIDs')).toEqual([]);
    });
  });

  test('contains all gates that are created concurrently', async () => {
    await withGlobal(async (id) => {
      const gates = await Promise.all(Array.from({ length: 20 }, () => makeGate()));
      const ids = gates.map((gate) => gate.id);
      expect((await namesOf(id, 'gateIDs')).toSorted()).toEqual(ids.toSorted());
      for (const gateID of ids) expect(await holdoutsOf('gates', gateID)).toEqual([id]);
    });
  });

  test('that is created concurrently with gates is consistent with each of them', async () => {
    const [{ id }, ...gates] = await Promise.all([
      makeHoldout({ isGlobal: true }),
      ...Array.from({ length: 10 }, () => makeGate()),
    ]);
    const members = await namesOf(id, 'gateIDs');
    for (const gate of gates)
      expect(await holdoutsOf('gates', gate.id)).toEqual(members.includes(gate.id) ? [id] : []);
    await ok('PATCH', `holdouts/${id}`, { isGlobal: false });
  });

  test('refuses with 400 to add a gate that its targeting gate depends on in one request', async () => {
    const { id: targetingGateID } = await makeGate();
    const id = unique('held').replace(' ', '_');
    const path = '/console/v1/gates';
    const changes = [
      { method: 'POST', path, body: { name: 'Held', id } },
      { method: 'PATCH', path: `${path}/${targetingGateID}`, body: { rules: [passing(id)] } },
    ];
    const made = () => call('POST', 'changes?dryRun=true', { body: { changes } });
    expect((await made()).status).toBe(200);
    await withGlobal(
      async () => {
        const { status, body } = await made();
        expect([status, body.message]).toEqual([400, expect.stringContaining('circle')]);
      },
      { targetingGateID },
    );
  });

  test('adds no round trip to the creation of a gate', async () => {
    const create = () => call('POST', 'gates', { body: { name: unique('Gate') } });
    expect(costOf(await create()).trips).toBe(2);
    await withGlobal(async () => {
      expect(costOf(await create()).trips).toBe(2);
    });
  });
});

test('a restarted experiment is in the holdouts of the original, on both sides', async () => {
  const original = await makeExperiment();
  const holdout = await makeHoldout({ experimentIDs: [original.id] });
  const restarted = await ok('POST', `experiments/${original.id}/restart_as_new`, {
    name: unique('Restarted'),
  });
  expect(restarted).toMatchObject({ holdoutIDs: [holdout.id], version: 1 });
  expect(await ok('GET', `holdouts/${holdout.id}`)).toMatchObject({
    experimentIDs: [original.id, restarted.id],
    version: 2,
  });
});

describe('overrides of a holdout', () => {
  test('are replaced, added and removed like overrides of a gate', async () => {
    const { id } = await makeHoldout();
    const path = `holdouts/${id}/overrides`;
    const none = { passingUserIDs: [], failingUserIDs: [], environmentOverrides: [] };
    expect(await ok('GET', path)).toEqual(none);
    await ok('POST', path, { passingUserIDs: ['u-1'], failingUserIDs: ['u-2'] });
    expect(await ok('PATCH', path, { passingUserIDs: ['u-3'] })).toMatchObject({
      passingUserIDs: ['u-1', 'u-3'],
      failingUserIDs: ['u-2'],
    });
    expect(await invalidPropertiesOf('PATCH', path, { passingUserIDs: ['u-2'] })).toEqual([
      'passingUserIDs',
    ]);
    const removed = await call('DELETE', path, { body: { passingUserIDs: ['u-1'] } });
    expect([removed.body.removed, removed.data.passingUserIDs]).toEqual([1, ['u-3']]);
    await ok('PATCH', `holdouts/${id}`, { passPercentage: 5 });
    expect(await ok('GET', path)).toMatchObject({ passingUserIDs: ['u-3'] });
    expect(await ok('DELETE', path)).toEqual(none);
  });
});
