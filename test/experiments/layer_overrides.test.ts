import { describe, expect, test } from 'vitest';
import { base, call, costOf, invalidPropertiesOf, ok } from '../support/client.ts';
import { makeExperiment, makeGate, makeLayer, makeSegment, unique } from '../support/factories.ts';
import { allowMoreTrips } from '../support/responses.ts';

/** An experiment of two groups; `Test` sets parameters. */
const makeOn = (layerID: string, parameterValues = {}, more = {}) =>
  makeExperiment({
    layerID,
    groups: [
      { name: 'Control', size: 50 },
      { name: 'Test', size: 50, parameterValues },
    ],
    ...more,
  });

/** A layer, and what its overrides can name. */
const setting = async () => {
  const [layer, gate, segment] = [await makeLayer(), await makeGate(), await makeSegment()];
  const experiment = await makeOn(layer.id);
  const to = (groupName: string) => ({ experimentName: experiment.id, groupName });
  const gated = { type: 'gate', name: gate.id, ...to('Test') };
  const segmented = { type: 'segment', name: segment.id, ...to('Control') };
  const units = { ids: ['u-1', 'u-2'], idType: 'userID', environment: 'production' };
  const path = `layers/${layer.id}/overrides`;
  return { path, layer, experiment, gate, segment, gated, segmented, units, to };
};

describe('the overrides of a layer', () => {
  test('are empty at first, and can be read after they are set', async () => {
    const { path, gated, segmented, units, to } = await setting();
    expect(await ok('GET', path)).toEqual({ conditionalOverrides: [], idOverrides: [] });
    const body = {
      conditionalOverrides: [gated, segmented],
      idOverrides: [{ ...to('Control'), ...units }],
    };
    expect(await ok('POST', path, body)).toEqual(body);
    expect(await ok('GET', path)).toEqual(body);
  });

  test('are for all environments and users by default', async () => {
    const { path, to } = await setting();
    const { idOverrides } = await ok('POST', path, {
      idOverrides: [{ ...to('Test'), ids: ['u'] }],
    });
    expect(idOverrides).toEqual([{ ...to('Test'), ids: ['u'], idType: 'userID', environment: '' }]);
  });

  test('are replaced array by array, and one of them is needed', async () => {
    const { path, gated, segmented, units, to } = await setting();
    const idOverrides = [{ ...to('Control'), ...units }];
    await ok('POST', path, { conditionalOverrides: [gated], idOverrides });
    const replaced = await ok('POST', path, { conditionalOverrides: [segmented] });
    expect(replaced).toEqual({ conditionalOverrides: [segmented], idOverrides });
    expect(await invalidPropertiesOf('POST', path, {})).toEqual(['conditionalOverrides']);
    const none = await ok('POST', path, { conditionalOverrides: [], idOverrides: [] });
    expect(none).toEqual({ conditionalOverrides: [], idOverrides: [] });
  });

  test('are added to, each once', async () => {
    const { path, gated, segmented, units, to } = await setting();
    await ok('POST', path, {
      conditionalOverrides: [gated],
      idOverrides: [{ ...to('Test'), ...units }],
    });
    const added = await ok('PATCH', path, {
      conditionalOverrides: [gated, segmented],
      idOverrides: [{ ...to('Test'), ...units, ids: ['u-2', 'u-3'] }],
    });
    expect(added.conditionalOverrides).toEqual([gated, segmented]);
    expect(added.idOverrides).toEqual([{ ...to('Test'), ...units, ids: ['u-1', 'u-2', 'u-3'] }]);
  });

  test('are removed by name, or all without a body', async () => {
    const { path, gated, segmented, units, to } = await setting();
    const idOverrides = [{ ...to('Test'), ...units }];
    await ok('POST', path, { conditionalOverrides: [gated, segmented], idOverrides });
    const left = await ok('DELETE', path, {
      conditionalOverrides: [gated],
      idOverrides: [{ ...to('Test'), ...units, ids: ['u-1'] }],
    });
    expect(left.conditionalOverrides).toEqual([segmented]);
    expect(left.idOverrides).toEqual([{ ...to('Test'), ...units, ids: ['u-2'] }]);
    expect(await ok('DELETE', path)).toEqual({ conditionalOverrides: [], idOverrides: [] });
  });

  test.each(['type', 'name', 'experimentName', 'groupName'])(
    'need a %s for a condition',
    async (property) => {
      const { path, gated } = await setting();
      const body = { conditionalOverrides: [{ ...gated, [property]: undefined }] };
      expect(await invalidPropertiesOf('POST', path, body)).toEqual([
        `conditionalOverrides.0.${property}`,
      ]);
    },
  );

  test.each(['ids', 'experimentName', 'groupName'])('need a %s for ids', async (property) => {
    const { path, to } = await setting();
    const body = { idOverrides: [{ ...to('Test'), ids: ['u'], [property]: undefined }] };
    expect(await invalidPropertiesOf('POST', path, body)).toEqual([`idOverrides.0.${property}`]);
  });

  test('all stay when they are added at once', async () => {
    allowMoreTrips('changes that others overtake are computed again');
    const { path, to } = await setting();
    const ids = Array.from({ length: 10 }, (_, index) => `u-${index}`);
    const add = (id: string) => ok('PATCH', path, { idOverrides: [{ ...to('Test'), ids: [id] }] });
    await Promise.all(ids.map(add));
    const { idOverrides } = await ok('GET', path);
    expect(idOverrides[0].ids.toSorted()).toEqual(ids);
  });

  test('of a type that is not said are those of an experiment made along with them', async () => {
    const { path, layer } = await setting();
    const experiment = {
      id: unique('along').replace(' ', '_'),
      name: 'Along',
      layerID: layer.id,
      idType: 'orgID',
    };
    const entry = { experimentName: experiment.id, groupName: 'Test', ids: ['o-1'] };
    const changes = [
      { method: 'POST', path: `${base}/experiments`, body: experiment },
      { method: 'POST', path: `${base}/${path}`, body: { idOverrides: [entry] } },
    ];
    await ok('POST', 'changes', { changes });
    expect((await ok('GET', path)).idOverrides).toEqual([
      { ...entry, idType: 'orgID', environment: '' },
    ]);
  });
});

