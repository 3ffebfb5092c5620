import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { callApp, evaluateAll, evaluateFlag, keyOf } from '../support/apps.ts';
import type { Condition } from '../support/bodies.ts';
import { ok, send } from '../support/client.ts';
import {
  makeDynamicConfig,
  makeExperiment,
  makeGate,
  makeHoldout,
  makeKey,
  makeLayer,
  makeParamStore,
  makeSegment,
  unique,
} from '../support/factories.ts';

const flags = '/ofrep/v1/evaluate/flags';
const rule = (condition: Condition, more: object = {}) => ({
  name: unique('Rule'),
  passPercentage: 100,
  conditions: [condition],
  ...more,
});
const everyone = { type: 'public' };
const user = { targetingKey: 'u-1' };

describe('one flag', () => {
  test('of each kind has its value, variant and reason', async () => {
    const gate = await makeGate({ rules: [rule(everyone)] });
    const config = await makeDynamicConfig({ defaultValue: { days: 7 } });
    const store = await makeParamStore({
      parameters: [{ name: 'size', ref_type: 'static', param_type: 'number', value: 3 }],
    });
    const layer = await makeLayer({
      parameters: [{ name: 'colour', type: 'string', defaultValue: 'red' }],
    });
    const groups = [{ name: 'All', size: 100, parameterValues: { colour: 'blue' } }];
    const experiment = await makeExperiment({ layerID: layer.id, groups });
    expect(await evaluateFlag(gate.id, user)).toMatchObject({
      key: gate.id,
      value: true,
      variant: 'on',
      reason: 'TARGETING_MATCH',
      metadata: { kind: 'gate', id: gate.id, version: 1, idType: 'userID' },
    });
    expect(await evaluateFlag(config.id, user)).toMatchObject({
      value: { days: 7 },
      reason: 'DEFAULT',
    });
    expect(await evaluateFlag(`config:${config.id}:days`, user)).toMatchObject({ value: 7 });
    expect(await evaluateFlag(store.id, user)).toMatchObject({
      value: { size: 3 },
      reason: 'STATIC',
    });
    expect(await evaluateFlag(`layer:${layer.id}:colour`, user)).toMatchObject({ value: 'red' });
    await ok('PUT', `experiments/${experiment.id}/start`);
    expect(await evaluateFlag(`layer:${layer.id}:colour`, user)).toMatchObject({
      value: 'blue',
      variant: 'All',
      reason: 'SPLIT',
      metadata: { experiment: experiment.id, explicit: true },
    });
    expect(await evaluateFlag(experiment.id, user)).toMatchObject({
      value: { colour: 'blue' },
      variant: 'All',
    });
  });

  test('without a value has none, so that the app uses its default', async () => {
    const experiment = await makeExperiment();
    const answer = await evaluateFlag(experiment.id, user);
    expect(answer).not.toHaveProperty('value');
    expect(answer).toMatchObject({ reason: 'DEFAULT', metadata: { ruleID: 'prestart' } });
    const config = await makeDynamicConfig({ defaultValue: { theme: null } });
    expect(await evaluateFlag(`config:${config.id}:theme`, user)).not.toHaveProperty('value');
  });

  test('is not found if it is missing, archived, a holdout or a segment, or contains a slash', async () => {
    const archived = await makeGate();
    await ok('PUT', `gates/${archived.id}/archive`);
    const [holdout, segment] = [await makeHoldout(), await makeSegment()];
    for (const key of [
      'no_such_flag',
      archived.id,
      holdout.id,
      segment.id,
      'a/b',
      'a%2Fb',
      '%E0%A4%A',
      'a%0Ab',
      'a%E2%80%A8b',
      'constructor',
      '__proto__',
      'gate:constructor:x',
      '',
    ]) {
      const answer = await callApp(`${flags}/${key}`, { body: { context: user } });
      expect([answer.status, answer.body.errorCode], key).toEqual([404, 'FLAG_NOT_FOUND']);
      expect(answer.body.key).toEqual(expect.any(String));
      expect(answer.body.errorDetails).toEqual(expect.any(String));
    }
  });

  test('is rejected if a bucket decides and the unit is missing', async () => {
    const by = (idType: string) =>
      makeGate({ idType, rules: [rule(everyone, { passPercentage: 50 })] });
    const [byUser, byCompany] = [await by('userID'), await by('companyID')];
    const without = async (id: string, context: object) =>
      (await callApp(`${flags}/${id}`, { body: { context } })).body;
    expect(await without(byUser.id, {})).toMatchObject({
      key: byUser.id,
      errorCode: 'TARGETING_KEY_MISSING',
    });
    expect(await without(byUser.id, { targetingKey: '' })).toMatchObject({
      errorCode: 'TARGETING_KEY_MISSING',
    });
    expect(await without(byCompany.id, user)).toMatchObject({
      errorCode: 'INVALID_CONTEXT',
      errorDetails: expect.stringContaining('companyID'),
    });
    expect(await without(byCompany.id, { companyID: 7 })).toMatchObject({ reason: 'SPLIT' });
    const { flags: all } = (await evaluateAll({})).body;
    expect(all).toContainEqual(
      expect.objectContaining({ key: byUser.id, errorCode: 'TARGETING_KEY_MISSING' }),
    );
  });
});

