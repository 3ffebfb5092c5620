import { describe, expect, test } from 'vitest';
import { call, costOf, invalidPropertiesOf, ok } from '../support/client.ts';
import { makeExperiment, makeLayer, makeParamStore, unique } from '../support/factories.ts';

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
