import { describe, expect, test } from 'vitest';
import type { Parameter } from '../support/bodies.ts';
import { call, ok } from '../support/client.ts';
import {
  everyone,
  makeExperiment,
  makeGate,
  makeParamStore,
  unique,
} from '../support/factories.ts';

const required = { name: 'Store', description: '', displayName: 'Store' };
const create = (body: unknown) => call('POST', 'param_stores', { body });

/** The properties that a 400 names. */
const faults = async (parameters: unknown[]) => {
  const { status, body } = await create({ ...required, name: unique('Store'), parameters });
  expect(status, JSON.stringify(body)).toBe(400);
  return body.errors.map(({ property }: { property: string }) => property);
};

const ofType = { string: 'text', boolean: true, number: 1.5, array: [1, 'a'], object: { a: null } };
const statics = Object.entries(ofType).map(([param_type, value]) => ({
  name: `a ${param_type}`,
  ref_type: 'static',
  param_type,
  value,
}));
const onGate = (gate_name: string) => ({
  name: 'on a gate',
  ref_type: 'gate',
  param_type: 'string',
  gate_name,
  pass_value: 'yes',
  fail_value: '',
});
const onExperiment = (experiment_name: string, param_name: string) => ({
  name: 'on an experiment',
  ref_type: 'experiment',
  param_type: 'string',
  experiment_name,
  param_name,
});

/** An experiment whose groups set the parameter `colour`. */
const makeColours = () =>
  makeExperiment({
    groups: [
      { name: 'Control', size: 50, parameterValues: { colour: 'red' } },
      { name: 'Test', size: 50, parameterValues: { colour: 'blue', size: 2 } },
    ],
  });

describe('a param store', () => {
  test('reads back with every value it was created with', async () => {
    const [gate, experiment] = [await makeGate(), await makeColours()];
    const body = {
      id: 'full_store',
      name: 'Full store',
      description: 'x'.repeat(1000),
      displayName: 'Größe 測試',
      targetAppIDs: ['web', 'ios'],
      tags: ['checkout'],
      team: 'payments',
      parameters: [
        ...statics,
        onGate(gate.id),
        { ...onExperiment(experiment.id, 'size'), param_type: 'number' },
      ],
    };
    const answer = await create(body);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Location')).toBe('/console/v1/param_stores/full_store');
    expect(await ok('GET', 'param_stores/full_store')).toMatchObject({
      ...body,
      creatorID: 'root',
      lastModifierID: 'root',
      version: 1,
    });
  });

  test('gets what the body leaves out, and its id from its name', async () => {
    const name = unique('Plain Store');
    expect(await makeParamStore({ name })).toMatchObject({
      id: name.toLowerCase().replaceAll(' ', '_'),
      targetAppIDs: [],
      tags: [],
      team: '',
      parameters: [],
    });
  });

  test.each(['name', 'description', 'displayName'])(
    'is refused without %s, at creation and in a full update',
    async (property) => {
      const { id } = await makeParamStore();
      const body = { ...required, name: unique('Store'), [property]: undefined };
      const update = await call('POST', `param_stores/${id}`, { body });
      for (const answer of [await create(body), update]) {
        expect(answer.status).toBe(400);
        expect(answer.body.errors[0]).toEqual({ property, errorMessage: 'is required' });
      }
    },
  );

  test.each([
    ['name', 'ab'],
    ['name', 'x'.repeat(101)],
    ['description', 'x'.repeat(1001)],
    ['displayName', ''],
    ['displayName', 'x'.repeat(101)],
    ['targetAppIDs', 'web'],
    ['tags', [7]],
    ['team', 7],
    ['parameters', {}],
  ])('is refused with %s %j', async (property, value) => {
    const { status, body } = await create({ ...required, [property]: value });
    expect(status).toBe(400);
    expect(body.errors[0].property.split('.')[0]).toBe(property);
  });

  test('has an id of its own', async () => {
    const { id } = await makeParamStore();
    expect((await create({ ...required, id })).status).toBe(409);
  });

  test('has its target apps without blanks around them, as filters look for them', async () => {
    const app = unique('App');
    const { id, targetAppIDs } = await makeParamStore({ targetAppIDs: [`\u00a0${app} `] });
    expect(targetAppIDs).toEqual([app]);
    const found = await ok('GET', `param_stores?targetAppID=${encodeURIComponent(` ${app}`)}`);
    expect(found).toMatchObject([{ id }]);
  });

  test('is found by its tags and target apps', async () => {
    const tag = unique('tag');
    const { id } = await makeParamStore({ tags: [tag], targetAppIDs: [tag] });
    for (const filter of ['tags', 'targetAppID']) {
      const found = await ok('GET', `param_stores?${new URLSearchParams({ [filter]: tag })}`);
      expect(found.map((store: { id: string }) => store.id)).toEqual([id]);
    }
  });

  test('is replaced by a full update, with defaults for missing properties', async () => {
    const { id } = await makeParamStore({ tags: ['a'], team: 'payments', parameters: statics });
    const body = { name: 'Renamed', description: 'New.', displayName: 'New' };
    const updated = await ok('POST', `param_stores/${id}`, body);
    const empty = { tags: [], targetAppIDs: [], team: '', parameters: [] };
    expect(updated).toMatchObject({ ...body, ...empty, id, version: 2 });
    const restored = await ok('PUT', `param_stores/${id}/versions/1/restore`);
    expect(restored).toMatchObject({ tags: ['a'], parameters: statics, version: 3 });
  });

  test('keeps what a partial update leaves out', async () => {
    const { id } = await makeParamStore({ tags: ['a'], team: 'payments', parameters: statics });
    const updated = await ok('PATCH', `param_stores/${id}`, { displayName: 'New', team: null });
    const kept = { tags: ['a'], parameters: statics };
    expect(updated).toMatchObject({ ...kept, displayName: 'New', team: '', version: 2 });
    const parameters = [{ ...statics[0], value: 1 }];
    const refused = await call('PATCH', `param_stores/${id}`, { body: { parameters } });
    expect(refused.body.errors[0].property).toBe('parameters.0.value');
  });

  test('can be sent back after a read, which changes nothing', async () => {
    const { id } = await makeParamStore({ tags: ['a'], parameters: statics });
    const store = await ok('GET', `param_stores/${id}`);
    expect(await ok('POST', `param_stores/${id}`, store)).toEqual(store);
  });
});