describe('the endpoint of one flag', () => {
  test.each([
    ['PARSE_ERROR', '{"context":'],
    ['PARSE_ERROR', ''],
    ['INVALID_CONTEXT', '[]'],
    ['INVALID_CONTEXT', 'null'],
    ['INVALID_CONTEXT', '{"context":[]}'],
    ['INVALID_CONTEXT', '{"context":null}'],
    ['INVALID_CONTEXT', '{"context":"u-1"}'],
    ['INVALID_CONTEXT', `{"context":{"a":"${'x'.repeat(65_536)}"}}`],
    ['INVALID_CONTEXT', `{"context":${'{"a":'.repeat(21)}1${'}'.repeat(21)}}`],
  ])('responds with %s to a body such as %.40s', async (errorCode, body) => {
    for (const path of [flags, `${flags}/any`]) {
      const answer = await callApp(path, { body });
      expect([answer.status, answer.body.errorCode]).toEqual([400, errorCode]);
      expect(answer.body.key).toBe(path === flags ? undefined : 'any');
    }
  });

  test('responds with 415 to a body with a content encoding', async () => {
    const answer = await callApp(flags, {
      body: { context: user },
      headers: { 'Content-Encoding': 'gzip' },
    });
    expect([answer.status, answer.body.message]).toEqual([
      415,
      'Send the body uncompressed, without Content-Encoding.',
    ]);
  });

  test.each([
    ['{"__proto__":{"plan":"pro"},"constructor":1,"targetingKey":"u"}'],
    ['{"customIDs":{"__proto__":"x"},"custom":{"toString":[]},"targetingKey":"u"}'],
    ['{"targetingKey":{"a":1},"email":["a"],"customIDs":"x","custom":7,"privateAttributes":null}'],
    [JSON.stringify(Object.fromEntries(Array.from({ length: 4000 }, (_, i) => [`a${i}`, i])))],
    [`${'{"a":'.repeat(19)}{"b":1}${'}'.repeat(19)}`],
    [JSON.stringify({ a: 'x'.repeat(65_528) })],
  ])('accepts a context such as %.60s', async (context) => {
    const gate = await makeGate({
      rules: [
        rule({ type: 'custom_field', field: 'plan', operator: 'any', targetValue: ['pro'] }),
        rule({ type: 'custom_field', field: 'constructor', operator: 'is_null' }),
      ],
    });
    const answer = await callApp(`${flags}/${gate.id}`, { body: `{"context":${context}}` });
    expect([answer.status, answer.body.metadata?.ruleID]).toEqual([
      200,
      context.includes('constructor') ? 'default' : gate.rules[1].id,
    ]);
  });
});

