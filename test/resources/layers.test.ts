import { describe, expect, test } from 'vitest';
import { base, call, costOf, invalidPropertiesOf, ok } from '../support/client.ts';
import {
  makeExperiment,
  makeGate,
  makeLayer,
  makeParamStore,
  makeSegment,
  unique,
} from '../support/factories.ts';

const parameters = [
  { name: 'title', type: 'string', defaultValue: '' },
  { name: 'size', type: 'number', defaultValue: 0 },
  { name: 'green', type: 'boolean', defaultValue: false },
  { name: 'theme', type: 'object', defaultValue: {} },
  { name: 'steps', type: 'array', defaultValue: [] },
];

const full = () => ({
  id: unique('layer').replace(' ', '_'),
  name: 'Größe „XL“ 測試',
  description: 'x'.repeat(1000),
  idType: 'companyID',
  parameters,
  targetApps: ['ios', 'web'],
  tags: ['a', 'b'],
  team: 'Checkout',
});

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

const start = (id: string) => call('PUT', `experiments/${id}/start`);

describe('a layer', () => {
  test('reads back with every value it was created with', async () => {
    const body = full();
    await ok('POST', 'layers', body);
    expect(await ok('GET', `layers/${body.id}`)).toMatchObject({
      ...body,
      holdoutIDs: [],
      version: 1,
    });
  });

  test('has defaults for everything except its name', async () => {
    expect(await makeLayer()).toMatchObject({
      description: '',
      idType: 'userID',
      parameters: [],
      targetApps: [],
      holdoutIDs: [],
      tags: [],
      team: null,
    });
    expect(await invalidPropertiesOf('POST', 'layers', {})).toEqual(['name']);
  });

  test('refuses an id that is taken', async () => {
    const { id } = await makeLayer();
    expect((await call('POST', 'layers', { body: { name: 'Again', id } })).status).toBe(409);
  });

  test('keeps what a partial update leaves out, and clears by null only what can be empty', async () => {
    const { id, parameters: _all, ...rest } = await ok('POST', 'layers', full());
    const updated = await ok('PATCH', `layers/${id}`, { team: null, idType: null });
    expect(updated).toMatchObject({ description: rest.description, parameters, tags: ['a', 'b'] });
    expect(updated).toMatchObject({ team: null, idType: 'userID', version: 2 });
    for (const property of ['name', 'description', 'parameters', 'tags'])
      expect(await invalidPropertiesOf('PATCH', `layers/${id}`, { [property]: null })).toEqual([
        property,
      ]);
  });

  test.each([
    ['name', 'xx', 'xxx'],
    ['name', 'x'.repeat(101), 'x'.repeat(100)],
    ['description', 'x'.repeat(1001), 'x'.repeat(1000)],
    ['tags', 'one', ['one']],
  ])('has bounds: %s', async (property, past, on) => {
    const { id } = await makeLayer();
    expect(await invalidPropertiesOf('PATCH', `layers/${id}`, { [property]: past })).toEqual([
      property,
    ]);
    expect(await ok('PATCH', `layers/${id}`, { [property]: on })).toMatchObject({ [property]: on });
  });

  test('is found by its id type, tag, app and creator', async () => {
    const layer = await makeLayer({ idType: unique('t'), tags: [unique('t')], targetApps: 'web' });
    for (const query of [`idType=${layer.idType}`, `tags=${layer.tags[0]}`])
      expect(await ok('GET', `layers?${query}`)).toEqual([layer]);
    expect(await ok('GET', 'layers?targetAppID=web&creatorID=root')).toContainEqual(layer);
    expect(await ok('GET', 'layers?creatorID=nobody')).toEqual([]);
  });

  test('is restored to an earlier version, also after its removal', async () => {
    const { id } = await makeLayer({ parameters });
    await ok('PATCH', `layers/${id}`, { parameters: [] });
    expect(await ok('PUT', `layers/${id}/versions/1/restore`)).toMatchObject({ parameters });
    await ok('DELETE', `layers/${id}`);
    expect(await ok('PUT', `layers/${id}/versions/2/restore`)).toMatchObject({ parameters: [] });
  });
});

