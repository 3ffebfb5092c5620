import { describe, expect, test } from 'vitest';
import { call, invalidPropertiesOf, ok } from '../support/client.ts';
import {
  everyone,
  makeDynamicConfig,
  makeGate,
  makeHoldout,
  makeParamStore,
  passing,
  unique,
} from '../support/factories.ts';

const colourSchema = { type: 'object', properties: { colour: { type: 'string' } } };
const ids = (entities: { id: string }[]) => entities.map(({ id }) => id);
const pathOf = async (overrides = {}) =>
  `dynamic_configs/${(await makeDynamicConfig(overrides)).id}`;
const ruleOf = (returnValue: object) => ({ ...everyone, returnValue });

const full = {
  id: 'full_config',
  name: '  Größe „XL“ 測試  ',
  description: 'x'.repeat(1000),
  idType: 'companyID',
  targetApps: 'ios',
  tags: ['a', 'b'],
  team: 'Checkout',
  teamID: 't1',
  isEnabled: false,
  rules: [{ ...ruleOf({ colour: 'green' }), id: 'r1', baseID: 'b1', environments: ['staging'] }],
  defaultValue: { colour: 'blue', sizes: [1, null, { deep: true }] },
  defaultValueJson5: "{ colour: 'blue', /* all */ sizes: [+1, null, { deep: true, }] }",
  schema: JSON.stringify(colourSchema),
  schemaJson5: "{ type: 'object', properties: { colour: { type: 'string' } } } // JSON5",
  creatorID: 'someone',
  creatorEmail: 'someone@shop.example',
};

const plain = {
  description: '',
  idType: 'userID',
  targetApps: [],
  holdoutIDs: [],
  tags: [],
  team: '',
  teamID: null,
  isEnabled: true,
  status: 'In Progress',
  rules: [],
  defaultValue: {},
  defaultValueJson5: '{}',
  schema: '{}',
  schemaJson5: '{}',
  releasePipelineID: null,
};

