import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { version } from '../../package.json';
import {
  call,
  expectOfEach,
  invalidPropertiesOf,
  type Options,
  ok,
  send,
} from '../support/client.ts';
import {
  autotuneSettings,
  makeAutotune,
  makeExperiment,
  makeGate,
  makeKey,
  makeSegment,
  makeTrigger,
  makeValue,
  passing,
  pathOf,
  unique,
} from '../support/factories.ts';
import { withBatches } from '../support/faults.ts';
import { stepsOf } from '../support/work.ts';

describe('a query', () => {
  test('is 400 for a parameter that the operation does not know, for every operation', async () => {
    const errors = [
      {
        property: 'no_such_parameter',
        errorMessage: expect.stringContaining('is not a parameter'),
      },
    ];
    await expectOfEach(
      () => true,
      async ({ method, path }) => {
        const { status, body } = await call(method, `${pathOf(path, 'any')}?no_such_parameter=1`);
        return [status, body.errors];
      },
      [400, errors],
    );
  });

  test('lists the parameters of its operation in an error', async () => {
    const { body } = await call('GET', 'gates?colour=red');
    expect(body.message).toContain('limit');
    expect((await call('PUT', 'gates/any/enable?colour=red')).body.message).toContain('dryRun');
  });

  test('names a parameter that is given once without a place', async () => {
    expect(await invalidPropertiesOf('GET', 'gates?status=Open', undefined)).toEqual(['status']);
    expect(
      await invalidPropertiesOf('GET', 'gates?status=Launched&status=Open', undefined),
    ).toEqual(['status.1']);
    const { body } = await call('GET', 'gates?status=');
    expect(body.errors[0].errorMessage).toContain('must be one of');
  });

  test.each([10, 17, 400])('says the bound of a number of %d digits', async (digits) => {
    const { body } = await call('GET', `gates?limit=${'9'.repeat(digits)}`);
    const errorMessage = 'must be at most 1000';
    expect(body.errors).toEqual([{ property: 'limit', errorMessage }]);
  });
});

describe('If-Match', () => {
  test.each(['3', 'nonsense', '"1', '1"', '', '"1" "2"', 'W/1'])('%j is 400', async (tag) => {
    const { id } = await makeGate();
    const headers = { 'If-Match': tag };
    const { status, body } = await call('PUT', `gates/${id}/disable`, { headers });
    expect([status, body.errors?.[0].property]).toEqual([400, 'If-Match']);
    expect(body.message).toContain('"3"');
  });

  test('is taken as a header of one of many changes, and other headers are not', async () => {
    const { id } = await makeGate();
    const path = `/console/v1/gates/${id}`;
    const change = (headers: object) => ({
      body: { changes: [{ method: 'PATCH', path, body: { tags: ['x'] }, headers }] },
    });
    expect((await call('POST', 'changes', change({ 'If-Match': '"7"' }))).status).toBe(412);
    expect((await call('POST', 'changes', change({ 'If-Match': '"1"' }))).status).toBe(200);
    const other = await call('POST', 'changes', change({ Cookie: 'a' }));
    expect([other.status, other.body.errors[0].property]).toEqual([
      400,
      'changes.0.headers.Cookie',
    ]);
  });

  test.each(['3', '\u0000', '"\u0000"', '"☃"'])('%j in a change is 400', async (tag) => {
    const change = { method: 'PATCH', path: '/console/v1/gates/a', body: {} };
    const own = await invalidPropertiesOf('POST', 'changes', {
      changes: [{ ...change, ifMatch: tag }],
    });
    expect(own).toEqual(['changes.0.ifMatch']);
    const headers = { 'If-Match': tag };
    const header = await invalidPropertiesOf('POST', 'changes', {
      changes: [{ ...change, headers }],
    });
    expect(header).toEqual(['changes.0.headers.If-Match']);
  });

  test('of a change is named in any case, as in a request', async () => {
    const { id } = await makeGate();
    const path = `/console/v1/gates/${id}`;
    const change = (headers: object) => ({
      body: { changes: [{ method: 'PATCH', path, body: { tags: ['case'] }, headers }] },
    });
    expect((await call('POST', 'changes', change({ 'if-match': '"7"' }))).status).toBe(412);
    expect((await call('POST', 'changes', change({ 'IF-MATCH': '"1"' }))).status).toBe(200);
    const both = { 'If-Match': '"7"', 'if-match': '"2"' };
    expect((await call('POST', 'changes', change(both))).status).toBe(200);
    const wrong = await call('POST', 'changes', change({ 'if-match': '2' }));
    expect([wrong.status, wrong.body.errors]).toEqual([
      400,
      [
        {
          property: 'changes.0.headers.if-match',
          errorMessage: expect.stringContaining('in quotes'),
        },
      ],
    ]);
    const other = await call('POST', 'changes', change({ Cookie: 'a' }));
    expect(other.body.errors).toEqual([
      {
        property: 'changes.0.headers.Cookie',
        errorMessage: 'must be If-Match, the only allowed header',
      },
    ]);
  });

  test('a member of a change, or of them all, that is not known is 400', async () => {
    const change = { method: 'PUT', path: '/console/v1/gates/a' };
    const changes = [{ ...change, if_match: '"1"' }];
    expect(await invalidPropertiesOf('POST', 'changes', { changes })).toEqual([
      'changes.0.if_match',
    ]);
    const body = { changes: [change], atomic: true };
    expect(await invalidPropertiesOf('POST', 'changes', body)).toEqual(['atomic']);
  });
});

