import { env } from 'cloudflare:workers';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Route } from '../../src/platform/openapi/routes.ts';
import { exampleOf } from '../../src/platform/openapi/schemas.ts';
import { call, each, type Options, ok, send } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { fixtures, makeKey, pathOf, unique } from '../support/factories.ts';
import { shapeOf } from '../support/shapes.ts';

const schemaOf = ({ parts }: Route, target: string) =>
  parts.find((part) => part.target === target)?.schema;
const bodyOf = (route: Route) => {
  const schema = schemaOf(route, 'json');
  return schema && exampleOf(schema);
};

describe('every operation', () => {
  test.each(each(() => true))(
    '%s is 401 without a key or with an unknown one',
    async (_, route) => {
      const path = pathOf(route.path, 'any');
      const none = await call(route.method, path, { key: null });
      const wrong = await call(route.method, path, { key: 'wrong-key' });
      expect([none.status, wrong.status]).toEqual([401, 401]);
      expect(none.headers.get('Content-Type')).toContain('application/problem+json');
      expect(none.body).toMatchObject({ type: '/problems/unauthorized', status: 401 });
      expect(JSON.stringify(wrong.body)).not.toContain('wrong-key');
    },
  );
});

describe('every change without a body', () => {
  const withoutBody = each((route) => route.method !== 'GET' && !schemaOf(route, 'json'));

  test.each(withoutBody)(
    '%s accepts an empty body or {}, and rejects any other',
    async (_, route) => {
      const path = pathOf(route.path, 'any');
      const given = async (options: Options) => {
        const { status, body } = await call(route.method, path, options);
        return [status, body.type, body.errors?.[0].property];
      };
      const headers = { 'Content-Type': 'text/plain' };
      expect(await given({ body: { dryRun: true } })).toEqual([400, '/problems/invalid', 'dryRun']);
      expect(await given({ body: '{"name":' })).toEqual([400, '/problems/malformed', undefined]);
      expect(await given({ raw: '{}', headers })).toEqual([415, '/problems/media_type', undefined]);
      const none = await given({});
      expect(await given({ raw: '', headers })).toEqual(none);
      expect(await given({ body: {} })).toEqual(none);
    },
  );
});

describe('every operation with a body', () => {
  const withBody = each((route) => schemaOf(route, 'json'));

  test.each(withBody)('%s is 415 for a body that is not JSON', async (_, route) => {
    const headers = { 'Content-Type': 'text/plain' };
    const path = pathOf(route.path, 'any');
    for (const raw of ['{}', new Uint8Array([0xff])])
      expect((await call(route.method, path, { raw, headers })).status).toBe(415);
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

  test.each(withBody)('%s is 400 for malformed JSON', async (_, route) => {
    const answer = await call(route.method, pathOf(route.path, 'any'), { body: '{"name":' });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ type: '/problems/malformed' });
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

describe('every operation on one entity', () => {
  test.each(each(({ path }) => path.includes(':')))(
    '%s is 404 for an unknown ID',
    async (_, route) => {
      const { body = bodyOf(route), query = '' } = await fixtures(route);
      const path = `${pathOf(route.path, 'no_such_id')}${query}`;
      const answer = await call(route.method, path, { body });
      expect(answer.status, JSON.stringify(answer.body)).toBe(404);
      expect(answer.body).toMatchObject({ type: '/problems/not_found', status: 404 });
    },
  );
});

describe('every list', () => {
  const lists = each(
    ({ method, operation }) => method === 'GET' && 'pagination' in shapeOf(operation.response),
  );

  test.each(lists)('%s links its first, middle and last page', async (_, route) => {
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
      expect(body.pagination).toMatchObject({
        itemsPerPage: 1,
        pageNumber: page,
        totalItems: total,
        all: path,
      });
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
  });

  test.each(lists)('%s is 400 for a page or limit out of bounds', async (_, route) => {
    const { id = '', query = '' } = await fixtures(route);
    const path = `${pathOf(route.path, id)}${query || '?'}`;
    for (const wrong of [
      'page=0',
      'page=-1',
      'page=x',
      'page=',
      'limit=0',
      'limit=1001',
      'limit=1.5',
    ]) {
      const { status, body } = await call('GET', `${path}&${wrong}`);
      expect([wrong, status]).toEqual([wrong, 400]);
      expect(body.errors[0].property).toBe(wrong.split('=')[0]);
    }
    expect((await call('GET', `${path}&limit=1000`)).status).toBe(200);
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
