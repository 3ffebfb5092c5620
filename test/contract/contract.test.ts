import { env } from 'cloudflare:workers';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isEqual } from '../../src/base/equal.ts';
import type { Route } from '../../src/platform/openapi/routes.ts';
import { exampleOf } from '../../src/platform/openapi/schemas.ts';
import { call, each, expectOfEach, type Options, ok, send } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { fixtures, makeKey, pathOf, unique } from '../support/factories.ts';
import { isList, listsByBuilder } from '../support/lists.ts';
import { shortTitle } from '../support/trips.ts';

const schemaOf = ({ parts }: Route, target: string) =>
  parts.find((part) => part.target === target)?.schema;
const groups = 'control=a&test=b';
const metric = 'metricID=unknown_id%3A%3Asum';

/** Queries that operations require. */
const queries: Record<string, string> = {
  'GET /metrics/values': '?date=2026-01-01',
  'GET /reports/:type': '?date=2026-01-01',
  'GET /experiments/:id/baseline': `?${metric}`,
  'GET /experiments/:id/pulse_results': `?${groups}`,
  'GET /experiments/:id/pulse_sparks': `?${groups}`,
  'GET /experiments/:id/pulse_series': `?${groups}&${metric}`,
  'GET /experiments/:id/pulse_metric_result': `?${groups}&${metric}`,
};
const queryOf = (route: Route) => queries[shortTitle(route)] ?? '';

const bodyOf = (route: Route) => {
  const schema = schemaOf(route, 'json');
  return schema && exampleOf(schema);
};

const hasBody = (route: Route) => schemaOf(route, 'json') !== undefined;

/** Returns how a request to an operation of any ID is refused. */
async function refusalOf(route: Route, options: Options) {
  const { status, body } = await call(route.method, pathOf(route.path, 'any'), options);
  return [status, body.type, body.errors?.[0].property];
}

const text = { 'Content-Type': 'text/plain' };
const noJSON = [415, '/problems/media_type', undefined];
const malformed = [400, '/problems/malformed', undefined];

test('every change without a body accepts an empty body or {}, and rejects any other', async () => {
  await expectOfEach(
    (route) => route.method !== 'GET' && !hasBody(route),
    async (route) => {
      const none = await refusalOf(route, {});
      return {
        unknown: await refusalOf(route, { body: { dryRun: true } }),
        malformed: await refusalOf(route, { body: '{"name":' }),
        text: await refusalOf(route, { raw: '{}', headers: text }),
        emptyText: isEqual(await refusalOf(route, { raw: '', headers: text }), none),
        emptyObject: isEqual(await refusalOf(route, { body: {} }), none),
      };
    },
    {
      unknown: [400, '/problems/invalid', 'dryRun'],
      malformed,
      text: noJSON,
      emptyText: true,
      emptyObject: true,
    },
  );
});