describe('a dynamic config', () => {
  test('reads back with every value it was created with', async () => {
    await ok('POST', 'dynamic_configs', full);
    const expected = { ...full, name: 'Größe „XL“ 測試', targetApps: ['ios'], status: 'Disabled' };
    expect(await ok('GET', 'dynamic_configs/full_config')).toMatchObject(expected);
  });

  test('gets defaults for absent properties', async () => {
    const name = unique('Plain config');
    const id = name.toLowerCase().replaceAll(' ', '_');
    expect(await makeDynamicConfig({ name })).toMatchObject({ ...plain, id, version: 1 });
  });

  test('requires a name, and a free id', async () => {
    expect(await invalidPropertiesOf('POST', 'dynamic_configs', {})).toEqual(['name']);
    const { name } = await makeDynamicConfig();
    expect((await call('POST', 'dynamic_configs', { body: { name } })).status).toBe(409);
  });

  test.each([
    ['name', 'xx', 'xxx'],
    ['name', 'x'.repeat(101), '𝔸'.repeat(100)],
    ['description', 'x'.repeat(1001), '𝔸'.repeat(1000)],
    ['isEnabled', 'true', true],
    ['tags', 'one', ['one']],
    ['defaultValue', [], { list: [] }],
    ['defaultValue', 'text', {}],
    ['schema', {}, '{}'],
  ])('has bounds: %s', async (property, past, on) => {
    const path = await pathOf();
    expect(await invalidPropertiesOf('PATCH', path, { [property]: past })).toEqual([property]);
    expect(await ok('PATCH', path, { [property]: on })).toMatchObject({ [property]: on });
  });

  test('keeps absent properties of a partial update, and clears only nullable ones', async () => {
    const path = await pathOf({ tags: ['a'], team: 'A', teamID: 't1' });
    const updated = await ok('PATCH', path, { teamID: null, team: null });
    expect(updated).toMatchObject({ teamID: null, team: '', tags: ['a'], version: 2 });
    expect(await invalidPropertiesOf('PATCH', path, { defaultValue: null })).toEqual([
      'defaultValue',
    ]);
  });

  test('gets defaults for absent properties of a full update, except name and creator', async () => {
    const made = await makeDynamicConfig({ ...full, id: unique('config').replace(' ', '_') });
    const { id, name, creatorID } = made;
    const replaced = await ok('POST', `dynamic_configs/${id}`, { tags: ['z'] });
    const off = { isEnabled: false, status: 'Disabled' };
    expect(replaced).toMatchObject({
      ...plain,
      ...off,
      id,
      name,
      creatorID,
      tags: ['z'],
      version: 2,
    });
  });

  test('stays in its holdouts through a full update', async () => {
    const { id } = await makeDynamicConfig();
    const holdout = await makeHoldout({ dynamicConfigIDs: [id] });
    const { holdoutIDs } = await ok('POST', `dynamic_configs/${id}`, { tags: ['z'] });
    expect(holdoutIDs).toEqual([holdout.id]);
  });

  test('keeps the id of a rule of the same name', async () => {
    const made = await makeDynamicConfig({ rules: [everyone] });
    const path = `dynamic_configs/${made.id}`;
    const patched = await ok('PATCH', path, { rules: [ruleOf({ a: 1 })] });
    const replaced = await ok('POST', path, { rules: [ruleOf({ b: 1 })] });
    const ruleIDs = [patched, replaced].map(({ rules }) => rules[0].id);
    expect(ruleIDs).toEqual([made.rules[0].id, made.rules[0].id]);
  });

  test('equals its earlier version after a restore, also after its removal', async () => {
    const path = await pathOf({ defaultValueJson5: '{ a: 1 }' });
    await ok('PATCH', path, { defaultValue: { a: 2 } });
    const first = { defaultValue: { a: 1 }, defaultValueJson5: '{ a: 1 }' };
    expect(await ok('PUT', `${path}/versions/1/restore`)).toMatchObject({ ...first, version: 3 });
    await call('DELETE', path);
    expect((await call('GET', path)).status).toBe(404);
    expect(await ok('PUT', `${path}/versions/2/restore`)).toMatchObject({ defaultValue: { a: 2 } });
  });

  test('must refer to an existing pipeline and gate', async () => {
    const body = { name: 'Config', rules: [passing('nothing')] };
    const unknown = { ...body, releasePipelineID: 'nothing' };
    const found = await invalidPropertiesOf('POST', 'dynamic_configs', unknown);
    const expected = ['rules.0.conditions.0.targetValue', 'releasePipelineID'];
    expect(found.sort()).toEqual(expected.sort());
  });
});

