import { describe, expect, test } from 'vitest';
import { base, call, costOf, ok } from '../support/client.ts';
import {
  holdoutSettings,
  makeDynamicConfig,
  makeExperiment,
  makeGate,
  makeHoldout,
  makeLayer,
  makePrompt,
  makeSegment,
  passing,
  unique,
} from '../support/factories.ts';
import { checkInvariants } from '../support/invariants.ts';

type Step = [method: string, path: string, body?: object];

const fresh = (kind: string) => unique(kind).replace(' ', '_');

const send = (...steps: Step[]) =>
  call('POST', 'changes', {
    body: {
      changes: steps.map(([method, path, body]) => ({ method, path: `${base}/${path}`, body })),
    },
  });

/** Makes many changes that must succeed, and returns the data of each. */
async function made(...steps: Step[]) {
  const { status, body } = await send(...steps);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body.data.map((result: { body: { data: unknown } }) => result.body.data);
}

/** Makes many changes that must be rejected in few round trips, and returns the reason. */
async function refused(...steps: Step[]) {
  const answer = await send(...steps);
  const { type, index, errors = [], references = [] } = answer.body;
  expect(answer.body.message, 'names the change once').not.toMatch(/^(changes\.\d+\b).*\1/);
  expect(costOf(answer).trips, 'computed once, and explained once').toBeLessThanOrEqual(9);
  return {
    type: [answer.status, type],
    index,
    properties: errors.map(({ property }: { property: string }) => property),
    referrers: references.map(({ id }: { id: string }) => id),
  };
}

const gateNaming = (name: string, gate: string): Step => [
  'POST',
  'gates',
  { name, id: name, rules: [passing(gate)] },
];
const groupOf = (experiment: string) => ({
  type: 'experiment_group',
  field: experiment,
  operator: 'any',
  targetValue: ['Test'],
});

describe('changes at once that remove an entity they refer to', () => {
  test('changes that refer to a gate after deleting it are 400', async () => {
    const { id } = await makeGate();
    const experiment = { name: unique('Experiment'), targetingGateID: id };
    expect(await refused(['DELETE', `gates/${id}`], ['POST', 'experiments', experiment])).toEqual({
      type: [400, '/problems/unknown_reference'],
      index: 1,
      properties: ['changes.1.targetingGateID'],
      referrers: [],
    });
    expect((await ok('GET', `gates/${id}`)).version).toBe(1);
  });

  test('changes that delete a gate after referring to it are 409', async () => {
    const { id } = await makeGate();
    const name = fresh('referrer');
    expect(await refused(gateNaming(name, id), ['DELETE', `gates/${id}`])).toEqual({
      type: [409, '/problems/in_use'],
      index: 1,
      properties: [],
      referrers: [name],
    });
  });

  test('changes that create a gate and its referrer and delete the gate are 409', async () => {
    const [id, name] = [fresh('gate'), fresh('referrer')];
    const make: Step = ['POST', 'gates', { name: id, id }];
    const answer = await refused(make, gateNaming(name, id), ['DELETE', `gates/${id}`]);
    expect(answer).toMatchObject({ type: [409, '/problems/in_use'], index: 2, referrers: [name] });
  });

  test('changes that archive a gate or remove a parameter before referring to it are 400', async () => {
    const { id } = await makeGate();
    const archived = await refused(['PUT', `gates/${id}/archive`], gateNaming(fresh('gate'), id));
    expect(archived.properties).toEqual(['changes.1.rules.0.conditions.0.targetValue']);
    const parameters = [{ name: 'green', type: 'boolean', defaultValue: false }];
    const layer = await makeLayer({ parameters });
    const groups = [{ name: 'All', size: 100, parameterValues: { green: true } }];
    const experiment = { name: unique('Experiment'), layerID: layer.id, groups };
    const without = await refused(
      ['PATCH', `layers/${layer.id}`, { parameters: [] }],
      ['POST', 'experiments', experiment],
    );
    expect(without.properties).toEqual(['changes.1.groups.0.parameterValues.green']);
  });

  test('changes that delete a gate and move the reference to another property are 400', async () => {
    const { id } = await makeGate();
    const experiment = await makeExperiment({ targetingGateID: id });
    const rules = JSON.stringify([{ ...passing(id), environments: null }]);
    const body = { targetingGateID: null, inlineTargetingRulesJSON: rules };
    const answer = await refused(
      ['DELETE', `gates/${id}`],
      ['PATCH', `experiments/${experiment.id}`, body],
    );
    expect(answer).toMatchObject({ type: [400, '/problems/unknown_reference'], index: 1 });
  });

  test('a 409 contains the index of the change that deletes an entity in use', async () => {
    const { id } = await makeGate();
    const other = await makeGate({ rules: [passing(id)] });
    const answer = await refused(['POST', 'gates', { name: 'Gate' }], ['DELETE', `gates/${id}`]);
    expect(answer).toMatchObject({ type: [409, '/problems/in_use'], index: 1 });
    expect(answer.referrers).toEqual([other.id]);
  });

  test('a 409 contains the index of the first such change, not of the one with most referrers', async () => {
    const [popular, other] = [await makeGate(), await makeGate()];
    const data = Array.from({ length: 150 }, () => ({
      id: fresh('referrer'),
      name: unique('Referrer'),
      rules: [passing(popular.id)],
    }));
    await ok('POST', 'import', { kind: 'gate', data });
    const referrer = await makeGate({ rules: [passing(other.id)] });
    const answer = await refused(
      ['PATCH', `gates/${popular.id}`, { description: 'Used by many.' }],
      ['DELETE', `gates/${other.id}`],
      ['DELETE', `gates/${popular.id}`],
    );
    expect(answer).toMatchObject({ type: [409, '/problems/in_use'], index: 1 });
    expect(answer.referrers).toContain(referrer.id);
  });

  test('changes that delete a gate and then remove the reference to it are stored', async () => {
    const { id } = await makeGate();
    const other = await makeGate({ rules: [passing(id)] });
    await made(['DELETE', `gates/${id}`], ['PATCH', `gates/${other.id}`, { rules: [] }]);
    expect((await call('GET', `gates/${id}`)).status).toBe(404);
  });
});

