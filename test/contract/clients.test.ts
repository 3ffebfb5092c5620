import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { Condition } from '../support/bodies.ts';
import { base, call, invalidPropertiesOf, ok, send } from '../support/client.ts';
import {
  everyone,
  makeDynamicConfig,
  makeExperiment,
  makeGate,
  makeKey,
  makeMetric,
  makePipeline,
  makeSegment,
  passing,
  phase,
  unique,
} from '../support/factories.ts';
import { stepsOf } from '../support/work.ts';

const rule = (condition: Condition, more: object = {}) => ({
  ...everyone,
  name: unique('Rule'),
  conditions: [condition],
  ...more,
});

const custom = { type: 'custom_field', field: 'age' };

describe('the header STATSIG-API-KEY', () => {
  const key = env.ROOT_API_KEY;
  const status = async (headers: Record<string, string>) =>
    (await send('GET', 'gates?limit=1', { key: null, headers })).status;

  test('STATSIG-API-KEY authenticates unless SERVICE-API-KEY is sent', async () => {
    expect(await status({ 'STATSIG-API-KEY': key })).toBe(200);
    expect(await status({ 'STATSIG-API-KEY': 'unknown' })).toBe(401);
    expect(await status({ 'STATSIG-API-KEY': key, 'SERVICE-API-KEY': 'unknown' })).toBe(401);
    expect(await status({ 'STATSIG-API-KEY': 'unknown', 'SERVICE-API-KEY': key })).toBe(200);
  });

  test('a key in STATSIG-API-KEY has its own scopes only', async () => {
    const { key: reader } = await makeKey({ scopes: ['read'] });
    const headers = { 'STATSIG-API-KEY': reader };
    expect(await status(headers)).toBe(200);
    const body = { name: unique('Gate') };
    expect((await call('POST', 'gates', { key: null, headers, body })).status).toBe(403);
  });
});

describe('an array with one value for a condition with a single value', () => {
  test.each([
    ['a number', { ...custom, operator: 'gt' }, 5],
    ['a number as text', { ...custom, operator: 'lte' }, '5'],
    ['a version', { type: 'app_version', operator: 'version_gte' }, '1.2.3'],
    ['a time', { type: 'time', operator: 'before' }, 1_767_225_600_000],
    ['a day', { ...custom, operator: 'on' }, 1_767_225_600_000],
    ['a pattern', { type: 'email', operator: 'str_matches' }, '@beta\\.test$'],
  ])('an array with %s is stored as the value', async (_, condition, value) => {
    const wrapped = { ...condition, targetValue: [value] };
    const gate = await makeGate({ rules: [rule(wrapped)] });
    expect(gate.rules[0].conditions).toEqual([{ ...condition, targetValue: value }]);
    expect((await ok('GET', `gates/${gate.id}`)).rules).toEqual(gate.rules);
    const two = [rule({ ...condition, targetValue: [value, value] })];
    const place = 'rules.0.conditions.0.targetValue';
    expect(await invalidPropertiesOf('PATCH', `gates/${gate.id}`, { rules: two })).toEqual([place]);
  });

  test.each(['passes_gate', 'fails_gate'])(
    'an array with a gate ID in %s is stored as the ID and as a reference',
    async (type) => {
      const { id } = await makeGate();
      const [first, ...others] = [makeGate, makeDynamicConfig, makeSegment];
      for (const make of [first, ...others]) {
        const { rules } = await make({ rules: [rule({ type, targetValue: [id] })] });
        expect(rules[0].conditions).toEqual([{ type, targetValue: id }]);
      }
      expect((await call('DELETE', `gates/${id}`)).status).toBe(409);
    },
  );

  test('an array with one value stays an array if the operator takes several', async () => {
    const condition = { type: 'country', operator: 'any', targetValue: ['NZ'] };
    const { rules } = await makeGate({ rules: [rule(condition)] });
    expect(rules[0].conditions).toEqual([condition]);
  });
});

test('an empty ID of a rule counts as missing', async () => {
  const gate = await makeGate({ rules: [{ ...everyone, id: '', baseID: '' }] });
  expect(gate.rules[0].id).not.toBe('');
  const [{ id }] = gate.rules;
  const again = [{ ...everyone, id: '' }, rule({ type: 'public' }, { id: '' })];
  const { rules } = await ok('PATCH', `gates/${gate.id}`, { rules: again });
  expect([rules[0].id, rules.length]).toEqual([id, 2]);
  const added = await ok('POST', `gates/${gate.id}/rules`, rule({ type: 'public' }, { id: '' }));
  expect(new Set(added.rules.map((each: { id: string }) => each.id)).size).toBe(3);
});