test('no shared cache stores a response, and no private one reuses it without revalidation', async () => {
  const gate = await makeGate();
  const headers = { 'If-None-Match': '"1"' };
  for (const [answer, status] of [
    [await call('GET', `gates/${gate.id}`), 200],
    [await call('GET', `gates/${gate.id}`, { headers }), 304],
    [await call('GET', 'gates', { key: null }), 401],
    [await call('GET', 'gates/nowhere'), 404],
    [await call('POST', 'gates', { body: { name: unique('Kept') } }), 201],
  ] as const)
    expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([
      status,
      'private, no-cache',
    ]);
});

test('If-None-Match only applies to reads, and a change returns its result', async () => {
  const { id } = await makeGate();
  const headers = { 'If-None-Match': '*' };
  const { status, data } = await call('PUT', `gates/${id}/disable`, { headers });
  expect([status, data?.version]).toEqual([200, 2]);
});

describe('a change that fails on storing', () => {
  test('has neither the version nor the place that it would have had', async () => {
    const gate = await makeGate();
    await makeGate({ rules: [passing(gate.id)] });
    const body = { name: unique('Lost'), rules: [passing('no_such_gate')] };
    const refused = [
      await call('POST', 'gates', { body }),
      await call('PATCH', `gates/${gate.id}`, { body: { rules: body.rules } }),
      await call('PUT', `gates/${gate.id}/archive`, { body: {} }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 409]);
    for (const { headers } of refused)
      expect([headers.get('ETag'), headers.get('Location')]).toEqual([null, null]);
  });

  test('keeps the current version if If-Match names another', async () => {
    const { id } = await makeGate();
    const headers = { 'If-Match': '"7"' };
    const answer = await call('PUT', `gates/${id}/disable`, { headers });
    expect([answer.status, answer.headers.get('ETag')]).toEqual([412, '"1"']);
  });
});

describe('the path of one of many changes', () => {
  const changesOf = (method: string, ...paths: string[]) =>
    call('POST', 'changes', {
      body: { changes: paths.map((path) => ({ method, path: `/console/v1/${path}` })) },
    });

  test('has the query that its operation has', async () => {
    const [first, second] = [await makeExperiment(), await makeExperiment()];
    for (const { id } of [first, second]) await ok('PUT', `experiments/${id}/start`);
    const [one, other] = [`experiments/${first.id}`, `experiments/${second.id}`];
    const { status, body } = await changesOf('DELETE', `${one}?force=true`, other);
    expect([status, body.index]).toEqual([409, 1]);
    expect((await call('GET', one)).status).toBe(200);
    const both = await changesOf('DELETE', `${one}?force=true`, `${other}?force=true`);
    expect(both.status).toBe(200);
    expect((await call('GET', one)).status).toBe(404);
  });

  test('selects the removed values by its query', async () => {
    await makeValue('2026-03-01');
    const { data } = await call('GET', 'metrics/values?date=2026-03-01');
    const { metricName, metricType } = data[0];
    const query = new URLSearchParams({ date: '2026-03-01', metricName, metricType });
    const removed = await changesOf('DELETE', `metrics/values?${query}`);
    expect(removed.data[0].body.data).toEqual({ removed: 1 });
    expect(await ok('GET', 'metrics/values?date=2026-03-01')).toEqual([]);
  });

  test.each([
    ['force=maybe', 'force'],
    ['colour=red', 'colour'],
    ['dryRun=true', 'dryRun'],
    ['dryRun=maybe', 'dryRun'],
  ])('?%s is 400, as in a request', async (query, property) => {
    const { id } = await makeExperiment();
    const { status, body } = await changesOf('DELETE', `experiments/${id}?${query}`);
    expect([status, body.index, body.errors[0].property]).toEqual([
      400,
      0,
      `changes.0.${property}`,
    ]);
    expect((await call('GET', `experiments/${id}`)).status).toBe(200);
  });
});