/** Members of holdouts: the path, the property of the holdout, and the factory. */
const kinds: [string, string, () => Promise<{ id: string }>][] = [
  ['gates', 'gateIDs', makeGate],
  ['experiments', 'experimentIDs', makeExperiment],
  ['layers', 'layerIDs', makeLayer],
  ['dynamic_configs', 'dynamicConfigIDs', makeDynamicConfig],
  ['prompts', 'promptIDs', makePrompt],
];

describe.each(kinds)('%s and their holdouts, in one request', (path, list, make) => {
  /** Returns the holdouts of the member and the members of the holdout. */
  async function sides(member: string, holdout: string) {
    const { holdoutIDs } = await ok('GET', `${path}/${member}`);
    return [holdoutIDs, (await ok('GET', `holdouts/${holdout}`))[list]];
  }

  async function pair() {
    const { id: member } = await make();
    const { id: holdout } = await makeHoldout({ [list]: [member] });
    return { member, holdout };
  }

  const holdoutOf = (id: string, members: string[]): Step => [
    'POST',
    'holdouts',
    { name: id, id, ...holdoutSettings, [list]: members },
  ];

  test('a member that is deleted and restored is in its holdout', async () => {
    const { member, holdout } = await pair();
    const [, restored] = await made(
      ['DELETE', `${path}/${member}`],
      ['PUT', `${path}/${member}/versions/1/restore`],
    );
    expect(restored.holdoutIDs ?? [holdout]).toEqual([holdout]);
    expect(await sides(member, holdout)).toEqual([[holdout], [member]]);
  });

  test('a member that is deleted and created again is in its holdout', async () => {
    const { member, holdout } = await pair();
    await made(['DELETE', `${path}/${member}`], ['POST', path, { name: 'Again', id: member }]);
    expect(await sides(member, holdout)).toEqual([[holdout], [member]]);
  });

  test('a member that is deleted, removed from its holdout and restored has no holdout', async () => {
    const { member, holdout } = await pair();
    await made(
      ['DELETE', `${path}/${member}`],
      ['PATCH', `holdouts/${holdout}`, { [list]: [] }],
      ['PUT', `${path}/${member}/versions/1/restore`],
    );
    expect(await sides(member, holdout)).toEqual([[], []]);
  });

  test('a holdout that is deleted and restored has its member', async () => {
    const { member, holdout } = await pair();
    await made(
      ['DELETE', `holdouts/${holdout}`],
      ['PUT', `holdouts/${holdout}/versions/1/restore`],
    );
    expect(await sides(member, holdout)).toEqual([[holdout], [member]]);
  });

  test('a member is in holdouts created before and after it', async () => {
    const [first, second] = [fresh('holdout'), fresh('holdout')];
    const member = fresh('member');
    await made(
      holdoutOf(first, [member]),
      ['POST', path, { name: member, id: member }],
      holdoutOf(second, [member]),
    );
    expect((await ok('GET', `${path}/${member}`)).holdoutIDs).toEqual([first, second]);
  });

  test('a holdout and its member agree in whichever order they are restored', async () => {
    const { member, holdout } = await pair();
    const gone: Step[] = [
      ['DELETE', `holdouts/${holdout}`],
      ['DELETE', `${path}/${member}`],
    ];
    const back: Step[] = [
      ['PUT', `holdouts/${holdout}/versions/1/restore`],
      ['PUT', `${path}/${member}/versions/1/restore`],
    ];
    for (const order of [back, back.toReversed()]) {
      await made(...gone);
      expect(await send(...back.slice(0, 1))).toMatchObject({ status: 400 });
      await made(...order);
      expect(await sides(member, holdout)).toEqual([[holdout], [member]]);
    }
  });

  test('a restored member has no holdout if both were deleted, in either order', async () => {
    for (const turn of [false, true]) {
      const { member, holdout } = await pair();
      const both: Step[] = [
        ['DELETE', `${path}/${member}`],
        ['DELETE', `holdouts/${holdout}`],
      ];
      await made(...(turn ? both.toReversed() : both));
      await made(['PUT', `${path}/${member}/versions/1/restore`]);
      expect((await ok('GET', `${path}/${member}`)).holdoutIDs).toEqual([]);
    }
  });
});