describe('variants of a rule', () => {
  const share = (name: string, passPercentage: number, colour: string) => ({
    name,
    passPercentage,
    returnValue: { colour },
  });
  const variants = [share('Red', 30, 'red'), share('Blue', 70, 'blue')];
  const split = { ...everyone, id: 'split', variants };

  test('variants are stored, returned, changed and restored with their rule', async () => {
    const config = await makeDynamicConfig({ rules: [split] });
    const path = `dynamic_configs/${config.id}`;
    expect(config.rules).toMatchObject([split]);
    expect((await ok('GET', path)).rules).toEqual(config.rules);
    const one = [share('Green', 50, 'green')];
    expect(await ok('PATCH', `${path}/rules/split`, { variants: one })).toMatchObject({
      rules: [{ ...split, variants: one }],
    });
    const { rules } = await ok('PATCH', `${path}/rules/split`, { variants: null });
    expect(rules[0]).not.toHaveProperty('variants');
    await ok('PUT', `${path}/versions/1/restore`);
    expect((await ok('GET', path)).rules).toEqual(config.rules);
  });

  test('variants need unique names, shares of at most 100, and values that match the schema', async () => {
    const refused = (wrong: object[]) =>
      invalidPropertiesOf('POST', 'dynamic_configs', {
        name: unique('Config'),
        schema: '{"properties":{"colour":{"type":"string"}}}',
        rules: [{ ...split, variants: wrong }],
      });
    expect(await refused([share('Red', 30, 'red'), share('Red', 30, 'red')])).toEqual([
      'rules.0.variants.1.name',
    ]);
    expect(await refused([share('a', 60, 'red'), share('b', 41, 'red')])).toEqual([
      'rules.0.variants',
    ]);
    expect(await refused([{ name: 'a', passPercentage: 1 }])).toEqual([
      'rules.0.variants.0.returnValue',
    ]);
    expect(await refused([{ ...share('a', 1, ''), returnValue: { colour: 1 } }])).toEqual([
      'rules.0.variants.0.returnValue',
    ]);
  });

  test('shares of variants may total 100 with rounding errors of fractions', async () => {
    const parts = [22.14, 46.84, 31.02].map((part) => share(`${part}`, part, 'red'));
    const { rules } = await makeDynamicConfig({ rules: [{ ...split, variants: parts }] });
    expect(rules).toMatchObject([{ variants: parts }]);
  });

  test('variants stay when a release applies rules without values', async () => {
    const { id } = await makeDynamicConfig({ rules: [split] });
    const rules = [{ name: split.name, conditions: [{ type: 'public' }], passPercentage: 5 }];
    const pipeline = await makePipeline({ phases: [phase('Canary', { rules })] });
    const named = { releasePipelineID: pipeline.id, dynamicConfigID: id };
    await ok('POST', 'release_pipeline_triggers', named);
    const released = await ok('GET', `dynamic_configs/${id}`);
    expect(released.rules).toMatchObject([{ passPercentage: 5, variants }]);
  });
});