describe('a parameter that takes one value', () => {
  test.each([
    'limit=1&limit=2',
    'limit[]=1',
    'isEnabled=true&isEnabled=false',
    'sortKey=id&sortKey=name',
  ])('must be given only once: ?%s', async (query) => {
    const { status, body } = await call('GET', `gates?${query}`);
    const [property] = query.split(/\W/);
    expect([status, body.errors]).toEqual([
      400,
      [{ property, errorMessage: expect.stringContaining('must be given only once') }],
    ]);
  });

  test.each(['dryRun=false&dryRun=true', 'dryRun[]=true'])(
    'stores nothing where it is dryRun: ?%s',
    async (query) => {
      const name = unique('Once');
      const { status, body } = await call('POST', `gates?${query}`, { body: { name } });
      expect([status, body.errors[0].property]).toEqual([400, query.split('=')[0]]);
      expect(await ok('GET', `gates?search=${encodeURIComponent(name)}`)).toEqual([]);
    },
  );

  test('rejects dryRun for an operation that changes nothing', async () => {
    const body = { user: { userID: 'u' }, kind: 'gate', id: 'any' };
    const { status, body: answer } = await call('POST', 'evaluate?dryRun=true', { body });
    expect([status, answer.errors[0].property]).toEqual([400, 'dryRun']);
  });
});

test('a dry run reports the result without a Location', async () => {
  const body = { name: unique('Dry') };
  const { headers, body: answer } = await call('POST', 'gates?dryRun=true', { body });
  expect([answer.message, headers.get('Location')]).toEqual(['Gate would be created.', null]);
  expect((await call('POST', 'gates', { body })).body.message).toBe('Gate created successfully.');
});

test('a dry run on a part of an entity reports the result too', async () => {
  const { id } = await makeGate();
  const body = { name: 'One more', passPercentage: 1, conditions: [] };
  const rule = await call('POST', `gates/${id}/rules?dryRun=true`, { body });
  expect(rule.body.message).toBe('Gate rule would be added.');
  const overrides = { body: { passingUserIDs: ['u'] } };
  const { body: answer } = await call('PATCH', `gates/${id}/overrides?dryRun=true`, overrides);
  expect(answer.message).toBe('Gate overrides would be updated.');
  const { id: segmentID } = await makeSegment({ type: 'id_list' });
  const ids = { body: { add: ['u'] } };
  const list = await call('PATCH', `segments/${segmentID}/id_list?dryRun=true`, ids);
  expect(list.body.message).toBe('Segment ids would be updated.');
});