describe('the parameters of a layer', () => {
  test.each(['name', 'type', 'defaultValue'])('each need a %s', async (property) => {
    const parameter = { ...parameters[0], [property]: undefined };
    const found = await invalidPropertiesOf('POST', 'layers', {
      name: 'Layer',
      parameters: [parameter],
    });
    expect(found).toEqual([`parameters.0.${property}`]);
  });

  test('have names that differ and a type that is known', async () => {
    const body = { name: 'Layer', parameters: [parameters[0], parameters[0]] };
    expect(await invalidPropertiesOf('POST', 'layers', body)).toEqual(['parameters.1.name']);
    const odd = { name: 'odd', type: 'date', defaultValue: 0 };
    expect(
      await invalidPropertiesOf('POST', 'layers', { name: 'Layer', parameters: [odd] }),
    ).toEqual(['parameters.0.type']);
  });

  test.each(parameters)('have a default of their type: $type', async (parameter) => {
    const others = parameters.filter(({ type }) => type !== parameter.type);
    for (const defaultValue of [null, ...others.map((other) => other.defaultValue)]) {
      const wrong = [{ ...parameter, defaultValue }];
      const found = await invalidPropertiesOf('POST', 'layers', {
        name: 'Layer',
        parameters: wrong,
      });
      expect(found).toEqual(['parameters.0.defaultValue']);
    }
  });

  test('are the only ones that an experiment on the layer can set, each to a value of its type', async () => {
    const { id } = await makeLayer({ parameters });
    const values = { title: 'x', size: 1, green: true, theme: { a: 1 }, steps: [1] };
    const experiment = await makeOn(id, values);
    expect(experiment.groups[1].parameterValues).toEqual(values);
    const wrong = [{ other: 1 }, { title: 1 }, { size: '1' }, { green: null }, { theme: [] }];
    for (const parameterValues of wrong) {
      const groups = [
        { name: 'Control', size: 50 },
        { name: 'Test', size: 50, parameterValues },
      ];
      const at = [`groups.1.parameterValues.${Object.keys(parameterValues)[0]}`];
      const body = { name: unique('Wrong'), layerID: id, groups };
      expect(await invalidPropertiesOf('POST', 'experiments', body)).toEqual(at);
      expect(
        await invalidPropertiesOf('PATCH', `experiments/${experiment.id}`, { groups }),
      ).toEqual(at);
    }
  });

  test('cannot go, or change their type, while an experiment sets them', async () => {
    const { id } = await makeLayer({ parameters });
    const experiment = await makeOn(id, { size: 1 });
    const [title, size, ...rest] = parameters;
    const changed = [title, { ...size, type: 'string', defaultValue: '' }, ...rest];
    for (const wrong of [[title, ...rest], changed]) {
      const answer = await call('PATCH', `layers/${id}`, { body: { parameters: wrong } });
      expect(answer.status).toBe(409);
      expect(answer.body.references[0]).toMatchObject({ kind: 'experiment', id: experiment.id });
    }
    await ok('PATCH', `layers/${id}`, {
      parameters: [{ name: 'size', type: 'number', defaultValue: 7 }],
    });
    await ok('PATCH', `experiments/${experiment.id}`, { layerID: null });
    await ok('PATCH', `layers/${id}`, { parameters: [] });
  });

  test('never lose their type to a change that comes at the same time as a value', async () => {
    const { id } = await makeLayer({ parameters: parameters.slice(1, 2) });
    const asText = [{ name: 'size', type: 'string', defaultValue: '' }];
    const body = {
      name: unique('Racing'),
      layerID: id,
      groups: [{ name: 'Test', size: 100, parameterValues: { size: 1 } }],
    };
    const [set, change] = await Promise.all([
      call('POST', 'experiments', { body }),
      call('PATCH', `layers/${id}`, { body: { parameters: asText } }),
    ]);
    expect([
      [201, 409],
      [400, 200],
    ]).toContainEqual([set.status, change.status]);
  });

  test('are what a param store can name', async () => {
    const { id } = await makeLayer({ parameters });
    const named = { name: 'p', ref_type: 'layer', param_type: 'number', layer_name: id };
    await makeParamStore({ parameters: [{ ...named, param_name: 'size' }] });
    const answer = await call('PATCH', `layers/${id}`, { body: { parameters: [] } });
    expect(answer.status).toBe(409);
    expect(answer.body.references[0]).toMatchObject({ kind: 'param_store' });
  });
});