describe('a global holdout and gates in one request', () => {
  test('a global holdout lists each new gate once, even if it named the gate itself', async () => {
    const [holdout, one, other] = [fresh('holdout'), fresh('gate'), fresh('gate')];
    const settings = { ...holdoutSettings, isGlobal: true, gateIDs: [one] };
    const results = await made(
      ['POST', 'holdouts', { name: holdout, id: holdout, ...settings }],
      ['POST', 'gates', { name: one, id: one }],
      ['POST', 'gates', { name: other, id: other }],
    );
    expect(results[1]).toMatchObject({ holdoutIDs: [holdout], version: 1 });
    expect((await ok('GET', `holdouts/${holdout}`)).gateIDs).toEqual([one, other]);
    await ok('DELETE', `holdouts/${holdout}`);
    for (const gate of [one, other])
      expect((await ok('GET', `gates/${gate}`)).holdoutIDs).toEqual([]);
  });

  test('a global holdout lists a gate once that is deleted and created again', async () => {
    const { id: holdout } = await makeHoldout({ isGlobal: true });
    const { id: gate } = await makeGate();
    await made(['DELETE', `gates/${gate}`], ['POST', 'gates', { name: gate, id: gate }]);
    expect((await ok('GET', `holdouts/${holdout}`)).gateIDs).toEqual([gate]);
    expect((await ok('GET', `gates/${gate}`)).holdoutIDs).toEqual([holdout]);
    await ok('DELETE', `holdouts/${holdout}`);
  });
});