describe('the key of an application', () => {
  let gate = '';
  beforeAll(async () => {
    gate = (await makeGate({ rules: [rule(everyone, { environments: ['staging'] })] })).id;
  });
  const value = async (key: string, context: object = {}) =>
    (await evaluateFlag(gate, { ...user, ...context }, { key })).value;

  test('is read from any header that apps use', async () => {
    const key = await keyOf('CLIENT');
    for (const [name, text] of [
      ['Authorization', `Bearer ${key}`],
      ['X-API-Key', key],
      ['STATSIG-API-KEY', key],
      ['SERVICE-API-KEY', key],
    ])
      expect(
        (await callApp(flags, { key: null, headers: { [String(name)]: String(text) }, body: {} }))
          .status,
      ).toBe(200);
  });

  test('is required, and must be known, active, and of an application', async () => {
    const status = async (key: string | null) => (await callApp(flags, { key, body: {} })).status;
    const manager = (await makeKey()).key;
    const ended = await makeKey({ type: 'SERVER', scopes: undefined });
    expect(await status(ended.key)).toBe(200);
    await ok('PATCH', `keys/${ended.id}/deactivate`);
    expect(await Promise.all([null, 'client-unknown', ended.key, manager].map(status))).toEqual([
      401, 401, 401, 401,
    ]);
    const { key } = await makeKey({
      type: 'CLIENT',
      expiresTime: Date.now() + 60_000,
      scopes: undefined,
    });
    expect(await status(key)).toBe(200);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    expect(await status(key)).toBe(401);
    const { body } = await callApp(flags, { key: 'client-unknown', body: {} });
    expect(JSON.stringify(body)).not.toContain('client-unknown');
    expect(JSON.stringify(body)).toContain('of type SERVER or CLIENT');
  });

  test('decides the environment; the context chooses among those of the key', async () => {
    const [staging, production, both] = [
      await keyOf('CLIENT', { environments: ['staging'] }),
      await keyOf('CLIENT', { environments: ['production'] }),
      await keyOf('CLIENT', { environments: ['production', 'staging'] }),
    ];
    expect(await value(staging)).toBe(true);
    expect(await value(production, { environment: 'staging' })).toBe(false);
    expect(await value(both)).toBe(false);
    expect(await value(both, { environment: 'Staging' })).toBe(true);
    expect(await value(await keyOf('SERVER'))).toBe(false);
  });

  test('evaluates only flags of its app, and their dependencies', async () => {
    const [ours, theirs] = [
      await makeGate({ targetApps: ['ios'], rules: [rule(everyone)] }),
      await makeGate({ targetApps: ['web'], rules: [rule(everyone)] }),
    ];
    const asking = rule({ type: 'passes_gate', targetValue: theirs.id });
    const outer = await makeGate({ targetApps: ['ios'], rules: [asking] });
    const key = await keyOf('CLIENT', { targetAppID: 'ios' });
    const answer = await callApp(`${flags}/${theirs.id}`, { key, body: {} });
    expect(answer.body.errorCode).toBe('FLAG_NOT_FOUND');
    expect((await evaluateFlag(ours.id, user, { key })).value).toBe(true);
    expect((await evaluateFlag(outer.id, user, { key })).value).toBe(true);
  });

  test('adds address, country and agent unless the context has them, only if the key is of a client', async () => {
    const gate = await makeGate({
      rules: [
        rule({ type: 'ip_address', operator: 'any', targetValue: ['203.0.113.9'] }),
        rule({ type: 'browser_name', operator: 'any', targetValue: ['Firefox'] }),
      ],
    });
    const headers = {
      'CF-Connecting-IP': '203.0.113.9',
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    };
    const ruleOf = async (key: string, context: object) =>
      (await evaluateFlag(gate.id, context, { key, headers })).metadata.ruleID;
    const [client, server] = [await keyOf('CLIENT'), await keyOf('SERVER')];
    expect(await ruleOf(client, {})).toBe(gate.rules[0].id);
    expect(await ruleOf(client, { ip: '198.51.100.1' })).toBe(gate.rules[1].id);
    expect(await ruleOf(client, { ip: '198.51.100.1', userAgent: 'curl' })).toBe('default');
    expect(await ruleOf(server, {})).toBe('default');
  });
});