describe('every operation with a body', () => {
  test('rejects a body that is not JSON, or malformed', async () => {
    await expectOfEach(
      hasBody,
      async (route) => ({
        text: await refusalOf(route, { raw: '{}', headers: text }),
        bytes: await refusalOf(route, { raw: new Uint8Array([0xff]), headers: text }),
        malformed: await refusalOf(route, { body: '{"name":' }),
      }),
      { text: noJSON, bytes: noJSON, malformed },
    );
  });

  test('an operation is 415 for a body with a Content-Encoding', async () => {
    const text = JSON.stringify({ name: unique('Packed') });
    const encodedBy = (encoding: string) => ({
      'Content-Type': 'application/json',
      'Content-Encoding': encoding,
    });
    for (const raw of [gzipSync(text), text]) {
      const { status, body } = await call('POST', 'gates', { raw, headers: encodedBy('gzip') });
      const message = 'Send the body uncompressed, without Content-Encoding.';
      expect([status, body.message]).toEqual([415, message]);
    }
    const headers = encodedBy('identity');
    expect((await call('POST', 'gates', { raw: text, headers })).status).toBe(201);
  });

  test.each([
    ['of another encoding', [0xe9]],
    ['of half a character', [0xed, 0xa0, 0x80]],
  ])('is 400 for letters %s, which would be stored as others', async (_, bytes) => {
    const raw = new Uint8Array([...Buffer.from('{"name": "Caf'), ...bytes, ...Buffer.from('"}')]);
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'letters' };
    for (const sent of [{ 'Content-Type': 'application/json' }, headers]) {
      const { status, body } = await call('POST', 'gates', { raw, headers: sent });
      expect([status, body.message]).toEqual([400, 'The body is not UTF-8.']);
    }
  });

  test.each(['gates', '/ofrep/v1/evaluate/flags', '/v1/initialize'])(
    'a body for %s whose sender disconnects is 400 and logs no error',
    async (path) => {
      const logged = vi.spyOn(console, 'error');
      onTestFinished(() => logged.mockRestore());
      const lost = () => new Error('Network connection lost.');
      const raw = new ReadableStream<Uint8Array>({ pull: (parts) => parts.error(lost()) });
      const headers = {
        'Content-Type': 'application/json',
        'Content-Length': '500',
        'statsig-api-key': env.ROOT_API_KEY,
        Authorization: `Bearer ${env.ROOT_API_KEY}`,
      };
      const answer = await send('POST', path, { raw, headers });
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain('The body ended early; send it again.');
      expect(logged).not.toHaveBeenCalled();
    },
  );
});

test('every operation on one entity is 404 for an unknown ID', async () => {
  await expectOfEach(
    ({ path }) => path.includes(':'),
    async (route) => {
      const path = `${pathOf(route.path, 'unknown_id', 'unknown_id')}${queryOf(route)}`;
      const { status, body } = await call(route.method, path, { body: bodyOf(route) });
      return [status, body.type, body.message];
    },
    [404, '/problems/not_found', expect.stringMatching(/unknown_id/)],
  );
});

describe('every list', () => {
  test('is built by one of few handlers', () => {
    expect(listsByBuilder.map(([builder]) => builder).toSorted()).toEqual([
      'audit_logs',
      'events',
      'events/:name',
      'experiments/:id/pulse_load_history',
      'layers/:id/experiments',
      'list',
      'metrics/list',
      'metrics/values',
      'names',
      'referrers',
      'versions',
      'webhooks/:id/deliveries',
    ]);
  });

  test.each(listsByBuilder)(
    'built by %s links its first, middle and last page',
    async (_, route) => {
      await emptyDatabase();
      const { id = '', query = '', populate } = await fixtures(route);
      for (let count = 0; count < 3; count++) await populate?.();
      const path = pathOf(route.path, id);
      const all = await ok('GET', `${path}${query || '?'}&limit=1000`);
      const total = all.length;
      expect(total, 'the list has something in it').toBeGreaterThan(0);
      const seen = [];
      let next: string | null = `${path}${query || '?'}&limit=1`;
      let previous = null;
      for (let page = 1; next; page++) {
        const { body } = await call('GET', next);
        expect(body.pagination).toMatchObject({ pageNumber: page, totalItems: total });
        expect(body.pagination.previousPage === null).toBe(page === 1);
        if (page > 1) expect(body.pagination.previousPage).toContain(`page=${page - 1}&limit=1`);
        seen.push(...body.data);
        previous = next;
        next = body.pagination.nextPage;
      }
      expect(previous).not.toBeNull();
      expect(seen).toEqual(all);
      const beyond = await call('GET', `${path}${query || '?'}&limit=1&page=${total + 5}`);
      expect(beyond.body.data).toEqual([]);
      expect(beyond.body.pagination.nextPage).toBeNull();
      expect(beyond.body.pagination.previousPage).toContain(`page=${total}&limit=1`);
    },
  );

  const pages = ['page=0', 'page=-1', 'page=x', 'page='];
  const limits = ['limit=0', 'limit=1001', 'limit=1.5'];

  test('is 400 for a page or limit out of bounds', async () => {
    await expectOfEach(
      isList,
      async (route) => {
        const outcomes = [];
        for (const wrong of [...pages, ...limits]) {
          const path = `${pathOf(route.path, 'any')}${queryOf(route) || '?'}&${wrong}`;
          const { status, body } = await call('GET', path);
          outcomes.push([wrong, status, body.errors?.[0].property]);
        }
        const largest = `${pathOf(route.path, 'any')}${queryOf(route) || '?'}&limit=1000`;
        return [...outcomes, (await call('GET', largest)).status === 400];
      },
      [...[...pages, ...limits].map((wrong) => [wrong, 400, wrong.split('=')[0]]), false],
    );
  });
});