describe('an error message', () => {
  test('is a sentence in English', async () => {
    const said = async (path: string, body: unknown) => {
      const answer = await call('POST', path, { body });
      return answer.body.errors.map((error: { errorMessage: string }) => error.errorMessage);
    };
    expect((await call('GET', 'keys/nope')).body.message).toBe(
      'There is no API key with the id nope.',
    );
    for (const path of ['', '/versions', '/versions/1'])
      expect((await call('GET', `keys/nope${path}`)).body.message).toContain(' API key ');
    expect(await said('gates', [])).toEqual(['must be an object']);
    expect(await said('gates', { name: 5 })).toEqual(['must be a text']);
    expect(await said('gates', { name: 'Gate', rules: {} })).toEqual(['must be an array']);
    const [moment] = await said('events', { events: [{ name: 'x', timestamp: {} }] });
    expect(moment).toBe('must be a whole number or a text');
    expect(await said('changes', { changes: [] })).toEqual(['must have at least 1 entry']);
    const alone = { ...autotuneSettings, name: 'Few', variants: [{ name: 'A', size: 100 }] };
    expect(await said('autotunes', alone)).toEqual(['must have at least 2 entries']);
    expect(await said('teams', { name: '' })).toEqual(['must be at least 1 character long']);
    const parameters = [{ name: 'p', ref_type: 'flag', param_type: 'string', value: '' }];
    const store = { name: 'Store', displayName: 'Store', description: '', parameters };
    const [kinds] = await said('param_stores', store);
    expect(kinds).toMatch(/^must be one of "static", "gate"/);
    expect(await said('ingestion', { dataset: 'Users', type: 's3' })).toEqual([
      'must be "Metrics"',
    ]);
  });

  test('explains a refused move in plain words', async () => {
    const { id } = await makeExperiment();
    const said = async (path: string, body?: object) =>
      (await call('PUT', path, { body })).body.message;
    const decision = { id: (await ok('GET', `experiments/${id}`)).groups[0].id };
    expect(await said(`experiments/${id}/make_decision`, decision)).toBe(
      'The experiment is in status setup, in which it cannot be decided.',
    );
    expect(await said(`experiments/${id}/stop_assignment`)).toBe(
      'The experiment is in status setup, in which it cannot be closed to new units.',
    );
    const autotune = await makeAutotune();
    expect(await said(`autotunes/${autotune.id}/reset`)).toBe(
      'The autotune is in status setup, in which it cannot be reset.',
    );
    const trigger = await makeTrigger();
    const body = { phaseID: trigger.currentPhaseID };
    expect(await said(`release_pipeline_triggers/${trigger.id}/unpause`, body)).toBe(
      'The release is in status IN_PROGRESS and cannot be resumed.',
    );
  });

  test('names at most 100 faults', async () => {
    const rules = Array.from({ length: 150 }, () => ({}));
    const { body } = await call('POST', 'gates', { body: { name: 'Many faults', rules } });
    expect(body.errors).toHaveLength(100);
    expect(body.message).toMatch(/\(and \d{3} more\)/);
  });

  test('is found in one scan of any body', async () => {
    const unclosed = `{"name":"${'\\"'.repeat(500_000)}`;
    const statuses: number[] = [];
    const steps = await stepsOf(async () => {
      statuses.push((await call('POST', 'gates', { body: unclosed })).status);
    });
    expect(statuses).toEqual([400]);
    expect(steps).toBeLessThan(3 * unclosed.length);
    const nested = (depth: number) =>
      `{"name":"Deep","x":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect((await call('POST', 'gates', { body: nested(63) })).status).toBe(201);
    expect((await call('POST', 'gates', { body: nested(64) })).status).toBe(400);
    const quoted = { name: 'Quoted', description: '[{"'.repeat(200) };
    expect((await call('POST', 'gates', { body: quoted })).status).toBe(201);
  });
});

test('every response names the version of package.json in API-Version', async () => {
  for (const path of ['gates', 'nowhere'])
    expect((await call('GET', path)).headers.get('API-Version')).toBe(version);
});

describe('health', () => {
  const health = async (bindings = {}) => {
    const response = await send('GET', '/health', { key: null, bindings });
    return { status: response.status, text: await response.text() };
  };

  test('is 200 without a key', async () => {
    expect((await health()).status).toBe(200);
  });

  test('is 503 and names the missing secret, without its value', async () => {
    const { status, text } = await health({ SEALING_KEY: 'c2hvcnQ=', ROOT_API_KEY: '' });
    expect(status).toBe(503);
    expect(text).toContain('SEALING_KEY');
    expect(text).toContain('ROOT_API_KEY');
    expect(text).toContain('.dev.vars');
    expect(text).not.toContain('c2hvcnQ=');
  });

  test.each([
    ['GET', '/health'],
    ['GET', '/console/v1/gates'],
    ['POST', '/v1/initialize'],
  ])('is 503 as any answer is, where no database is bound: %s %s', async (method, path) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const answer = await send(method, path, { bindings: { DB: undefined } });
    const lines = log.mock.calls.map(([line]) => String(line));
    log.mockRestore();
    const { type, message } = await answer.json<{ type: string; message: string }>();
    expect([answer.status, type]).toEqual([503, '/problems/incomplete']);
    for (const text of [message, lines.join()]) expect(text).toContain('wrangler.toml');
  });

  test.each([
    ['GET', '/console/v1/gates', undefined],
    ['POST', '/console/session', { key: 'given' }],
  ])(
    'is 503 as an answer to a key is, where the root key is not set, or no header carries it: %s %s',
    async (method, path, body) => {
      const log = vi.spyOn(console, 'error').mockImplementation(() => {});
      const headers = { 'Sec-Fetch-Site': 'same-origin' };
      for (const ROOT_API_KEY of ['', ' root', 'root\n', 'clé']) {
        const answer = await send(method, path, { headers, body, bindings: { ROOT_API_KEY } });
        expect(answer.status).toBe(503);
        const { text } = await health({ ROOT_API_KEY });
        for (const said of [await answer.text(), text, ...log.mock.calls.flat()])
          expect(said).toContain('npx wrangler secret put ROOT_API_KEY');
      }
      expect(log).toHaveBeenCalledTimes(8);
      log.mockRestore();
    },
  );

  test('is 503 with the command to run if the newest migration is not applied', async () => {
    const rename = (from: string, to: string) =>
      env.DB.prepare(`update d1_migrations set name = replace(name, '${from}', '${to}')`).run();
    await rename('.sql', '.late');
    const { status, text } = await health();
    await rename('.late', '.sql');
    expect(status).toBe(503);
    expect(text).toContain('wrangler d1 migrations apply');
    expect(text).toContain('--local');
  });
});

describe('an internal error', () => {
  const broken = (message: string) =>
    withBatches(env.DB, async () => {
      throw new Error(message);
    });

  /** The lines that a call leaves in the log. */
  async function logged(
    message: string,
    [method, path, body]: [string, string, unknown?] = ['GET', 'gates?search=secretword'],
  ) {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const bindings = { DB: broken(message) };
    const answer = await call(method, path, { body, bindings, fails: true });
    const lines = log.mock.calls.map(([line]) => String(line));
    log.mockRestore();
    return { answer, lines };
  }

  test('is one line in the log, with the request and without its values', async () => {
    const { answer, lines } = await logged('D1_ERROR: disk I/O error: SQLITE_IOERR');
    expect(answer.status).toBe(500);
    expect(lines).toHaveLength(1);
    const line = JSON.parse(lines[0] ?? '');
    expect(line).toMatchObject({
      error: 'Error',
      message: expect.stringContaining('SQLITE_IOERR'),
    });
    expect(line.requestId).toBe(answer.headers.get('X-Request-Id'));
    expect(lines[0]).not.toContain('secretword');
    expect(JSON.stringify(answer.body)).not.toMatch(/SQLITE|at /);
  });

  test('at one of many changes, or at all, is one line, found by their request', async () => {
    const changes = ['a tag', 'another'].map((name) => ({
      method: 'POST',
      path: '/console/v1/tags',
      body: { name },
    }));
    const { answer, lines } = await logged('D1_ERROR: x', ['POST', 'changes', { changes }]);
    expect(answer.status).toBe(500);
    expect(lines.map((line) => JSON.parse(line).requestId)).toEqual([
      answer.headers.get('X-Request-Id'),
    ]);
  });

  test.each([
    'D1_ERROR: D1 DB is overloaded.',
    'D1_ERROR: Too many requests queued.',
    'D1_ERROR: Network connection lost.',
    'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
    'D1_ERROR: Durable Object reset because its code was updated.',
    'D1_ERROR: Request timed out.',
    'D1_ERROR: internal error',
    'D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.',
  ])('is 503, to be tried again, where D1 says %j', async (message) => {
    const { answer, lines } = await logged(message);
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '1']);
    expect(lines).toHaveLength(1);
  });

  test.each([
    'no such table: gates',
    'no such column: "note"',
    'table revisions has no column named note',
  ])('is 503 with the command that mends it, where there is %s', async (message) => {
    const { answer, lines } = await logged(`D1_ERROR: ${message}: SQLITE_ERROR`);
    expect([answer.status, answer.body.type]).toEqual([503, '/problems/incomplete']);
    for (const text of [answer.body.message, ...lines]) {
      expect(text).toContain('npx wrangler d1 migrations apply DB --remote');
      expect(text).toContain('--local');
    }
    expect(lines).toMatchObject([expect.stringContaining(JSON.stringify(message).slice(1, -1))]);
  });
});

describe('a scope', () => {
  test('is required by each operation, on every path', async () => {
    const { key } = await makeKey({ scopes: ['write'] });
    const rules = [passing('no_such_gate')];
    expect((await call('GET', 'gates', { key })).status).toBe(403);
    expect((await call('GET', 'audit_logs', { key })).status).toBe(403);
    expect((await call('POST', 'gates', { key, body: { name: 'Mine', rules } })).status).toBe(400);
  });
});

test('an empty body is an empty object, for all encodings of emptiness', async () => {
  const nothing: Options[] = [
    {},
    { raw: '', headers: { 'Content-Type': 'application/json', 'Content-Length': '0' } },
    { raw: '', headers: { 'Content-Type': 'Application/JSON' } },
  ];
  for (const options of nothing) {
    const { status, body } = await call('POST', 'gates', options);
    expect([status, body.errors]).toMatchObject([400, [{ property: 'name' }]]);
  }
});