describe('overrides of experiments on a layer', () => {
  test('name gates, segments, experiments and groups of these that exist', async () => {
    const { path, layer, gated, segmented, to } = await setting();
    const other = await makeExperiment({
      layerID: layer.id,
      groups: [{ name: 'Only', size: 100 }],
    });
    const found = await invalidPropertiesOf('POST', path, {
      conditionalOverrides: [
        { ...gated, name: 'nothing' },
        { ...segmented, name: gated.name },
      ],
      idOverrides: [
        { ...to('Only'), ids: ['u-1'] },
        { experimentName: 'nothing', groupName: 'Test', ids: ['u-3'] },
        { experimentName: other.id, groupName: 'Only', ids: ['u-2'] },
      ],
    });
    expect(found).toEqual([
      'conditionalOverrides.0.name',
      'conditionalOverrides.1.name',
      'idOverrides.0.groupName',
      'idOverrides.1.experimentName',
      'idOverrides.1.groupName',
    ]);
  });

  test('keep what they name from going', async () => {
    const { path, experiment, gate, segment, gated, segmented } = await setting();
    await ok('POST', path, { conditionalOverrides: [gated, segmented] });
    const elsewhere = {
      groups: [
        { name: 'Control', size: 50 },
        { name: 'Other', size: 50 },
      ],
    };
    const removals = [
      await call('DELETE', `gates/${gate.id}`),
      await call('PUT', `gates/${gate.id}/archive`),
      await call('DELETE', `segments/${segment.id}`),
      await call('DELETE', `experiments/${experiment.id}`),
      await call('PATCH', `experiments/${experiment.id}`, { body: elsewhere }),
    ];
    for (const { status, body } of removals) {
      expect(status).toBe(409);
      expect(body.references[0]).toMatchObject({ kind: 'layer', property: 'conditionalOverrides' });
    }
    await ok('DELETE', path);
    await ok('DELETE', `gates/${gate.id}`);
  });

  test('name experiments on the layer only, which stay on it', async () => {
    const { path, layer, experiment, gated, to } = await setting();
    const [elsewhere, off] = [await makeOn((await makeLayer()).id), await makeOn(layer.id)];
    await ok('PATCH', `experiments/${off.id}`, { layerID: null });
    for (const { id } of [elsewhere, off]) {
      const target = { experimentName: id, groupName: 'Test' };
      expect(
        await invalidPropertiesOf('POST', path, {
          conditionalOverrides: [{ ...gated, ...target }],
          idOverrides: [{ ...target, ids: ['u'] }],
        }),
      ).toEqual(['conditionalOverrides.0.experimentName', 'idOverrides.0.experimentName']);
    }
    await ok('POST', path, { idOverrides: [{ ...to('Test'), ids: ['u'] }] });
    for (const layerID of [null, elsewhere.layerID]) {
      const answer = await call('PATCH', `experiments/${experiment.id}`, { body: { layerID } });
      expect(answer.status).toBe(409);
      expect(answer.body.references).toEqual([
        expect.objectContaining({ kind: 'layer', id: layer.id, property: 'idOverrides' }),
      ]);
    }
    await ok('DELETE', path);
    await ok('PATCH', `experiments/${experiment.id}`, { layerID: null });
    const restored = await call('PUT', `layers/${layer.id}/versions/2/restore`);
    expect(restored.status).toBe(400);
    expect(restored.body.errors).toEqual([
      {
        property: 'idOverrides.0.experimentName',
        errorMessage: expect.stringContaining('experiment on the layer'),
      },
    ]);
  });
});