describe('a parameter', () => {
  const mismatches = Object.keys(ofType).flatMap((param_type) =>
    Object.values({ ...ofType, none: null })
      .filter((value) => value !== new Map(Object.entries(ofType)).get(param_type))
      .map((value) => [param_type, value] as const),
  );

  test.each(mismatches)('of type %s cannot have the value %j', async (param_type, value) => {
    const { id: gate_name } = await makeGate();
    const own = { param_type, pass_value: value, fail_value: value, value };
    const parameters = [
      { name: 'a', ref_type: 'static', ...own },
      { name: 'b', ref_type: 'gate', gate_name, ...own },
    ];
    expect(await faults(parameters)).toEqual([
      'parameters.0.value',
      'parameters.1.pass_value',
      'parameters.1.fail_value',
    ]);
  });

  test.each([
    ['static', ['param_type', 'value']],
    ['gate', ['param_type', 'gate_name', 'pass_value', 'fail_value']],
    ['layer', ['param_type', 'layer_name', 'param_name']],
    ['dynamic_config', ['param_type', 'config_name', 'param_name']],
    ['experiment', ['param_type', 'experiment_name', 'param_name']],
  ])('of ref_type %s is refused without what it needs', async (ref_type, needed) => {
    const missing = await faults([{ name: 'p', ref_type }]);
    expect(missing).toEqual(needed.map((property) => `parameters.0.${property}`));
  });

  test('of another ref_type or param_type is refused', async () => {
    expect(await faults([{ ...statics[0], ref_type: 'segment' }])).toEqual([
      'parameters.0.ref_type',
    ]);
    expect(await faults([{ ...statics[0], param_type: 'date' }])).toEqual([
      'parameters.0.param_type',
    ]);
  });

  test('has a name of its own within its store', async () => {
    expect(await faults([statics[0], statics[1], statics[0]])).toEqual(['parameters.2.name']);
    expect(await faults([{ ...statics[0], name: ' ' }])).toEqual(['parameters.0.name']);
  });
});