describe('the Json5 counterpart of a field', () => {
  test('determines the field if only the counterpart is given', async () => {
    const body = { defaultValueJson5: "{ a: 'x', b: 0xF, }", schemaJson5: "{ type: 'object' }" };
    const plainFields = { defaultValue: { a: 'x', b: 15 }, schema: '{"type":"object"}' };
    expect(await makeDynamicConfig(body)).toMatchObject({ ...body, ...plainFields });
    expect(await ok('PATCH', await pathOf(), body)).toMatchObject({ ...body, ...plainFields });
  });

  test('is the JSON text of the field if only the field is given', async () => {
    const body = { defaultValue: { a: [1] }, schema: '{ "type": "object" }' };
    const twins = { defaultValueJson5: '{"a":[1]}', schemaJson5: '{ "type": "object" }' };
    expect(await makeDynamicConfig(body)).toMatchObject({ ...body, ...twins });
    const path = await pathOf({ defaultValueJson5: '{ b: 2 }', schemaJson5: '{ /* any */ }' });
    expect(await ok('PATCH', path, body)).toMatchObject({ ...body, ...twins });
  });

  test('stays unchanged while the field keeps its meaning', async () => {
    const written = { defaultValueJson5: '{ a: 1, /* why */ b: 2 }', schemaJson5: '{ /* any */ }' };
    const path = await pathOf(written);
    const same = { defaultValue: { b: 2, a: 1 }, tags: ['a'] };
    expect(await ok('PATCH', path, same)).toMatchObject(written);
  });

  test.each(['constructor', '__proto__', 'hasOwnProperty'])(
    'can be sent back with its field, without a change, if a key is %s',
    async (key) => {
      const defaultValue = JSON.parse(`{ "list": [{ "${key}": { "a": 1 } }] }`);
      const config = await makeDynamicConfig({ defaultValue });
      const path = `dynamic_configs/${config.id}`;
      expect(await ok('PATCH', path, config)).toMatchObject({ version: 1, defaultValue });
      const other = JSON.parse(`{ "list": [{ "${key}": { "a": 2 } }] }`);
      expect(await invalidPropertiesOf('PATCH', path, { ...config, defaultValue: other })).toEqual([
        'defaultValueJson5',
      ]);
    },
  );

  test.each([
    ['defaultValueJson5', { defaultValue: { a: 1 }, defaultValueJson5: '{ a: 2 }' }],
    ['schemaJson5', { schema: '{}', schemaJson5: '{ type: "object" }' }],
    ['defaultValueJson5', { defaultValueJson5: '{ a: ' }],
    ['defaultValueJson5', { defaultValueJson5: '[1]' }],
    ['defaultValueJson5', { defaultValueJson5: '{ a: NaN }' }],
    ['defaultValueJson5', { defaultValueJson5: '{ a: -Infinity }' }],
    ['defaultValueJson5', { defaultValueJson5: '{ a: [+9007199254740993] }' }],
    ['defaultValueJson5', { defaultValueJson5: '{ a: 0x20000000000001 }' }],
    ['defaultValueJson5', { defaultValueJson5: '{"a":-9007199254740993}' }],
    ['defaultValueJson5', { defaultValueJson5: "{ a: 1, 'a': 1 }" }],
    ['schemaJson5', { schemaJson5: '{ maximum: 9007199254740993 }' }],
    ['schema', { schema: '{"maximum":9007199254740993}' }],
    ['schema', { schema: '{"type":"object","type":"object"}' }],
    ['schemaJson5', { schemaJson5: 'type' }],
    ['schemaJson5', { schemaJson5: 'true' }],
  ])(
    'is refused with a 400 naming %s if it is not JSON5 or differs from the field: %j',
    async (property, body) => {
      expect(
        await invalidPropertiesOf('POST', 'dynamic_configs', { name: 'Config', ...body }),
      ).toEqual([property]);
      expect(await invalidPropertiesOf('PATCH', await pathOf(), body)).toEqual([property]);
    },
  );
});