describe('overrides of several groups on a layer', () => {
  test('put an id into one group only of an experiment, for an id type and environment', async () => {
    const { path, units, to } = await setting();
    const twice = (more: object) => ({
      idOverrides: [
        { ...to('Test'), ...units },
        { ...to('Control'), ...units, ...more },
      ],
    });
    expect(await invalidPropertiesOf('POST', path, twice({}))).toEqual(['idOverrides.1']);
    expect(await invalidPropertiesOf('POST', path, twice({ environment: '' }))).toEqual([
      'idOverrides.1',
    ]);
    expect(await invalidPropertiesOf('POST', path, twice({ idType: 'userid' }))).toEqual([
      'idOverrides.1',
    ]);
    for (const more of [{ idType: 'companyID' }, { environment: 'staging' }, { ids: ['u-3'] }])
      await ok('POST', path, twice(more));
    const again = { idOverrides: [{ ...to('Test'), ...units, ids: ['u-3'] }] };
    expect((await invalidPropertiesOf('PATCH', path, again))[0]).toContain('idOverrides');
  });

  test('put a condition into one group only of an experiment', async () => {
    const { path, gated, to } = await setting();
    const body = { conditionalOverrides: [gated, { ...gated, ...to('Control') }] };
    expect(await invalidPropertiesOf('POST', path, body)).toEqual(['conditionalOverrides.1']);
  });

  test('put a unit into one experiment of the layer only', async () => {
    const { path, layer, units, to } = await setting();
    const other = await makeOn(layer.id);
    const twice = (one: object, two: object) => ({
      idOverrides: [
        { ...to('Test'), ...units, ...one },
        { ...to('Test'), ...units, ...two, experimentName: other.id },
      ],
    });
    for (const [one, two] of [
      [{}, {}],
      [{ environment: null }, {}],
      [{}, { environment: null }],
      [{}, { environment: 'staging' }],
      [{ idType: undefined }, {}],
      [{}, { idType: '' }],
      [{}, { idType: 'userid' }],
    ] as const)
      expect(await invalidPropertiesOf('POST', path, twice(one, two))).toEqual(['idOverrides.1']);
    for (const two of [{ idType: 'companyID' }, { ids: ['u-3'] }])
      await ok('POST', path, twice({}, two));
    const again = { idOverrides: [{ ...to('Test'), ids: ['u-3'] }] };
    expect((await invalidPropertiesOf('PATCH', path, again))[0]).toContain('idOverrides');
  });
});