interface Source {
  title: string;
  /** Makes one that has the parameter `colour`. */
  make: () => Promise<{ id: string }>;
  path: string;
  parameter: (id: string, param: string) => Parameter;
  /** A change after which `colour` is a number. */
  retype: object;
  /** The property that names it. */
  property: string;
}

const sources: Source[] = [
  {
    title: 'an experiment',
    make: makeColours,
    path: 'experiments',
    parameter: onExperiment,
    retype: {
      groups: [
        { name: 'Control', size: 50, parameterValues: { colour: 'red' } },
        { name: 'Test', size: 50, parameterValues: { colour: 2 } },
      ],
    },
    property: 'experiment_name',
  },
  {
    title: 'a layer',
    make: () =>
      ok('POST', 'layers', {
        name: unique('Layer'),
        parameters: [{ name: 'colour', type: 'string', defaultValue: 'red' }],
      }),
    path: 'layers',
    retype: { parameters: [{ name: 'colour', type: 'number', defaultValue: 1 }] },
    parameter: (layer_name, param_name) => ({
      name: 'on a layer',
      ref_type: 'layer',
      param_type: 'string',
      layer_name,
      param_name,
    }),
    property: 'layer_name',
  },
  {
    title: 'a dynamic config',
    make: () =>
      ok('POST', 'dynamic_configs', { name: unique('Config'), defaultValue: { colour: 'red' } }),
    path: 'dynamic_configs',
    retype: { defaultValue: { colour: 1 } },
    parameter: (config_name, param_name) => ({
      name: 'on a config',
      ref_type: 'dynamic_config',
      param_type: 'string',
      config_name,
      param_name,
    }),
    property: 'config_name',
  },
];

describe.each(sources)('a parameter on $title', ({ make, path, parameter, property, retype }) => {
  test('has the type of its source parameter', async () => {
    const { id } = await make();
    for (const param_type of ['number', 'boolean', 'array', 'object'])
      expect(await faults([{ ...parameter(id, 'colour'), param_type }])).toEqual([
        'parameters.0.param_type',
      ]);
    await ok('PATCH', `${path}/${id}`, retype);
    expect(await faults([parameter(id, 'colour')])).toEqual(['parameters.0.param_type']);
  });

  test('keeps that type from changing', async () => {
    const { id } = await make();
    const store = await makeParamStore({ parameters: [parameter(id, 'colour')] });
    const refused = await call('PATCH', `${path}/${id}`, { body: retype });
    expect([refused.status, refused.body.references[0].id]).toEqual([409, store.id]);
    await ok('DELETE', `param_stores/${store.id}`);
    expect((await call('PATCH', `${path}/${id}`, { body: retype })).status).toBe(200);
  });

  test('resolves to one that exists and has the parameter', async () => {
    const { id } = await make();
    const parameters = [parameter(id, 'colour')];
    expect((await makeParamStore({ parameters })).parameters).toEqual(parameters);
    expect(await faults([parameter(id, 'no_such')])).toEqual(['parameters.0.param_name']);
    expect(await faults([parameter('no_such', 'colour')])).toContain(`parameters.0.${property}`);
  });

  test('keeps it from being deleted', async () => {
    const { id } = await make();
    const store = await makeParamStore({ parameters: [parameter(id, 'colour')] });
    const refused = await call('DELETE', `${path}/${id}`);
    expect(refused.status).toBe(409);
    expect(refused.body.references).toContainEqual(
      expect.objectContaining({ kind: 'param_store', id: store.id, property: 'parameters' }),
    );
    await ok('DELETE', `param_stores/${store.id}`);
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(200);
  });
});