describe('the schema of a dynamic config', () => {
  test.each([
    ['is not JSON', "{ type: 'object' }"],
    ['is empty', ''],
    ['is no object', '[]'],
    ['is of an unknown type', '{"type":"objekt"}'],
    ['has an unknown type inside', '{"properties":{"a":{"items":{"type":"text"}}}}'],
    ['has properties that are no schemas', '{"properties":{"a":null}}'],
    ['has a broken pattern', '{"properties":{"a":{"pattern":"("}}}'],
    ['refers to nothing', '{"properties":{"a":{"$ref":"#/$defs/none"}}}'],
    ['refers to itself for ever', '{"$ref":"#"}'],
    ['has two parts of one id', '{"$defs":{"a":{"$id":"x"},"b":{"$id":"x","type":"null"}}}'],
  ])('is a 400 that names it where it %s', async (_, schema) => {
    expect(await invalidPropertiesOf('PATCH', await pathOf(), { schema })).toEqual(['schema']);
  });

  test('must match the default value and each return value after any change', async () => {
    const schema = JSON.stringify(colourSchema);
    const wrong = { colour: 1 };
    const valueOnly = await pathOf({ schema });
    expect(await invalidPropertiesOf('PATCH', valueOnly, { defaultValue: wrong })).toEqual([
      'defaultValue',
    ]);
    expect(
      await invalidPropertiesOf('PATCH', valueOnly, { defaultValueJson5: '{ colour: 1 }' }),
    ).toEqual(['defaultValueJson5']);
    expect(await invalidPropertiesOf('PATCH', valueOnly, { rules: [ruleOf(wrong)] })).toEqual([
      'rules.0.returnValue',
    ]);
    const schemaOnly = await pathOf({ defaultValue: wrong, rules: [ruleOf(wrong)] });
    for (const body of [{ schema }, { schemaJson5: schema }])
      expect(await invalidPropertiesOf('PATCH', schemaOnly, body)).toEqual([
        'defaultValue',
        'rules.0.returnValue',
      ]);
    const body = { name: 'Config', schema, defaultValue: wrong };
    expect(await invalidPropertiesOf('POST', 'dynamic_configs', body)).toEqual(['defaultValue']);
    expect(await invalidPropertiesOf('POST', valueOnly, body)).toEqual(['defaultValue']);
  });

  test('reports the position of a value that does not satisfy it', async () => {
    const path = await pathOf({ schema: JSON.stringify(colourSchema) });
    const { body } = await call('PATCH', path, { body: { defaultValue: { colour: 1 } } });
    expect(body.errors[0].errorMessage).toContain('colour: Instance type "number" is invalid');
  });

  test('can refer to its own parts', async () => {
    const schema = JSON.stringify({
      $defs: { size: { type: 'integer', minimum: 1 } },
      properties: { size: { $ref: '#/$defs/size' } },
      required: ['size'],
    });
    const path = await pathOf({ schema, defaultValue: { size: 3 } });
    expect(await invalidPropertiesOf('PATCH', path, { defaultValue: { size: 0 } })).toEqual([
      'defaultValue',
    ]);
    expect(await invalidPropertiesOf('PATCH', path, { defaultValue: {} })).toEqual([
      'defaultValue',
    ]);
  });

  test('distinguishes values that differ only in their nesting', async () => {
    const beside = { a: { b: 1 }, c: 2 };
    const within = { a: { b: 1, c: 2 } };
    const schema = JSON.stringify({
      properties: { one: { enum: [beside] }, all: { uniqueItems: true } },
    });
    const all = [[[1], 2], [[1, 2]]];
    const path = await pathOf({ schema, defaultValue: { one: beside, all } });
    const body = { defaultValue: { one: within } };
    expect(await invalidPropertiesOf('PATCH', path, body)).toEqual(['defaultValue']);
  });

  test('is evaluated by the draft that it declares', async () => {
    const $schema = 'http://json-schema.org/draft-04/schema#';
    const bounded = { properties: { n: { maximum: 5, exclusiveMaximum: true } }, $schema };
    const path = await pathOf({ schema: JSON.stringify(bounded), defaultValue: { n: 4 } });
    expect(await invalidPropertiesOf('PATCH', path, { defaultValue: { n: 5 } })).toEqual([
      'defaultValue',
    ]);
  });

  test.each([
    ['http://json-schema.org/draft-06/schema#', 201],
    ['http://json-schema.org/draft-07/schema#', 201],
    ['https://json-schema.org/draft/2019-09/schema', 400],
  ])('of %s reads what stands beside a reference as that does: %i', async ($schema, status) => {
    const n = { $ref: '#/definitions/number', minimum: 5 };
    const text = { $schema, definitions: { number: { type: 'number' } }, properties: { n } };
    const body = { name: unique('Draft'), schema: JSON.stringify(text), defaultValue: { n: 1 } };
    expect((await call('POST', 'dynamic_configs', { body })).status).toBe(status);
  });

  test('is refused under the name that the body uses', async () => {
    const path = await pathOf({ schema: JSON.stringify(colourSchema) });
    const [value, schema] = ['{ colour: 1 }', "{ type: 'nothing' }"];
    expect(await invalidPropertiesOf('PATCH', path, { defaultValueJson5: value })).toEqual([
      'defaultValueJson5',
    ]);
    expect(await invalidPropertiesOf('PATCH', path, { schemaJson5: schema })).toEqual([
      'schemaJson5',
    ]);
    const both = { defaultValue: { colour: 1 }, defaultValueJson5: value };
    expect(await invalidPropertiesOf('PATCH', path, both)).toEqual(['defaultValue']);
    const created = {
      name: 'Twins',
      defaultValueJson5: value,
      schema: JSON.stringify(colourSchema),
    };
    expect(await invalidPropertiesOf('POST', 'dynamic_configs', created)).toEqual([
      'defaultValueJson5',
    ]);
  });
});