describe('an unknown field of a body', () => {
  const unknownField = (property: string) => ({
    property,
    message: 'is not a known field and was ignored',
  });
  const change = async (method: string, path: string, body: object) => {
    const answer = await call(method, path, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body.warnings;
  };

  test('an unknown field is listed in the warnings, at any depth', async () => {
    const rules = [
      { ...everyone, colour: 'red', conditions: [{ type: 'public', weight: { of: 1 } }] },
    ];
    const body = { name: unique('Gate'), rules, shape: 'round', tags: ['a'] };
    const expected = ['rules.0.colour', 'rules.0.conditions.0.weight', 'shape'].map(unknownField);
    expect(await change('POST', 'gates', body)).toEqual(expect.arrayContaining(expected));
    expect(await change('POST', 'gates', { ...body, name: unique('Gate') })).toHaveLength(3);
    const { id } = await makeGate();
    expect(await change('PATCH', `gates/${id}`, { rules: [{ ...everyone, a: 1 }] })).toEqual([
      unknownField('rules.0.a'),
    ]);
    expect(await change('POST', `gates/${id}/overrides`, { passingUserIDs: ['u'], b: 1 })).toEqual([
      unknownField('b'),
    ]);
  });

  test('an unknown field is listed for imports, many changes, responses without data, and dry runs', async () => {
    const events = [{ name: 'sold', colour: 'red' }];
    expect(await change('POST', 'events', { events })).toEqual([unknownField('events.0.colour')]);
    const body = { name: unique('Gate'), colour: 'red' };
    expect(await change('POST', 'gates?dryRun=true', body)).toEqual([unknownField('colour')]);
    const changes = [{ method: 'POST', path: `${base}/gates`, body }];
    const [made] = await ok('POST', 'changes', { changes });
    expect(made.body.warnings).toEqual([unknownField('colour')]);
    const bigquery = { project: 'p', colour: 'red' };
    expect(await change('PATCH', 'wh_connections', { bigquery })).toEqual([
      unknownField('bigquery.colour'),
    ]);
    const source = { dataset: 'Metrics', type: 's3', source_name: unique('s'), colour: 'red' };
    expect(await change('PATCH', 'ingestion', source)).toEqual([unknownField('colour')]);
  });

  test('a body with only unknown fields is 400 and clears nothing', async () => {
    const warehouseNative = { aggregation: 'sum', valueColumn: 'price' };
    const { id } = await makeMetric({ warehouseNative });
    const path = `metrics/${encodeURIComponent(id)}`;
    const refused = async (body: object) => {
      const answer = await call('POST', path, { body });
      expect(answer.status).toBe(400);
      return answer.body.errors.map(({ property }: { property: string }) => property);
    };
    const typo = { agregation: 'mean' };
    expect(await refused({ warehouseNative: typo })).toEqual(['warehouseNative.agregation']);
    expect(await refused({ warehouseNative: typo, a: 1 })).toEqual([
      'warehouseNative.agregation',
      'a',
    ]);
    expect((await ok('GET', path)).warehouseNative).toEqual(warehouseNative);
    expect(await change('POST', path, { warehouseNative: {}, a: 1 })).toEqual([unknownField('a')]);
  });

  test('an entity that is read and sent back has no unknown field', async () => {
    for (const [path, make] of [
      ['gates', makeGate],
      ['dynamic_configs', makeDynamicConfig],
      ['experiments', makeExperiment],
      ['segments', makeSegment],
      ['tags', () => ok('POST', 'tags', { name: unique('tag') })],
      ['teams', () => ok('POST', 'teams', { name: unique('Team') })],
    ] as const) {
      const { id } = await make();
      const read = await ok('GET', `${path}/${id}`);
      expect([path, await change('PATCH', `${path}/${id}`, read)]).toEqual([path, undefined]);
    }
  });

  test('settings that are read and sent back have no unknown field', async () => {
    for (const path of ['environments', 'wh_connections']) {
      await change('PATCH', 'wh_connections', { bigquery: { project: 'p' } });
      const read = await ok('GET', path);
      const method = path === 'environments' ? 'POST' : 'PATCH';
      expect([path, await change(method, path, read)]).toEqual([path, undefined]);
    }
  });

  test('a repeated response repeats its warnings', async () => {
    const body = { name: unique('Gate'), colour: 'red' };
    const headers = { 'Idempotency-Key': unique('key').replace(' ', '_') };
    const first = await call('POST', 'gates', { body, headers });
    const second = await call('POST', 'gates', { body, headers });
    expect(second.headers.get('Idempotency-Replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
    expect(second.body.warnings).toEqual([unknownField('colour')]);
  });

  test('at most 100 unknown fields are listed, and finding them takes linear work', async () => {
    const bodyOf = (count: number) => ({
      name: unique('Gate'),
      ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, [{}]])),
    });
    const warnings = await change('POST', 'gates', bodyOf(150));
    expect([warnings.length, warnings.at(-1).message]).toEqual([
      101,
      expect.stringContaining('50 more'),
    ]);
    const stepsFor = (count: number) => {
      const body = bodyOf(count);
      return stepsOf(async () => expect(await change('POST', 'gates', body)).toHaveLength(101));
    };
    const fifth = await stepsFor(10_000);
    expect((await stepsFor(50_000)) / fifth).toBeLessThan(6); // 25 if each is compared with each
  });

  test('unknown fields are listed after other warnings', async () => {
    const { id } = await makeGate();
    await ok('PUT', `gates/${id}/launch`);
    const events = [{ name: 'seen', timestamp: 1, userID: 'u', id: 'mine' }];
    expect(await change('POST', 'events', { events })).toEqual([unknownField('events.0.id')]);
    const warnings = await change('PATCH', `gates/${id}`, { rules: [everyone], colour: 'red' });
    expect(warnings.map(({ property }: { property: string }) => property)).toEqual([
      'rules',
      'colour',
    ]);
  });
});