describe('a condition on the address', () => {
  test('compares by value, regardless of the spelling', async () => {
    const { id } = await makeGate({
      rules: [
        rule({
          type: 'ip_address',
          operator: 'any',
          targetValue: ['2001:DB8:0::1', '203.0.113.7'],
        }),
      ],
    });
    const passes = async (ip: string) => (await evaluateFlag(id, { ...user, ip })).value;
    for (const ip of ['2001:db8::1', '2001:0db8:00:0::0:1', '203.0.113.7', '::FFFF:cb00:7107'])
      expect([ip, await passes(ip)]).toEqual([ip, true]);
    for (const ip of ['2001:db8::2', '2001:db8::1%eth0', '203.0.113.07', '', 'a'.repeat(50_000)])
      expect([ip.slice(0, 50), await passes(ip)]).toEqual([ip.slice(0, 50), false]);
  });

  test('compares a custom field with this name as text', async () => {
    const condition = { type: 'custom_field', field: 'ip', operator: 'any', targetValue: ['::01'] };
    const { id } = await makeGate({ rules: [rule(condition)] });
    expect((await evaluateFlag(id, { ...user, ip: '::01' })).value).toBe(true);
    expect((await evaluateFlag(id, { ...user, ip: '::1' })).value).toBe(false);
  });
});