describe('the status of a dynamic config', () => {
  test('is set by enable and disable, and by isEnabled', async () => {
    const path = await pathOf();
    const disabled = { status: 'Disabled', isEnabled: false };
    const enabled = { status: 'In Progress', isEnabled: true };
    expect(await ok('PUT', `${path}/disable`)).toMatchObject(disabled);
    expect(await ok('PUT', `${path}/enable`)).toMatchObject(enabled);
    expect(await ok('PATCH', path, { isEnabled: false })).toMatchObject(disabled);
    expect(await ok('POST', path, { tags: [] })).toMatchObject(disabled);
    expect(await ok('POST', path, { isEnabled: true })).toMatchObject(enabled);
    expect(await ok('POST', path, { tags: [] })).toMatchObject(enabled);
  });

  test('is Archived until unarchived, and is then the previous status', async () => {
    const path = await pathOf({ isEnabled: false });
    const archived = await ok('PUT', `${path}/archive`);
    expect(archived).toMatchObject({ status: 'Archived', version: 2 });
    expect(await ok('PUT', `${path}/archive`)).toEqual(archived);
    const back = await ok('PUT', `${path}/unarchive`);
    expect(back).toMatchObject({ status: 'Disabled', version: 3 });
    expect(await ok('PUT', `${path}/unarchive`)).toEqual(back);
  });

  test('does not change while Archived, though other properties can', async () => {
    const path = await pathOf();
    await ok('PUT', `${path}/archive`);
    for (const move of ['enable', 'disable']) {
      const { status, body } = await call('PUT', `${path}/${move}`);
      expect([status, body.type]).toEqual([409, '/problems/transition']);
    }
    expect((await call('PATCH', path, { body: { isEnabled: false } })).status).toBe(409);
    expect(await ok('PATCH', path, { isEnabled: true, tags: ['a'] })).toMatchObject({
      status: 'Archived',
      tags: ['a'],
    });
    expect(await ok('POST', path, { tags: ['b'] })).toMatchObject({ status: 'Archived' });
  });
});

describe('the list of dynamic configs', () => {
  test('leaves out archived ones unless requested', async () => {
    const tag = unique('tag');
    const { id } = await makeDynamicConfig({ tags: [tag] });
    await ok('PUT', `dynamic_configs/${id}/archive`);
    const list = (query: string) =>
      ok('GET', `dynamic_configs?${new URLSearchParams({ tags: tag })}${query}`);
    expect(await list('')).toEqual([]);
    expect(ids(await list('&includeArchived=true'))).toEqual([id]);
    expect(ids(await list('&status=Archived'))).toEqual([id]);
  });

  test('is filtered by the isEnabled of responses', async () => {
    const tags = unique('switched');
    const [on, off, archived] = [
      await makeDynamicConfig({ tags: [tags] }),
      await makeDynamicConfig({ tags: [tags], isEnabled: false }),
      await makeDynamicConfig({ tags: [tags] }),
    ];
    await ok('PUT', `dynamic_configs/${archived.id}/archive`);
    const list = async (query: Record<string, string>) =>
      ids(await ok('GET', `dynamic_configs?${new URLSearchParams({ tags, ...query })}`));
    expect(await list({ isEnabled: 'true' })).toEqual([on.id]);
    expect(await list({ isEnabled: 'false' })).toEqual([off.id]);
    const all = await list({ isEnabled: 'true', includeArchived: 'true' });
    expect(all.sort()).toEqual([on.id, archived.id].sort());
    expect(await list({ isEnabled: 'true', status: 'Disabled' })).toEqual([]);
  });

  test('is filtered by release pipeline, creator, tags, team and status', async () => {
    const pipeline = { name: unique('Pipeline'), phases: [{ name: 'All', timeIntervalMs: 0 }] };
    const { id: releasePipelineID } = await ok('POST', 'release_pipelines', pipeline);
    const [tag, teamID, creatorID] = [unique('tag'), unique('team'), unique('creator')];
    const marks = { tags: [tag], teamID, creatorID, releasePipelineID, isEnabled: false };
    const { id } = await makeDynamicConfig(marks);
    await makeDynamicConfig();
    const filters = { releasePipelineID, creatorID, tags: tag, teamID, status: 'Disabled' };
    for (const [name, value] of Object.entries(filters)) {
      const found = await ok('GET', `dynamic_configs?${new URLSearchParams({ [name]: value })}`);
      expect(ids(found), name).toContain(id);
      const none = await ok(
        'GET',
        `dynamic_configs?${new URLSearchParams({ ...filters, [name]: name === 'status' ? 'In Progress' : 'other' })}`,
      );
      expect(none, name).toEqual([]);
    }
    expect(await ok('GET', 'dynamic_configs?creatorName=Nobody')).toEqual([]);
  });
});