describe('the service', () => {
  test('an unknown path is 404, and an unknown method of a known path is 405 with Allow', async () => {
    expect((await call('GET', '/console/v1/nothing')).status).toBe(404);
    const wrong = await call('PUT', '/console/v1/gates');
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get('Allow')).toContain('POST');
  });

  test('a body over 1 MiB is 413', async () => {
    const whole = JSON.stringify({ name: unique('Large') }).padEnd(1024 * 1024);
    const sending = async (body: string) => {
      const headers = { 'Content-Length': String(body.length) };
      return (await call('POST', 'gates', { body, headers })).status;
    };
    expect([await sending(whole), await sending(`${whole} `)]).toEqual([201, 413]);
  });

  test('a body that nests too deep is 400 for any operation', async () => {
    const nested = `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`;
    for (const path of ['events', 'gates', 'experiments']) {
      const answer = await call('POST', path, { body: nested });
      expect([answer.status, answer.body.errors[0].property]).toEqual([400, 'body']);
    }
  });

  test.each([
    ['{"a":1e400}', ['defaultValue.a']],
    ['{"a":[-1e309]}', ['defaultValue.a.0']],
    ['{"a":1E+400}', ['defaultValue.a']],
    [`{"a":1${'0'.repeat(310)}}`, ['defaultValue.a']],
    [`{"a":"1e400","b":1e30${' '.repeat(3)}}`, []],
  ])('a number that is too large for a double is 400: %s', async (defaultValue, expected) => {
    const body = `{"name":"${unique('Large')}","defaultValue":${defaultValue}}`;
    const answer = await call('POST', 'dynamic_configs', { body });
    const errors: { property: string }[] = answer.body.errors ?? [];
    expect(errors.map(({ property }) => property)).toEqual(expected);
    const text = { name: unique('Large'), defaultValueJson5: defaultValue };
    const { status } = await call('POST', 'dynamic_configs', { body: text });
    expect(status).toBe(expected.length > 0 ? 400 : 201);
  });

  test('unknown fields named like members of Object are listed in the warnings', async () => {
    const body = { name: unique('Named'), constructor: 1, toString: 2 };
    const { body: answer } = await call('POST', 'gates', { body });
    const named = answer.warnings.map(({ property }: { property: string }) => property);
    expect(named).toEqual(['constructor', 'toString']);
  });

  test('half of a surrogate pair is 400 and the field is named', async () => {
    const named = async (method: string, path: string, body: object | string) => {
      const answer = await call(method, path, { body });
      expect(answer.status).toBe(400);
      return answer.body.errors.map(({ property }: { property: string }) => property);
    };
    const gate = { name: 'Gate', description: 'a\ud800', tags: ['fine', '\udc00b'] };
    expect(await named('POST', 'gates', gate)).toEqual(['description', 'tags.1']);
    const capitals = '{"name":"Gate","description":"\\uD800"}';
    expect(await named('POST', 'gates', capitals)).toEqual(['description']);
    const changes = [{ method: 'POST', path: '/console/v1/gates', body: gate }];
    const inChanges = ['changes.0.body.description', 'changes.0.body.tags.1'];
    expect(await named('POST', 'changes', { changes })).toEqual(inChanges);
    const defaultValue = { 'a\ud800': 1 };
    const config = { name: 'Config', defaultValue };
    expect(await named('POST', 'dynamic_configs', config)).toEqual(['defaultValue']);
    const text = { name: 'Config', defaultValueJson5: '{"a": "\\ud800"}' };
    expect(await named('POST', 'dynamic_configs', text)).toEqual(['defaultValueJson5']);
    const conditions = [{ type: 'email', operator: 'any', targetValue: ['fine', 'a\ud800'] }];
    const rules = JSON.stringify([{ name: 'R', passPercentage: 1, conditions }]);
    const experiment = { name: 'Experiment', inlineTargetingRulesJSON: rules };
    expect(await named('POST', 'experiments', experiment)).toEqual([
      'inlineTargetingRulesJSON.0.conditions.0.targetValue.1',
    ]);
    const both = { name: 'Whole character', description: '🗻 and \\ud800' };
    expect((await call('POST', 'gates', { body: both })).data).toMatchObject(both);
  });

  test('a number beyond 2^53 that would lose digits is 400 and the field is named', async () => {
    const lost = '9007199254740993';
    const errorMessage = 'must be sent as text: as a number it would be 9007199254740992';
    const refused = async (path: string, body: string, ...properties: string[]) => {
      const answer = await call('POST', path, { body });
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toMatchObject(
        properties.map((property) => ({ property, errorMessage })),
      );
    };
    const name = '"name":"Config"';
    await refused(
      'dynamic_configs',
      `{${name},"defaultValue":{"a":[1,${lost}]}}`,
      'defaultValue.a.1',
    );
    const condition = `{"type":"user_id","operator":"any","targetValue":[1,${lost}]}`;
    const rules = `[{"name":"R","passPercentage":1,"conditions":[${condition}]}]`;
    const place = 'rules.0.conditions.0.targetValue.1';
    await refused('gates', `{"name":"Gate","rules":${rules},"odd":${lost}.0}`, place, 'odd');
    const change = `{"method":"POST","path":"/console/v1/gates","body":{${name},"rules":${rules}}}`;
    await refused('changes', `{"changes":[${change}]}`, `changes.0.body.${place}`);
    const texted = JSON.stringify({ name: 'Experiment', inlineTargetingRulesJSON: rules });
    await refused(
      'experiments',
      texted,
      `inlineTargetingRulesJSON.${place.slice('rules.'.length)}`,
    );
    await refused('evaluate', `{"kind":"gate","id":"a","user":{"userID":${lost}}}`, 'user.userID');
    const { body, status } = await call('POST', 'gates', { body: lost });
    expect([status, body.errors[0].property]).toEqual([400, 'body']);
  });

  test('numbers that keep all digits, and text of any digits, are stored unchanged', async () => {
    const defaultValue =
      '{"a":-9007199254740992,"b":1e20,"c":1.2345678901234568e+22,"d":0.1234567890123456789,"e":"9007199254740993"}';
    const body = `{"name":"${unique('Held')}","defaultValue":${defaultValue}}`;
    const { data } = await call('POST', 'dynamic_configs', { body });
    expect(data.defaultValue).toEqual(JSON.parse(defaultValue));
  });

  test('the rate limit applies to the changes of each key, not to its reads', async () => {
    const left = new Map<string, number>();
    const limit = async ({ key }: { key: string }) => {
      const rest = left.get(key) ?? 2;
      left.set(key, rest - 1);
      return { success: rest > 0 };
    };
    const bindings = { CHANGE_LIMIT: undefined, CHANGES: { limit } };
    const change = () => call('PUT', 'gates/none/enable', { bindings });
    expect([(await change()).status, (await change()).status]).toEqual([404, 404]);
    const refused = await change();
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60']);
    expect((await call('GET', 'gates', { bindings })).status).toBe(200);
    const { key } = await makeKey({ scopes: ['write'] });
    expect((await call('PUT', 'gates/none/enable', { bindings, key })).status).toBe(404);
  });

  test('each problem type has a page', async () => {
    const page = await send('GET', '/problems/in_use', { key: null });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('refer to this one');
    expect((await send('GET', '/problems/none', { key: null })).status).toBe(404);
  });

  test('no operation is listed twice', () => {
    const titles = each(() => true).map(([title]) => title);
    expect(new Set(titles).size).toBe(titles.length);
    expect(env.ROOT_API_KEY).toBeTruthy();
  });
});