describe('a parameter on a dynamic config', () => {
  const rule = (value: object) => ({ ...everyone, name: unique('Rule'), returnValue: value });
  const given = (config_name: string) => ({
    name: 'on a config',
    ref_type: 'dynamic_config',
    param_type: 'string',
    config_name,
    param_name: 'colour',
  });
  const ofColours = (...values: object[]) =>
    ok('POST', 'dynamic_configs', {
      name: unique('Config'),
      defaultValue: { colour: 'red' },
      rules: values.map(rule),
    });

  test('has its type in every rule that sets it', async () => {
    const { id } = await ofColours({ colour: 'blue' }, { size: 1 });
    expect((await makeParamStore({ parameters: [given(id)] })).parameters).toHaveLength(1);
    const other = await ofColours({ colour: 'blue' }, { colour: 2 });
    expect(await faults([given(other.id)])).toEqual(['parameters.0.param_type']);
    const only = { ...given(id), param_name: 'size', param_type: 'number' };
    expect(await faults([only])).toEqual(['parameters.0.param_name']);
  });

  test('keeps a rule from giving it another', async () => {
    const { id } = await ofColours({ colour: 'blue' });
    const store = await makeParamStore({ parameters: [given(id)] });
    const path = `dynamic_configs/${id}/rules`;
    const refused = await call('POST', path, { body: rule({ colour: null }) });
    expect([refused.status, refused.body.references[0].id]).toEqual([409, store.id]);
    expect((await call('POST', path, { body: rule({ colour: 'green' }) })).status).toBe(200);
  });
});

describe('what a param store refers to', () => {
  test('must be a gate where it names one, and that cannot be deleted', async () => {
    expect(await faults([onGate('no_such')])).toEqual(['parameters.0.gate_name']);
    const { id } = await makeGate();
    const store = await makeParamStore({ parameters: [onGate(id)] });
    const refused = await call('DELETE', `gates/${id}`);
    expect([refused.status, refused.body.references[0].id]).toEqual([409, store.id]);
    await ok('POST', `param_stores/${store.id}`, { ...required, parameters: [] });
    expect((await call('DELETE', `gates/${id}`)).status).toBe(200);
  });

  test('stays: the groups of an experiment cannot drop a parameter in use', async () => {
    const { id } = await makeColours();
    await makeParamStore({
      parameters: [{ ...onExperiment(id, 'size'), param_type: 'number' }],
    });
    const groups = [
      { name: 'Control', size: 50, parameterValues: { colour: 'red' } },
      { name: 'Test', size: 50, parameterValues: { colour: 'blue' } },
    ];
    const refused = await call('PATCH', `experiments/${id}`, { body: { groups } });
    expect(refused.status).toBe(409);
    const kept = groups.map((group) => ({ ...group, parameterValues: { size: 1 } }));
    expect((await call('PATCH', `experiments/${id}`, { body: { groups: kept } })).status).toBe(200);
  });

  test('must be there when the store is restored', async () => {
    const { id: gateID } = await makeGate();
    const { id } = await makeParamStore({ parameters: [onGate(gateID)] });
    await ok('DELETE', `param_stores/${id}`);
    await ok('DELETE', `gates/${gateID}`);
    const refused = await call('PUT', `param_stores/${id}/versions/1/restore`);
    expect([refused.status, refused.body.type]).toEqual([400, '/problems/unknown_reference']);
    await ok('PUT', `gates/${gateID}/versions/1/restore`);
    expect((await call('PUT', `param_stores/${id}/versions/1/restore`)).status).toBe(200);
  });
});

test('a wrong type of a source parameter is named, also for a parameter stored before', async () => {
  const experiment = await makeColours();
  const parameter = { ...onExperiment(experiment.id, 'size'), param_type: 'number' };
  const { body: made } = await create({
    name: 'Typed',
    description: '',
    displayName: 'Typed',
    parameters: [parameter],
  });
  const path = `param_stores/${made.id ?? made.data.id}`;
  const parameters = [{ ...parameter, param_type: 'string' }];
  const { status, body } = await call('PATCH', path, { body: { parameters } });
  expect([status, body.errors[0].property]).toEqual([400, 'parameters.0.param_type']);
  expect(body.message).toContain('must be the type of');
});
