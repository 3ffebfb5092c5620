import { constants, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { callApp, keyOf } from '../support/apps.ts';
import { ok, send } from '../support/client.ts';
import {
  makeDynamicConfig,
  makeExperiment,
  makeGate,
  makeHoldout,
  makeLayer,
  makeSegment,
} from '../support/factories.ts';

const passing = { name: 'All', passPercentage: 100, conditions: [{ type: 'public' }] };
const user = { userID: 'u-1' };

let [gate, config, layer, experiment] = ['', '', '', ''];
beforeAll(async () => {
  gate = (await makeGate({ rules: [passing] })).id;
  config = (await makeDynamicConfig({ defaultValue: { days: 7 } })).id;
  layer = (await makeLayer({ parameters: [{ name: 'size', type: 'number', defaultValue: 1 }] })).id;
  const groups = [{ name: 'All', size: 100, parameterValues: { size: 2 } }];
  experiment = (await makeExperiment({ layerID: layer, groups })).id;
  await ok('PUT', `experiments/${experiment}/start`);
});

describe('an app without an SDK', () => {
  test('evaluates a gate, or several', async () => {
    const one = await callApp('/v1/check_gate', { body: { gateName: gate, user } });
    expect(one.body).toEqual({
      name: gate,
      value: true,
      rule_id: expect.any(String),
      group_name: null,
    });
    const many = await callApp('/v1/check_gate', { body: { gateNames: [gate, 'none'], user } });
    expect(many.body).toEqual({
      [gate]: one.body,
      none: { name: 'none', value: false, rule_id: null, group_name: null },
    });
  });

  test('evaluates a config and a layer', async () => {
    const found = await callApp('/v1/get_config', { body: { configName: config, user } });
    const common = { group: 'default', rule_id: 'default', group_name: null };
    expect(found.body).toEqual({ name: config, value: { days: 7 }, ...common });
    const none = await callApp('/v1/get_config', { body: { configName: 'none', user } });
    expect(none.body).toEqual({
      name: 'none',
      value: {},
      group: '',
      rule_id: null,
      group_name: null,
    });
    expect((await callApp('/v1/get_layer', { body: { layerName: layer, user } })).body).toEqual({
      name: layer,
      value: { size: 2 },
      ruleID: expect.any(String),
      allocatedExperimentName: experiment,
    });
    expect((await callApp('/v1/get_layer', { body: { layerName: 'none', user } })).status).toBe(
      404,
    );
  });

  test('cannot evaluate entities that are only dependencies', async () => {
    const segment = await makeSegment({ rules: [passing] });
    const asked = { gateName: `segment:${segment.id}`, user };
    expect((await callApp('/v1/check_gate', { body: asked })).body).toMatchObject({
      rule_id: null,
    });
  });

  test.each([
    ['/v1/check_gate', {}],
    ['/v1/check_gate', { gateName: 7 }],
    ['/v1/check_gate', { gateNames: 'a' }],
    ['/v1/check_gate', { gateNames: [{}] }],
    ['/v1/get_config', { configName: null }],
    ['/v1/get_layer', { layerName: [] }],
  ])('gets an error that names the problem: %s %j', async (path, body) => {
    expect((await callApp(path, { body })).status).toBe(400);
  });
});

const initialize = async (body: object, options: object = {}) =>
  (await callApp('/v1/initialize', { body, ...options })).body;

describe('a client SDK', () => {
  test('gets all values of its user under hashed names', async () => {
    const plain = await initialize({ user, hash: 'none' });
    expect(plain).toMatchObject({
      has_updates: true,
      hash_used: 'none',
      time: expect.any(Number),
      feature_gates: { [gate]: { name: gate, value: true, secondary_exposures: [] } },
      dynamic_configs: { [config]: { value: { days: 7 } }, [experiment]: { value: { size: 2 } } },
      layer_configs: { [layer]: { value: { size: 2 }, allocated_experiment_name: experiment } },
      evaluated_keys: { userID: 'u-1' },
    });
    expect(plain).not.toHaveProperty('user');
    for (const hash of ['djb2', 'sha256', undefined]) {
      const hidden = await initialize({ user, hash });
      expect(hidden.hash_used).toBe(hash ?? 'sha256');
      expect(JSON.stringify(hidden)).not.toContain(gate);
    }
  });

  test('is identified by its stableID if its user has none', async () => {
    const id = (
      await makeGate({
        idType: 'stableID',
        rules: [
          {
            ...passing,
            conditions: [
              { type: 'unit_id', customID: 'stableID', operator: 'any', targetValue: ['s-1'] },
            ],
          },
        ],
      })
    ).id;
    const statsigMetadata = { stableID: 's-1' };
    const found = await initialize({ user, hash: 'none', statsigMetadata });
    expect(found.feature_gates[id].value).toBe(true);
    expect(found.evaluated_keys).toEqual({ userID: 'u-1', customIDs: { stableID: 's-1' } });
  });

  test.each([
    [{ user: null }],
    [{ user: [] }],
    [{ user: { userID: {}, customIDs: [], custom: 'x', statsigEnvironment: 7 } }],
    [{ user: { userID: 7, statsigEnvironment: { tier: 9 } }, statsigMetadata: null, hash: 7 }],
    [
      JSON.parse(
        '{"user":{"__proto__":{"a":1},"custom":{"__proto__":1},"customIDs":{"__proto__":"x"}}}',
      ),
    ],
  ])('gets a response for any user: %j', async (body) => {
    const answer = await callApp('/v1/initialize', { body });
    expect(answer.status, answer.text).toBe(200);
  });

  test('gets no rule, target, override, list or name that it must not see', async () => {
    const secrets = ['sekret-target', 'Sekret rule', 'sekret-override', 'sekret-id', 'sekret-env'];
    const holdout = await makeHoldout({ name: 'Sekret holdout', passPercentage: 1 });
    const segment = await makeSegment({ id: 'sekret_segment', type: 'id_list' });
    await ok('PATCH', `segments/${segment.id}/id_list`, { add: ['sekret-id'] });
    const rules = [
      {
        name: 'Sekret rule',
        passPercentage: 100,
        conditions: [
          { type: 'email', operator: 'any', targetValue: ['sekret-target'] },
          { type: 'passes_segment', targetValue: segment.id },
        ],
        environments: ['sekret-env'],
      },
    ];
    const { id } = await makeGate({ rules });
    await ok('POST', `gates/${id}/overrides`, { passingUserIDs: ['sekret-override'] });
    await ok('PATCH', `holdouts/${holdout.id}`, { gateIDs: [gate] });
    const key = await keyOf('CLIENT');
    const answers = [
      await callApp('/v1/initialize', { key, body: { user, hash: 'none' } }),
      await callApp('/ofrep/v1/evaluate/flags', {
        key,
        body: { context: { targetingKey: 'u-1' } },
      }),
      await callApp(`/ofrep/v1/evaluate/flags/${id}`, { key, body: { context: {} } }),
      await callApp('/v1/check_gate', { key, body: { gateName: id, user } }),
      await callApp(`/v1/download_config_specs/${key}.json`, { method: 'GET', key: null }),
      await callApp('/v1/get_id_lists', { key, body: {} }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 403, 403]);
    for (const { text } of answers)
      for (const secret of [...secrets, segment.id, 'conditions', 'targetValue'])
        expect(text).not.toContain(secret);
    await ok('PATCH', `holdouts/${holdout.id}`, { gateIDs: [] });
  });
});

describe('a client SDK with an encoded body', () => {
  test('may send its body in four encodings', async () => {
    const json = JSON.stringify({ user, hash: 'none' });
    const bytes = new TextEncoder().encode(json);
    const status = async (path: string, body: Uint8Array | string, headers: object = {}) => {
      const own = { 'Content-Type': 'text/plain', ...headers };
      const response = await send('POST', path, { raw: body, headers: own });
      const answer = response.ok
        ? await response.json<{ feature_gates: Record<string, { value: boolean }> }>()
        : undefined;
      return [response.status, answer?.feature_gates[gate]?.value];
    };
    expect(await status('/v1/initialize', json)).toEqual([200, true]);
    const reversed = [...btoa(json)].reverse().join('');
    expect(await status('/v1/initialize?se=1', reversed)).toEqual([200, true]);
    const encoded = { 'statsig-encoded': '1' };
    expect(await status('/v1/initialize', reversed, encoded)).toEqual([200, true]);
    const latin = [...btoa(json.replace('u-1', 'ü'))].reverse().join('');
    expect(await status('/v1/initialize', latin, encoded)).toEqual([200, true]);
    expect((await status('/v1/initialize', '%%', encoded))[0]).toBe(400);
    const gzip = gzipSync(bytes);
    expect(await status('/v1/initialize', gzip, { 'Content-Encoding': 'gzip' })).toEqual([
      200,
      true,
    ]);
    expect(await status('/v1/initialize?gz=1', gzip)).toEqual([200, true]);
    const zstd = { 'Content-Encoding': 'zstd' };
    expect(await status('/v1/initialize', zstdCompressSync(bytes), zstd)).toEqual([200, true]);
  });

  const bomb = new Uint8Array(6 * 1024 * 1024);
  test.each([
    [400, 'text', '{"user":', {}],
    [400, 'a list', '[]', {}],
    [400, 'null', 'null', {}],
    [400, 'nothing', '', {}],
    [
      400,
      'cut gzip',
      gzipSync(new Uint8Array(1000)).subarray(0, 15),
      { 'Content-Encoding': 'gzip' },
    ],
    [400, 'no gzip', '{}', { 'Content-Encoding': 'gzip' }],
    [
      400,
      'cut zstd',
      zstdCompressSync(crypto.getRandomValues(new Uint8Array(1000))).subarray(0, 500),
      { 'Content-Encoding': 'zstd' },
    ],
    [400, 'no zstd', '{}', { 'Content-Encoding': 'zstd' }],
    [415, 'another encoding', '{}', { 'Content-Encoding': 'br' }],
    [413, 'a large text', 'x'.repeat(1024 * 1024 + 1), {}],
    [413, 'a gzip bomb', gzipSync(bomb), { 'Content-Encoding': 'gzip' }],
    [413, 'a zstd bomb', zstdCompressSync(bomb), { 'Content-Encoding': 'zstd' }],
  ])('gets %i for %s', async (status, _, raw, headers) => {
    const response = await send('POST', '/v1/initialize', { raw, headers });
    expect(response.status, await response.text()).toBe(status);
  });

  test('is rejected before a body of one gigabyte is decompressed', async () => {
    const options = { finishFlush: constants.Z_FULL_FLUSH }; // a block that may come again and again
    const block = deflateRawSync(new Uint8Array(1024 * 1024), options);
    const begin = gzipSync('').subarray(0, 10);
    const raw = new Uint8Array(await new Blob([begin, ...Array(900).fill(block)]).arrayBuffer());
    const headers = { 'Content-Encoding': 'gzip' };
    expect((await send('POST', '/v1/initialize', { raw, headers })).status).toBe(413);
  });
});