describe('overrides of a layer without an ID type', () => {
  test('have the id type of their experiment by default', async () => {
    const { path, layer, experiment, to } = await setting();
    const other = await makeOn(layer.id, {}, { idType: 'companyID' });
    const at = { experimentName: other.id, groupName: 'Test' };
    const typesOf = async (method: string, idOverrides: object[]) =>
      (await ok(method, path, { idOverrides })).idOverrides.map(
        ({ experimentName, idType, ids }: { experimentName: string; idType: string; ids: [] }) => [
          experimentName,
          idType,
          ids,
        ],
      );
    for (const idType of [undefined, null, '']) {
      const given = [
        { ...to('Test'), ids: ['u-1'], idType },
        { ...at, ids: ['u-1'], idType },
      ];
      const typed = [
        [experiment.id, 'userID', ['u-1']],
        [other.id, 'companyID', ['u-1']],
      ];
      expect(await typesOf('POST', given)).toEqual(typed);
      expect(await typesOf('PATCH', given)).toEqual(typed);
    }
    const further = [
      { ...at, ids: ['u-2'] },
      { ...at, ids: ['u-3'], idType: 'companyID' },
    ];
    expect(await typesOf('PATCH', further)).toContainEqual([
      other.id,
      'companyID',
      ['u-1', 'u-2', 'u-3'],
    ]);
    const second = { idOverrides: [{ ...at, groupName: 'Control', ids: ['u-3'] }] };
    expect((await invalidPropertiesOf('PATCH', path, second))[0]).toContain('idOverrides');
    expect(
      await invalidPropertiesOf('POST', path, {
        idOverrides: [{ ...at, ids: ['u'], experimentName: 'no' }],
      }),
    ).toEqual(['idOverrides.0.experimentName', 'idOverrides.0.groupName']);
    expect(costOf(await call('POST', path, { body: { idOverrides: further } })).trips).toBe(2);
  });

  test('are removed for any id type and environment by default, and counted', async () => {
    const { path, gated, to } = await setting();
    const entry = (more: object) => ({
      ...to('Test'),
      ids: ['u-1', 'u-2'],
      idType: 'userID',
      environment: '',
      ...more,
    });
    const [everywhere, staging, company] = [
      entry({}),
      entry({ environment: 'staging' }),
      entry({ idType: 'companyID' }),
    ];
    const all = { conditionalOverrides: [gated], idOverrides: [everywhere, staging, company] };
    const second = (of: object) => ({ ...of, ids: ['u-2'] });
    const one = { ...to('Test'), ids: ['u-1'] };
    const cases: [body: object | undefined, removed: number, left: unknown[]][] = [
      [{ idOverrides: [one] }, 3, [everywhere, staging, company].map(second)],
      [
        { idOverrides: [{ ...one, idType: 'userID' }] },
        2,
        [second(everywhere), second(staging), company],
      ],
      [
        { idOverrides: [{ ...one, environment: 'staging' }] },
        1,
        [everywhere, second(staging), company],
      ],
      [
        { idOverrides: [{ ...one, idType: null, environment: 'staging' }] },
        1,
        [everywhere, second(staging), company],
      ],
      [
        { idOverrides: [{ ...one, environment: null }] },
        2,
        [second(everywhere), staging, second(company)],
      ],
      [{ idOverrides: [{ ...staging }] }, 2, [everywhere, company]],
      [{ idOverrides: [{ ...to('Control'), ids: ['u-1'] }] }, 0, all.idOverrides],
      [{ conditionalOverrides: [gated] }, 1, all.idOverrides],
      [undefined, 7, []],
    ];
    for (const [body, removed, left] of cases) {
      await ok('POST', path, all);
      const answer = await call('DELETE', path, { body });
      expect([answer.body.removed, answer.data.idOverrides], JSON.stringify(body)).toEqual([
        removed,
        left,
      ]);
    }
  });
});