describe('all flags', () => {
  test('are listed once each, with a prefix if an older flag has the ID', async () => {
    const gate = await makeGate({ id: 'twice' });
    const config = await makeDynamicConfig({ id: 'twice' });
    const { body } = await evaluateAll(user);
    const keys = body.flags.map(({ key }: { key: string }) => key);
    expect(keys).toEqual(expect.arrayContaining([gate.id, `config:${config.id}`]));
    expect(new Set(keys).size).toBe(keys.length);
    expect((await evaluateFlag('twice', user)).metadata.kind).toBe('gate');
  });

  test('have another tag for a key of another app, or with other environments', async () => {
    const given = [{}, { targetAppID: 'web' }, { environments: ['staging', 'production'] }];
    const keys = await Promise.all(given.map((more) => keyOf('SERVER', more)));
    const answers = await Promise.all(
      keys.map((key) =>
        evaluateAll(user, { key: null, headers: { Authorization: `Bearer ${key}` } }),
      ),
    );
    const inputs = answers.map(({ headers }) => headers.get('ETag')?.slice(0, 17));
    expect(new Set(inputs).size).toBe(given.length);
  });

  test('have a tag that depends on their input and on their values', async () => {
    const gate = await makeGate({
      rules: [rule({ type: 'user_id', operator: 'any', targetValue: ['u-1'] })],
    });
    const tagOf = async (context: object, tag?: string) => {
      const headers = { 'If-None-Match': tag ?? '' };
      const { status, headers: given, text } = await evaluateAll(context, { headers });
      if (status === 304) expect(text).toBe('');
      return [status, given.get('ETag') ?? ''] as const;
    };
    const [status, tag] = await tagOf({ targetingKey: 'u-9' });
    expect(status).toBe(200);
    expect(tag).toMatch(/^"[0-9a-f]{16}\.[0-9a-f]{16}"$/);
    expect(await tagOf({ targetingKey: 'u-9' }, tag)).toEqual([304, tag]);
    expect(await tagOf({ targetingKey: 'u-9' }, `"x", W/${tag}`)).toEqual([304, tag]);
    expect((await tagOf({ targetingKey: 'u-1' }, tag))[0]).toBe(200);
    await makeSegment();
    const [unrelated, next] = await tagOf({ targetingKey: 'u-9' }, tag);
    expect([unrelated, next === tag, next.slice(17) === tag.slice(17)]).toEqual([304, false, true]);
    await ok('PATCH', `gates/${gate.id}`, { description: 'Another version.' });
    expect((await tagOf({ targetingKey: 'u-9' }, next))[0]).toBe(200);
  });

  test('are sent again each day, with a token for changes that is valid for another', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const at = async (now: number, tag = '') => {
      vi.setSystemTime(now);
      const { status, body, headers } = await evaluateAll(user, {
        headers: { 'If-None-Match': tag },
      });
      return { status, tag: headers.get('ETag') ?? '', body };
    };
    const midnight = Math.ceil(Date.now() / 86_400_000) * 86_400_000;
    const first = await at(midnight - 1);
    expect((await at(midnight - 1, first.tag)).status).toBe(304);
    const second = await at(midnight, first.tag);
    expect([second.status, second.body.flags]).toEqual([200, first.body.flags]);
    expect((await at(midnight + 86_399_999, second.tag)).status).toBe(304);
    const { requestUri } = second.body.eventStreams[0].endpoint;
    const stream = await send('GET', requestUri, { key: null });
    expect(stream.status).toBe(200);
    await stream.body?.cancel();
  });

  test('change with time if a condition depends on it', async () => {
    const moment = Date.now();
    const gates = new Map<string, unknown>();
    for (const operator of ['before', 'after'])
      gates.set(
        (await makeGate({ rules: [rule({ type: 'time', operator, targetValue: moment })] })).id,
        operator,
      );
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const at = async (now: number, tag = '') => {
      vi.setSystemTime(now);
      const { body, headers } = await evaluateAll(user, { headers: { 'If-None-Match': tag } });
      const passed = body?.flags.filter(
        ({ key, value }: { key: string; value: unknown }) => gates.has(key) && value,
      );
      return {
        tag: headers.get('ETag') ?? '',
        passed: passed?.map(({ key }: { key: string }) => gates.get(key)),
      };
    };
    const earlier = await at(moment - 1);
    expect(earlier.passed).toEqual(['before']);
    expect((await at(moment - 1, earlier.tag)).passed).toBeUndefined();
    const then = await at(moment, earlier.tag);
    expect(then.passed).toEqual([]);
    expect((await at(moment + 1, then.tag)).passed).toEqual(['after']);
  });
});

describe('a browser', () => {
  const preflight = (path: string) =>
    callApp(path, {
      method: 'OPTIONS',
      key: null,
      headers: {
        Origin: 'https://shop.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type,if-none-match',
      },
    });

  test('may evaluate from any page, and can read the ETag', async () => {
    for (const path of [flags, `${flags}/any`, '/ofrep/v1/changes']) {
      const { status, headers } = await preflight(path);
      expect([status, headers.get('Access-Control-Allow-Origin')]).toEqual([204, '*']);
      expect(headers.get('Access-Control-Allow-Headers')).toBe(
        'authorization,content-type,if-none-match',
      );
      expect(headers.get('Access-Control-Max-Age')).toBe('86400');
    }
    const { headers } = await evaluateAll(user, { headers: { Origin: 'https://shop.example' } });
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(headers.get('Access-Control-Expose-Headers')).toContain('ETag');
    expect(headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
    expect(headers.get('Cache-Control')).toBe('private, no-store');
  });

  test('may not use the management API', async () => {
    const { headers } = await preflight('/console/v1/gates');
    expect(headers.get('Access-Control-Allow-Origin')).toBeNull();
  });

  test('gets the methods of a path', async () => {
    const answer = await callApp(flags, { method: 'GET' });
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'POST']);
    expect(answer.body).toMatchObject({
      type: '/problems/method_not_allowed',
      message: `${flags} has no GET; use POST.`,
    });
  });
});