describe('the experiments on a layer', () => {
  test('are listed, and keep it from being deleted', async () => {
    const layer = await makeLayer();
    const [first, second] = [await makeOn(layer.id), await makeOn(layer.id)];
    await makeExperiment();
    const listed = await ok('GET', `layers/${layer.id}/experiments`);
    const ids = listed.map(({ id }: { id: string }) => id);
    expect(ids.toSorted()).toEqual([first.id, second.id].toSorted());
    const refused = await call('DELETE', `layers/${layer.id}`);
    expect(refused.status).toBe(409);
    expect(refused.body.references).toHaveLength(2);
    for (const { id } of [first, second]) await ok('DELETE', `experiments/${id}`);
    await ok('DELETE', `layers/${layer.id}`);
    expect((await call('GET', `layers/${layer.id}/experiments`)).status).toBe(404);
  });

  test('take no more than all of it together while they are active', async () => {
    const { id: layerID } = await makeLayer();
    const first = await makeOn(layerID, {}, { allocation: 60 });
    const second = await makeOn(layerID, {}, { allocation: 40.5 });
    expect((await start(first.id)).status).toBe(200);
    const refused = await start(second.id);
    expect(refused.status).toBe(409);
    expect(refused.body.message).toContain(' 40% is free');
    await ok('PATCH', `experiments/${second.id}`, { allocation: 40 });
    expect((await start(second.id)).status).toBe(200);
  });

  test('are drawn by one unit for as long as they run', async () => {
    const { id: layerID } = await makeLayer({ idType: 'companyID' });
    const { id } = await makeOn(layerID);
    const change = (method: string, path: string, body?: object) => call(method, path, { body });
    expect((await change('PATCH', `layers/${layerID}`, { idType: 'orderID' })).status).toBe(200);
    expect((await start(id)).status).toBe(200);
    for (const answer of [
      await change('PATCH', `layers/${layerID}`, { idType: 'userID' }),
      await change('PUT', `layers/${layerID}/versions/1/restore`),
    ]) {
      expect(answer.status).toBe(409);
      expect(answer.body.message).toContain(id);
    }
    const whole = await change('POST', `layers/${layerID}`, { description: 'Another.' });
    expect(whole.data).toMatchObject({ idType: 'orderID', description: 'Another.' });
  });

  test('may be in thirds', async () => {
    const { id: layerID } = await makeLayer();
    for (const allocation of [33.3, 33.3, 33.4]) {
      const { id } = await makeOn(layerID, {}, { allocation });
      expect((await start(id)).status).toBe(200);
    }
  });

  test('are refused more than is free on every way to become or stay active', async () => {
    const { id: layerID } = await makeLayer();
    const late = await makeOn(layerID, {}, { allocation: 60 });
    await ok('PUT', `experiments/${late.id}/start`);
    await ok('PUT', `experiments/${late.id}/reset`);
    const early = await makeOn(layerID, {}, { allocation: 60 });
    await ok('PUT', `experiments/${early.id}/start`);
    const path = `experiments/${late.id}`;
    const ways = [
      () => call('PUT', `${path}/start`),
      () => call('PATCH', path, { body: { status: 'active' } }),
      () => call('PUT', `${path}/versions/2/restore`),
    ];
    for (const way of ways) expect((await way()).status).toBe(409);
    await ok('PATCH', path, { allocation: 30, status: 'active' });
    expect((await call('PATCH', path, { body: { allocation: 41 } })).status).toBe(409);
    await ok('PATCH', path, { allocation: 40 });
    await ok('PATCH', path, { allocation: 10 });
    expect((await call('GET', path)).data).toMatchObject({ status: 'active', allocation: 10 });
  });

  test('get all free buckets, for any fractions of the others', async () => {
    const { id: layerID } = await makeLayer();
    for (const allocation of [0.1, 0.2, 0.3]) {
      const { id } = await makeOn(layerID, {}, { allocation });
      expect((await start(id)).status).toBe(200);
    }
    const last = await makeOn(layerID, {}, { allocation: 99.5 });
    const refused = await start(last.id);
    expect(refused.status).toBe(409);
    expect(refused.body.message).toContain(' 99.4% is free');
    await ok('PATCH', `experiments/${last.id}`, { allocation: 99.4 });
    expect((await start(last.id)).status).toBe(200);
  });

  test('leave their share to others when they stop', async () => {
    const { id: layerID } = await makeLayer();
    const [first, second] = [await makeOn(layerID), await makeOn(layerID)];
    expect((await start(first.id)).status).toBe(200);
    expect((await start(second.id)).status).toBe(409);
    await ok('PUT', `experiments/${first.id}/stop`, { decisionReason: 'Done.' });
    expect((await start(second.id)).status).toBe(200);
  });

  test('started at once never take more than all of it', async () => {
    for (let round = 0; round < 5; round++) {
      const { id: layerID } = await makeLayer();
      const both = [
        await makeOn(layerID, {}, { allocation: 60 }),
        await makeOn(layerID, {}, { allocation: 60 }),
      ];
      const answers = await Promise.all(both.map(({ id }) => start(id)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    }
  });

  test('start concurrently if there is room for all', async () => {
    const { id: layerID } = await makeLayer();
    const all = [];
    for (let count = 0; count < 10; count++)
      all.push(await makeOn(layerID, {}, { allocation: 10 }));
    const answers = await Promise.all(all.map(({ id }) => start(id)));
    expect(answers.map(({ status }) => status)).toEqual(all.map(() => 200));
  });

  test('need one more round trip to start than those on none', async () => {
    const { id: layerID } = await makeLayer();
    const [on, off] = [await makeOn(layerID), await makeExperiment()];
    expect(costOf(await start(on.id)).trips).toBe(3);
    expect(costOf(await start(off.id)).trips).toBe(2);
  });
});

describe('the overrides of a layer', () => {
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

  test('all stay when they are added at once', async () => {
    const { path, to } = await setting();
    const ids = Array.from({ length: 10 }, (_, index) => `u-${index}`);
    const add = (id: string) => ok('PATCH', path, { idOverrides: [{ ...to('Test'), ids: [id] }] });
    await Promise.all(ids.map(add));
    const { idOverrides } = await ok('GET', path);
    expect(idOverrides[0].ids.toSorted()).toEqual(ids);
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