describe('an entry added to overrides', () => {
  test('is refused with its place in the body, regardless of stored entries', async () => {
    const layer = await makeLayer();
    const experiment = await makeExperiment({ layerID: layer.id });
    const [control, other] = experiment.groups;
    const there = { type: 'gate', id: (await makeGate()).id, groupID: control.id };
    const units = { groupID: control.id, ids: ['u-1'] };
    const own = `experiments/${experiment.id}/overrides`;
    await ok('POST', own, { overrides: [there], userIDOverrides: [units] });
    expect(
      await invalidPropertiesOf('PATCH', own, { overrides: [{ ...there, id: 'nothing' }] }),
    ).toEqual(['overrides.0.id']);
    expect(
      await invalidPropertiesOf('PATCH', own, { overrides: [{ ...there, groupID: other.id }] }),
    ).toEqual(['overrides.0']);
    const moved = [{ ...units, groupID: other.id }];
    expect(await invalidPropertiesOf('PATCH', own, { userIDOverrides: moved })).toEqual([
      'userIDOverrides.0',
    ]);
    const change = {
      method: 'PATCH',
      path: `/console/v1/${own}`,
      body: { overrides: [{ ...there, id: 'nothing' }] },
    };
    expect(await invalidPropertiesOf('POST', 'changes', { changes: [change] })).toEqual([
      'changes.0.overrides.0.id',
    ]);

    const theirs = `layers/${layer.id}/overrides`;
    const target = { experimentName: experiment.id, groupName: control.name };
    const conditional = { ...target, type: 'gate', name: there.id };
    const listed = { ...target, ids: ['u-1'] };
    await ok('POST', theirs, { conditionalOverrides: [conditional], idOverrides: [listed] });
    const unknown = { conditionalOverrides: [{ ...conditional, name: 'nothing' }] };
    expect(await invalidPropertiesOf('PATCH', theirs, unknown)).toEqual([
      'conditionalOverrides.0.name',
    ]);
    const second = { idOverrides: [{ ...listed, groupName: other.name }] };
    expect(await invalidPropertiesOf('PATCH', theirs, second)).toEqual(['idOverrides.0']);
  });

  test('is refused with its own place next to equal or larger entries', async () => {
    const experiment = await makeExperiment();
    const path = `experiments/${experiment.id}/overrides`;
    const groupID = experiment.groups[0].id;
    const there = { type: 'gate', id: (await makeGate()).id, groupID };
    const unknown = (id: string) => ({ ...there, id });
    const inProduction = { ...unknown('one'), environment: 'production' };
    expect(
      await invalidPropertiesOf('POST', path, { overrides: [unknown('one'), inProduction] }),
    ).toEqual(['overrides.0.id', 'overrides.1.id']);
    const repeated = [there, there, there, ...['one', 'two', 'three'].map(unknown)];
    const { message, errors } = (await call('POST', path, { body: { overrides: repeated } })).body;
    const said = [...message.matchAll(/overrides\.\d\.id/g)].flat();
    expect(said).toEqual(['overrides.3.id', 'overrides.4.id', 'overrides.5.id']);
    expect(errors.map(({ property }: { property: string }) => property)).toEqual(said);
  });
});
