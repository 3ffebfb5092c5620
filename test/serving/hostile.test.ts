import { env } from 'cloudflare:workers';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { isRecord } from '../../src/base/value_types.ts';
import { callApp, evaluateFlag } from '../support/apps.ts';
import { call } from '../support/client.ts';
import { everyone, makeExperiment, makeGate, makeLayer, unique } from '../support/factories.ts';
import { stepsOf } from '../support/work.ts';

/** Every application endpoint with a body, and the property that contains the user. */
const paths = ['/ofrep/v1/evaluate/flags', '/ofrep/v1/evaluate/flags/asked_gate'].concat(
  [
    'initialize',
    'check_gate',
    'get_config',
    'get_layer',
    'log_event',
    'rgstr',
    'rgstr_b',
    'log_custom_exposure',
    'get_id_lists',
  ].map((name) => `/v1/${name}`),
);

beforeAll(async () => {
  const conditions = [
    { type: 'email', operator: 'str_matches', targetValue: 'a+b' },
    { type: 'custom_field', field: 'plan', operator: 'array_contains_any', targetValue: ['a'] },
    { type: 'app_version', operator: 'version_gt', targetValue: '1.2' },
    { type: 'custom_field', field: '__proto__', operator: 'any', targetValue: ['x'] },
    { type: 'browser_name', operator: 'any', targetValue: ['Firefox'] },
  ];
  const rules = conditions.map((condition) => ({
    name: unique('Rule'),
    passPercentage: 50,
    conditions: [condition],
  }));
  await makeGate({ id: 'asked_gate', rules: [...rules, everyone] });
  await makeLayer({ id: 'asked_layer', parameters: [] });
  await makeExperiment({ id: 'asked_experiment' });
});

/** Names that evaluation reads, and names of inherited properties. */
const names = fc.constantFrom(
  ...['context', 'targetingKey', 'userID', 'user', 'custom', 'customIDs', 'privateAttributes'],
  ...['email', 'appVersion', 'userAgent', 'plan', 'environment', 'statsigEnvironment', 'tier'],
  ...['events', 'eventName', 'metadata', 'time', 'value', 'secondaryExposures', 'checks', 'hash'],
  ...['statsigMetadata', 'stableID', 'gateName', 'gateNames', 'configName', 'layerName'],
  ...['__proto__', 'constructor', 'toString', ''],
);

const words = fc.constantFrom(
  ...['asked_gate', 'asked_layer', 'asked_experiment', 'statsig::gate_exposure', 'aab'],
  ...[
    'statsig::layer_exposure',
    'statsig::non_exposed_checks',
    '\ud800',
    '\0',
    '1e999',
    '__proto__',
  ],
);

/** Any JSON that contains these names at every level, with values of every type. */
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    fc.oneof(words, fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.maxSafeInteger()),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc
      .array(fc.tuple(names, tie('tree')), { maxLength: 6 })
      .map((given) => Object.fromEntries(given)),
  ),
}));

const encodings = {
  identity: (bytes: Uint8Array) => bytes,
  gzip: (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes)),
  zstd: (bytes: Uint8Array) => new Uint8Array(zstdCompressSync(bytes)),
};

const bytesOf = (given: unknown) => new TextEncoder().encode(JSON.stringify(given) ?? '');

const options = { seed: Number(env.SEED), numRuns: 400 };

/** Requires a JSON response from the service itself. */
async function expectWell(path: string, request: Parameters<typeof callApp>[1]) {
  const { status, body, text } = await callApp(path, request);
  expect(status, `${path}: ${text}`).toBeLessThan(500);
  expect(body, `${path}: ${text}`).toBeTypeOf('object');
}

describe('application endpoints respond without a failure to', () => {
  test('any JSON', async () => {
    const property = fc.asyncProperty(fc.constantFrom(...paths), tree, (path, given) =>
      expectWell(path, { raw: bytesOf(given) }),
    );
    await fc.assert(property, options);
  });

  test('any user, context or event in every encoding, complete and truncated', async () => {
    const wrapped = tree.map((given) => ({
      ...{
        context: isRecord(given) ? given : {},
        user: given,
        events: [given, { eventName: 'a', user: given }],
      },
      ...{ gateName: 'asked_gate', configName: 'asked_experiment', layerName: 'asked_layer' },
    }));
    const property = fc.asyncProperty(
      fc.constantFrom(...paths),
      wrapped,
      fc.constantFrom('identity', 'gzip', 'zstd'),
      fc.option(fc.nat(400), { freq: 4 }),
      (path, given, encoding, end) => {
        const raw = encodings[encoding](bytesOf(given)).slice(0, end ?? undefined);
        return expectWell(path, { raw, headers: { 'Content-Encoding': encoding } });
      },
    );
    await fc.assert(property, options);
  });

  test('any bytes with any headers', async () => {
    const said = fc.constantFrom('gzip', 'zstd', 'identity', 'br', '');
    const query = fc.constantFrom('', '?gz=1', '?se=1', '?gz=1&se=1');
    const property = fc.asyncProperty(
      ...([fc.constantFrom(...paths), fc.uint8Array({ maxLength: 300 }), said, query] as const),
      (path, raw, encoding, search) =>
        expectWell(path + search, { raw, headers: { 'Content-Encoding': encoding } }),
    );
    await fc.assert(property, options);
  });
});