describe('a filter by a trimmed value', () => {
  test('a filter by a value that is stored trimmed is trimmed too', async () => {
    const [tag, app, idType] = [unique('tag'), unique('app'), unique('unit')];
    const stored = { tags: [` ${tag}`], targetApps: `${app} `, idType: ` ${idType} ` };
    const { id } = await makeGate(stored);
    const found = async (...pairs: [string, string][]) =>
      (await ok('GET', `gates?${new URLSearchParams(pairs)}`)).map(
        (gate: { id: string }) => gate.id,
      );
    expect(await found(['tags', `${tag} `])).toEqual([id]);
    expect(await found(['tags', `none, ${tag},${tag}`])).toEqual([id]);
    expect(await found(['tags', tag], ['tags', ` ${tag}`])).toEqual([id]);
    expect(await found(['targetAppID', ` ${app}`])).toEqual([id]);
    expect(await found(['idType', `${idType} `])).toEqual([id]);
    const metric = { metricName: ` ${tag} `, metricType: 'sum', unitType: 'userID', value: 1 };
    await ok('POST', 'metrics/values', { date: '2026-01-01', values: [metric] });
    const query = new URLSearchParams({ date: '2026-01-01', metricName: `${tag} ` });
    expect(await ok('GET', `metrics/values?${query}`)).toMatchObject([{ metricName: tag }]);
  });
});

describe('a filter of several values', () => {
  test('a filter accepts commas, brackets and indexes like a repeated parameter', async () => {
    const [one, two, both] = [unique('one'), unique('two'), unique('one,two')];
    const a = await makeGate({ tags: [one] });
    const b = await makeGate({ tags: [two] });
    const c = await makeGate({ tags: [both] });
    const found = async (...pairs: [string, string][]) =>
      (await ok('GET', `gates?${new URLSearchParams(pairs)}`)).map(({ id }: { id: string }) => id);
    const expected = [b.id, a.id];
    expect(await found(['tags', `${one},${two}`])).toEqual(expected);
    expect(await found(['tags', one], ['tags', two])).toEqual(expected);
    expect(await found(['tags[]', one], ['tags[]', two])).toEqual(expected);
    expect(await found(['tags[0]', one], ['tags[1]', two])).toEqual(expected);
    expect(await found(['tags[]', both])).toEqual([c.id]);
    expect(await found(['tags[0]', one], ['status[]', 'Disabled'])).toEqual([]);
  });

  test('a filter in brackets is kept in the links of pages', async () => {
    const tag = unique('paged');
    for (let count = 0; count < 3; count++) await makeGate({ tags: [tag] });
    const query = new URLSearchParams([
      ['tags[]', tag],
      ['tags[]', 'none'],
      ['limit', '2'],
    ]);
    const first = await call('GET', `gates?${query}`);
    const next = await call('GET', first.body.pagination.nextPage);
    expect([first.data.length, next.data.length]).toEqual([2, 1]);
  });

  test('a filter with an unknown name is 400, with brackets too', async () => {
    for (const name of ['colour', 'colour[]', 'colour[0]', 'tags[a]', 'tags[0', 'tags[0][]'])
      expect(
        await invalidPropertiesOf(
          'GET',
          `gates?${new URLSearchParams({ [name]: 'a' })}`,
          undefined,
        ),
      ).toEqual([name]);
    expect(await invalidPropertiesOf('GET', 'gates?status[]=a', undefined)).toEqual(['status']);
    expect(await invalidPropertiesOf('GET', 'gates?limit[]=1&limit[]=2', undefined)).toEqual([
      'limit',
    ]);
  });
});

test('a gate can be deleted once its release is complete', async () => {
  const { id: gateID } = await makeGate();
  const pipeline = await makePipeline({ phases: [phase('At once', { timeIntervalMs: 0 })] });
  const named = { releasePipelineID: pipeline.id, gateID };
  const { id } = await ok('POST', 'release_pipeline_triggers', named);
  await ok('DELETE', `gates/${gateID}`);
  await ok('DELETE', `release_pipeline_triggers/${id}`);
  await ok('DELETE', `release_pipelines/${pipeline.id}`);
});

test('an aborted release prevents no deletion', async () => {
  const used = await makeGate();
  const { id: gateID } = await makeGate();
  const rules = [{ name: 'One', conditions: passing(used.id).conditions }];
  const pipeline = await makePipeline({ phases: [phase('One', { rules }), phase('Two')] });
  const named = { releasePipelineID: pipeline.id, gateID };
  const { id } = await ok('POST', 'release_pipeline_triggers', named);
  expect((await call('DELETE', `gates/${gateID}`)).status).toBe(409);
  expect((await call('DELETE', `release_pipeline_triggers/${id}`)).status).toBe(409);
  await ok('PUT', `release_pipeline_triggers/${id}/abort`, { phaseID: 'one' });
  await ok('DELETE', `gates/${gateID}`);
  await ok('DELETE', `release_pipelines/${pipeline.id}`);
  await ok('DELETE', `gates/${used.id}`);
});

test('a new API key is returned once, with warnings for unknown fields', async () => {
  const { body } = await call('POST', 'keys', { body: { name: 'Own', scopes: ['read'], a: 1 } });
  expect(body.warnings).toMatchObject([{ property: 'a' }]);
  expect(body.data.key).toBeTruthy();
  expect((await makeKey()).warnings).toBeUndefined();
});