describe('the reads of many changes', () => {
  const list = (prefix: string) => Array.from({ length: 5000 }, (_, n) => `${prefix}-${n}`);
  const large = (prefix: string) => ({
    name: prefix,
    passPercentage: 50,
    conditions: [{ type: 'user_id', operator: 'any', targetValue: list(prefix) }],
  });

  test('many changes of any kind and size take two round trips', async () => {
    const [gate, other, config] = [await makeGate(), await makeGate(), await makeDynamicConfig()];
    const [experiment, holdout, segment] = [
      await makeExperiment({ targetingGateID: other.id }),
      await makeHoldout({ isGlobal: true }),
      await makeSegment(),
    ];
    const answer = await send(
      ['POST', 'gates', { name: unique('Read ahead'), rules: [large('a')] }],
      ['PATCH', `gates/${gate.id}`, { rules: [large('b')] }],
      ['PUT', `gates/${gate.id}/archive`],
      ['PUT', `experiments/${experiment.id}/start`],
      ['PATCH', `dynamic_configs/${config.id}`, { tags: ['ahead'] }],
      ['DELETE', `segments/${segment.id}`],
      ['PUT', `gates/${other.id}/versions/1/restore`],
      [
        'POST',
        'events',
        {
          events: list('c')
            .slice(0, 200)
            .map((name) => ({ name })),
        },
      ],
      ['PATCH', `holdouts/${holdout.id}`, { isGlobal: false }],
    );
    expect([answer.status, costOf(answer).trips], answer.body.message).toEqual([200, 2]);
    await checkInvariants();
  });

  test('a change reads the result of the changes before it', async () => {
    const [name, tag] = [unique('Not yet'), unique('tag')];
    const id = fresh('not_yet');
    const [, , gate] = await made(
      ['POST', 'gates', { id, name }],
      ['PATCH', `gates/${id}`, { tags: [tag] }],
      ['PUT', `gates/${id}/disable`],
    );
    expect(gate).toMatchObject({ id, name, tags: [tag], status: 'Disabled', version: 3 });
  });
});

describe('one of many changes', () => {
  test('a change restores a version that an earlier change created', async () => {
    const id = fresh('gate');
    const [, , , restored] = await made(
      ['POST', 'gates', { name: id, id, description: 'First.' }],
      ['PATCH', `gates/${id}`, { description: 'Second.' }],
      ['DELETE', `gates/${id}`],
      ['PUT', `gates/${id}/versions/1/restore`],
    );
    expect(restored).toMatchObject({ description: 'First.', version: 4 });
    expect((await ok('GET', `gates/${id}`)).description).toBe('First.');
  });

  test('a change of a tag that an earlier change renamed is rejected with the new name', async () => {
    const [old, name] = [unique('old'), unique('new')];
    const rename: Step = ['PATCH', `tags/${old}`, { name }];
    await ok('POST', 'tags', { name: old });
    const restored = await send(rename, ['PUT', `tags/${old}/versions/1/restore`]);
    expect([restored.status, restored.body.index]).toEqual([409, 1]);
    expect(restored.body.message).toContain(`the rename to ${name}`);
    const changed = await send(rename, ['PATCH', `tags/${old}`, { isCore: true }]);
    expect([changed.status, changed.body.message]).toEqual([404, expect.stringContaining(name)]);
    const [, { version }, , again] = await made(
      rename,
      ['POST', 'tags', { name: old }],
      ['DELETE', `tags/${old}`],
      ['PUT', `tags/${old}/versions/3/restore`],
    );
    expect([version, again.version]).toEqual([3, 5]);
  });

  test('a change of a tag is 404 after an earlier change removed the tag or its last use', async () => {
    const [name, tag] = [unique('gone'), unique('used')];
    await ok('POST', 'tags', { name });
    const { id } = await makeGate({ tags: [tag] });
    const describing = (of: string): Step => ['PATCH', `tags/${of}`, { isCore: true }];
    for (const [step, of] of [
      [['DELETE', `tags/${name}`], name],
      [['PATCH', `gates/${id}`, { tags: [] }], tag],
    ] satisfies [Step, string][]) {
      const { status, body } = await send(step, describing(of));
      expect([status, body.index]).toEqual([404, 1]);
    }
    await made(['PATCH', `gates/${id}`, { tags: [tag, name] }], describing(tag));
    expect(await ok('GET', `tags/${tag}`)).toMatchObject({ isCore: true });
  });
});