describe('a reference to a dynamic config', () => {
  const naming = (config_name: string, param_name: string) => [
    { name: 'colour', param_type: 'string', ref_type: 'dynamic_config', config_name, param_name },
  ];

  test('blocks the removal of the config and of its parameter', async () => {
    const { id } = await makeDynamicConfig({ defaultValue: { colour: 'blue', size: 1 } });
    const path = `dynamic_configs/${id}`;
    const store = await makeParamStore({ parameters: naming(id, 'colour') });
    const refused = [
      await call('DELETE', path),
      await call('PUT', `${path}/archive`),
      await call('PATCH', path, { body: { defaultValue: { size: 1 } } }),
      await call('POST', path, { body: { tags: [] } }),
    ];
    for (const { status, body } of refused) {
      expect([status, body.type]).toEqual([409, '/problems/in_use']);
      expect(body.references[0]).toMatchObject({ kind: 'param_store', id: store.id });
    }
    await ok('PATCH', path, { defaultValue: { colour: 'red' } });
    await call('DELETE', `param_stores/${store.id}`);
    expect(await ok('PUT', `${path}/archive`)).toMatchObject({ status: 'Archived' });
  });

  test('must point to an existing config that is not archived, and to one of its parameters', async () => {
    const { id } = await makeDynamicConfig({ defaultValue: { colour: 'blue' } });
    const body = {
      name: 'Store',
      description: '',
      displayName: 'Store',
      parameters: naming(id, 'size'),
    };
    expect(await invalidPropertiesOf('POST', 'param_stores', body)).toEqual([
      'parameters.0.param_name',
    ]);
    await ok('PUT', `dynamic_configs/${id}/archive`);
    const archived = { ...body, parameters: naming(id, 'colour') };
    expect(await invalidPropertiesOf('POST', 'param_stores', archived)).toContain(
      'parameters.0.config_name',
    );
  });
});

describe('a gate that dynamic configs use', () => {
  test('lists them, and cannot be removed', async () => {
    const gate = await makeGate();
    const { id } = await makeDynamicConfig({ rules: [passing(gate.id)] });
    await makeDynamicConfig({ rules: [everyone] });
    expect(ids(await ok('GET', `gates/${gate.id}/dynamic_config_references`))).toEqual([id]);
    const { status, body } = await call('DELETE', `gates/${gate.id}`);
    expect([status, body.references[0].id]).toEqual([409, id]);
  });

  test('accepts an isEnabled that equals the state of an archived gate', async () => {
    const { id } = await makeGate();
    await ok('PUT', `gates/${id}/archive`);
    expect(await ok('PATCH', `gates/${id}`, { isEnabled: true, tags: ['a'] })).toMatchObject({
      status: 'Archived',
      tags: ['a'],
    });
    expect((await call('PATCH', `gates/${id}`, { body: { isEnabled: false } })).status).toBe(409);
  });
});