describe('a large context', () => {
  const attributes = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, index]));
  const flags = '/ofrep/v1/evaluate/flags';

  test('may have 64 KiB, but not one byte more', async () => {
    const contextOf = (size: number) => {
      const start = '{"targetingKey":"u-1","a":"';
      return `${start}${'x'.repeat(size - start.length - 2)}"}`;
    };
    expect(contextOf(65_536)).toHaveLength(65_536);
    const askWith = (size: number) => callApp(flags, { body: `{"context":${contextOf(size)}}` });
    expect((await askWith(65_536)).status).toBe(200);
    for (const size of [65_537, 70_000]) {
      const { status, body } = await askWith(size);
      expect([status, body.errorCode]).toEqual([400, 'INVALID_CONTEXT']);
    }
  });

  test('of 10,000 attributes is too large for OpenFeature, and accepted from an SDK', async () => {
    const { status, body } = await callApp(flags, { body: { context: attributes(10_000) } });
    expect([status, body.errorCode]).toEqual([400, 'INVALID_CONTEXT']);
    const user = { userID: 'u-1', custom: attributes(10_000) };
    expect((await callApp('/v1/initialize', { body: { user } })).status).toBe(200);
    const context = attributes(4000);
    const steps = await stepsOf(() => evaluateFlag('asked_gate', context));
    expect(steps).toBeLessThan(1_000_000);
  });

  test.each([
    ['the elements of an array', 'array_contains_any', ['none'], Array(200_000).fill(1)],
    ['the text of an array', 'any', ['none'], Array(200_000).fill(1)],
    ['the parts of a text', 'str_contains_any', ['none'], 'n'.repeat(400_000)],
    ['a text in any case', 'any', ['none'], 'Я'.repeat(200_000)],
    ['a number', 'lt', 1, '1'.repeat(400_000)],
    ['a version', 'version_gt', '0', `0${'.0'.repeat(200_000)}`],
  ])('takes little time if many conditions read %s', async (_, operator, targetValue, long) => {
    const conditions = Array.from({ length: 500 }, (_, index) => ({
      ...{ type: 'custom_field', field: ['long', 'other'][index % 2], operator, targetValue },
    }));
    const rule = { passPercentage: 100, conditions };
    const rules = Array.from({ length: 10 }, (_, index) => ({ ...rule, name: `${index}` }));
    const { id } = await makeGate({ rules });
    const user = { userID: 'u-1', custom: { long, other: long } };
    const values: unknown[] = [];
    const steps = await stepsOf(async () => {
      values.push((await callApp('/v1/check_gate', { body: { gateName: id, user } })).body.value);
    });
    expect(values).toEqual([false]);
    expect(steps).toBeLessThan(20_000_000); // a billion if each condition reads the value
  });

  test('must not contain an ID of more than 1,000 characters', async () => {
    const asked = async (user: object) =>
      (await callApp('/v1/initialize', { body: { user } })).status;
    const explained = async (user: object) =>
      (await call('POST', 'evaluate', { body: { user, kind: 'gate', id: 'asked_gate' } })).status;
    const ids = ['x'.repeat(1000), 'x'.repeat(1001), ['x'.repeat(1000)]];
    for (const [index, id] of ids.entries())
      for (const user of [{ userID: id }, { customIDs: { orgID: id } }]) {
        const status = index === 0 ? 200 : 400;
        expect([await asked(user), await explained(user)]).toEqual([status, status]);
      }
    for (const [context, status] of [
      [{ targetingKey: ids[0] }, 200],
      [{ targetingKey: ids[1] }, 400],
      [{ targetingKey: 'u-1', customIDs: { orgID: ids[1] } }, 400],
      [{ targetingKey: 'u-1', article: ids[1] }, 200],
    ] as const)
      expect((await callApp(flags, { body: { context } })).status).toBe(status);
  });

  test('has no unit ID in an attribute that is too long', async () => {
    const { id } = await makeGate({
      idType: 'orgID',
      rules: [{ ...everyone, passPercentage: 50 }],
    });
    const asked = async (orgID: string) =>
      (await callApp(`${flags}/${id}`, { body: { context: { orgID } } })).status;
    expect([await asked('x'.repeat(1000)), await asked('x'.repeat(1001))]).toEqual([200, 400]);
  });
});