describe('each of many changes', () => {
  test('changes that record events and values each get the next version', async () => {
    const at = (timestamp: number) => ({ events: [{ name: 'seen', timestamp, userID: 'u' }] });
    const value = { metricName: 'm', metricType: 'sum', unitType: 'u', value: 1 };
    await made(
      ['POST', 'events', at(1)],
      ['POST', 'metrics/values', { date: '2026-01-01', values: [value] }],
      ['POST', 'events', at(2)],
    );
    await checkInvariants();
  });

  test('a restart as new gets an ID that no earlier change took', async () => {
    const id = fresh('experiment');
    const again: Step = ['POST', `experiments/${id}/restart_as_new`, { name: id }];
    const [, second, third] = await made(['POST', 'experiments', { name: id, id }], again, again);
    expect([second.id, third.id]).toEqual([`${id}_2`, `${id}_3`]);
  });

  test('a restart as new skips the ID of a config created before, and takes one deleted before', async () => {
    const { id: original } = await makeExperiment();
    const [id, gone] = [fresh('config'), fresh('config')];
    await ok('POST', 'dynamic_configs', { name: gone, id: gone });
    const again = (name: string): Step => [
      'POST',
      `experiments/${original}/restart_as_new`,
      { name },
    ];
    const [, second, , free] = await made(
      ['POST', 'dynamic_configs', { name: id, id }],
      again(id),
      ['DELETE', `dynamic_configs/${gone}`],
      again(gone),
    );
    expect([second.id, free.id]).toEqual([`${id}_2`, gone]);
  });
});

describe('a dependency cycle', () => {
  const properties = async (...steps: Step[]) => {
    const answer = await refused(...steps);
    expect(answer.type).toEqual([400, '/problems/invalid']);
    return answer.properties;
  };
  const inGroup = (experiment: string) => [{ ...passing(''), conditions: [groupOf(experiment)] }];
  const inGates = '.conditions.0.targetValue';

  test('a cycle through many changes is 400 with the change and the property', async () => {
    const { id } = await makeGate();
    const name = fresh('gate');
    expect(
      await properties(['POST', 'gates', { name: 'Before' }], gateNaming(name, id), [
        'PATCH',
        `gates/${id}`,
        { rules: [passing(name)] },
      ]),
    ).toEqual(['changes.2.rules.0.conditions.0.targetValue']);
  });

  test('a cycle through a targeting gate is 400 with targetingGateID', async () => {
    const experiment = await makeExperiment();
    const { id } = await makeGate({ rules: inGroup(experiment.id) });
    const patch: Step = ['PATCH', `experiments/${experiment.id}`, { targetingGateID: id }];
    expect(await properties(patch)).toEqual(['changes.0.targetingGateID']);
  });

  test('a cycle through an override of an experiment is 400 from either end', async () => {
    const groups = [{ id: 'all', name: 'All', size: 100 }];
    const experiment = await makeExperiment({ groups });
    const gate = await makeGate({ rules: inGroup(experiment.id) });
    const overrides = { overrides: [{ type: 'gate', id: gate.id, groupID: 'all' }] };
    const override: Step = ['POST', `experiments/${experiment.id}/overrides`, overrides];
    expect(await properties(override)).toEqual(['changes.0.overrides.0.id']);
    await ok('PATCH', `gates/${gate.id}`, { rules: [] });
    await made(override);
    const close: Step = ['PATCH', `gates/${gate.id}`, { rules: inGroup(experiment.id) }];
    expect(await properties(close)).toEqual(['changes.0.rules.0.conditions.0.field']);
  });

  test('a cycle through an override of a layer is 400 from either end', async () => {
    const layer = await makeLayer();
    const experiment = await makeExperiment({ layerID: layer.id });
    const gate = await makeGate({ rules: inGroup(experiment.id) });
    const override = (type = 'gate', name = gate.id): Step => [
      'POST',
      `layers/${layer.id}/overrides`,
      {
        conditionalOverrides: [{ type, name, experimentName: experiment.id, groupName: 'Test' }],
      },
    ];
    expect(await properties(override())).toEqual(['changes.0.conditionalOverrides.0.name']);
    await ok('PATCH', `gates/${gate.id}`, { rules: [] });
    await made(override());
    const close: Step = ['PATCH', `gates/${gate.id}`, { rules: inGroup(experiment.id) }];
    expect(await properties(close)).toEqual(['changes.0.rules.0.conditions.0.field']);
  });

  test('an override of a layer for another experiment creates no cycle', async () => {
    const layer = await makeLayer();
    const [one, other] = [
      await makeExperiment({ layerID: layer.id }),
      await makeExperiment({ layerID: layer.id }),
    ];
    const { id: name } = await makeGate({ rules: inGroup(other.id) });
    const { id: second } = await makeGate();
    const { id: segment } = await makeSegment({ id: name });
    const of = { type: 'gate', groupName: 'Test' };
    await ok('POST', `layers/${layer.id}/overrides`, {
      conditionalOverrides: [
        { ...of, name, experimentName: one.id },
        { ...of, name: second, experimentName: other.id },
        { ...of, type: 'segment', name: segment, experimentName: other.id },
      ],
    });
  });

  test('a cycle from a member of a holdout to its targeting gate is 400', async () => {
    const [member, targeting] = [await makeGate(), await makeGate()];
    const own = { gateIDs: [member.id], targetingGateID: member.id };
    const holdout = { name: 'Holdout', ...holdoutSettings };
    expect(await properties(['POST', 'holdouts', { ...holdout, ...own }])).toHaveLength(1);
    const { id } = await makeHoldout({ gateIDs: [member.id], targetingGateID: targeting.id });
    const close: Step = ['PATCH', `gates/${targeting.id}`, { rules: [passing(member.id)] }];
    expect(await properties(close)).toEqual([`changes.0.rules.0${inGates}`]);
    const target: Step = ['PATCH', `holdouts/${id}`, { targetingGateID: member.id }];
    expect(await properties(target)).toEqual(['changes.0.targetingGateID']);
    const third = await makeGate();
    const takeIn: Step = [
      'PATCH',
      `holdouts/${id}`,
      { gateIDs: [member.id, third.id, targeting.id] },
    ];
    expect(await properties(takeIn)).toEqual(['changes.0.gateIDs.2']);
  });

  test('a cycle through an experiment, its layer and the holdout of the layer is 400', async () => {
    const layer = await makeLayer();
    const experiment = await makeExperiment({ layerID: layer.id });
    const { id: targetingGateID } = await makeGate({ rules: inGroup(experiment.id) });
    const { id } = await makeHoldout({ targetingGateID });
    for (const member of [{ layerIDs: [layer.id] }, { experimentIDs: [experiment.id] }])
      expect(await properties(['PATCH', `holdouts/${id}`, member])).toEqual([
        `changes.0.${Object.keys(member)[0]}.0`,
      ]);
    await makeHoldout({ targetingGateID, gateIDs: [(await makeGate()).id] });
  });

  test('a cycle through a holdout to an experiment or its layer is 400 when the gate closes it', async () => {
    const layer = await makeLayer();
    const experiment = await makeExperiment({ layerID: layer.id });
    for (const member of [{ layerIDs: [layer.id] }, { experimentIDs: [experiment.id] }]) {
      const { id: targetingGateID } = await makeGate();
      const { id } = await makeHoldout({ targetingGateID, ...member });
      const path = `gates/${targetingGateID}`;
      const close: Step = ['PATCH', path, { rules: inGroup(experiment.id) }];
      expect(await properties(close)).toEqual(['changes.0.rules.0.conditions.0.field']);
      const { id: another } = await makeGate();
      await makeHoldout({ targetingGateID: another, gateIDs: [(await makeGate()).id] });
      await made(['PATCH', `gates/${another}`, { rules: inGroup(experiment.id) }]);
      await ok('DELETE', `holdouts/${id}`);
    }
  });

  test('a cycle through a global holdout is 400', async () => {
    const { id: targetingGateID } = await makeGate();
    const { id: holdout } = await makeHoldout({ isGlobal: true, targetingGateID });
    const { id: member } = await makeGate();
    const close = ['PATCH', `gates/${targetingGateID}`, { rules: [passing(member)] }] as const;
    expect(await properties([...close])).toHaveLength(1);
    await ok('DELETE', `holdouts/${holdout}`);
    await made([...close]);
  });
});
