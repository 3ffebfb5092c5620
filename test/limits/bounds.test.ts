import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Condition } from '../support/bodies.ts';
import { call, invalidPropertiesOf, ok } from '../support/client.ts';
import { inside, operations, type Piece, resolved } from '../support/document.ts';
import { makeExperiment, makeGate, makeLayer, makeSegment, unique } from '../support/factories.ts';
import { withBatches } from '../support/faults.ts';

const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const nameOf = (index: number) => `n${index}`;
const rule = (index: number, conditions: Condition[] = [{ type: 'public' }]) => ({
  name: `r${index}`,
  passPercentage: 1,
  conditions,
});
const metric = (index: number) => ({ name: nameOf(index), type: 'sum' });
const target = (targetValue: string[]) => ({ type: 'user_id', operator: 'any', targetValue });
const keys = (count: number) => Object.fromEntries(many(count, (index) => [nameOf(index), 1]));

/** Returns an object nested to a depth. */
const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });

/** IDs of entities that have overrides. */
const has = { gate: '', layer: '', experiment: '', group: '', segment: '' };

beforeAll(async () => {
  const [gate, layer, segment] = [
    await makeGate(),
    await makeLayer(),
    await makeSegment({ type: 'id_list' }),
  ];
  const experiment = await makeExperiment();
  await ok('PATCH', `experiments/${experiment.id}`, { layerID: layer.id });
  Object.assign(has, {
    gate: gate.id,
    layer: layer.id,
    segment: segment.id,
    experiment: experiment.id,
    group: experiment.groups[0].id,
  });
});

/** Returns the arrays in a part of the OpenAPI document, following references. */
function listsIn(piece: Piece, seen: Set<Piece>): Piece[] {
  const parts = inside(piece).filter((part) => !seen.has(part));
  for (const part of parts) seen.add(part);
  const referred = parts.filter((part) => part.$ref !== undefined).map(resolved);
  return [
    ...parts.filter(({ type }) => type === 'array'),
    ...referred.filter((part) => !seen.has(part)).flatMap((part) => listsIn(part, seen)),
  ];
}

type Request = [method: string, path: string, body: object];
type Row = [what: string, most: number, property: string, request: (count: number) => Request];

const created = (path: string, body: object): Request => [
  'POST',
  path,
  { name: unique('Bounded'), ...body },
];
const gate = (body: object) => created('gates', body);
const config = (body: object) => created('dynamic_configs', body);
const experiment = (body: object) => created('experiments', body);

const bounds: Row[] = [
  ['tags of an entity', 100, 'tags', (n) => gate({ tags: many(n, nameOf) })],
  [
    'metrics of a list',
    500,
    'monitoringMetrics',
    (n) => gate({ monitoringMetrics: many(n, metric) }),
  ],
  [
    'metrics of another list',
    500,
    'primaryMetrics',
    (n) => experiment({ primaryMetrics: many(n, metric) }),
  ],
  ['rules', 500, 'rules', (n) => gate({ rules: many(n, (index) => rule(index)) })],
  [
    'conditions of a rule',
    500,
    'rules.0.conditions',
    (n) =>
      gate({
        rules: [
          rule(
            0,
            many(n, () => ({ type: 'public' })),
          ),
        ],
      }),
  ],
  [
    'conditions of all rules',
    10_000,
    'rules',
    (n) =>
      gate({
        rules: many(Math.ceil(n / 500), (index) =>
          rule(
            index,
            many(Math.min(500, n - index * 500), () => ({ type: 'public' })),
          ),
        ),
      }),
  ],
  [
    'targets of a condition',
    10_000,
    'rules.0.conditions.0.targetValue',
    (n) => gate({ rules: [rule(0, [target(many(n, nameOf))])] }),
  ],
  [
    'rules in a text',
    500,
    'inlineTargetingRulesJSON',
    (n) =>
      experiment({ inlineTargetingRulesJSON: JSON.stringify(many(n, (index) => rule(index))) }),
  ],
  [
    'groups',
    100,
    'groups',
    (n) =>
      experiment({
        groups: many(n, (index) => ({ name: nameOf(index), size: index === 0 ? 100 : 0 })),
      }),
  ],
  [
    'keys of the value of a config',
    10_000,
    'defaultValue',
    (n) => config({ defaultValue: keys(n) }),
  ],
  [
    'keys of its JSON5 text',
    10_000,
    'defaultValueJson5',
    (n) => config({ defaultValueJson5: JSON.stringify(keys(n)) }),
  ],
  [
    'keys of the return value of a rule',
    10_000,
    'rules.0.returnValue',
    (n) => config({ rules: [{ ...rule(0), returnValue: keys(n) }] }),
  ],
  ['levels of a value', 63, 'body', (n) => config({ defaultValue: nested(n) })],
  [
    'levels of a JSON5 text',
    64,
    'defaultValueJson5',
    (n) => config({ defaultValueJson5: `${JSON.stringify(nested(n))} // deep` }),
  ],
  ['levels of a JSON text', 64, 'schema', (n) => config({ schema: JSON.stringify(nested(n)) })],
  [
    'levels of the text of rules',
    64,
    'inlineTargetingRulesJSON',
    (n) =>
      experiment({
        inlineTargetingRulesJSON: JSON.stringify([{ ...rule(0), returnValue: nested(n - 2) }]),
      }),
  ],
  [
    'characters of a JSON Schema',
    100_000,
    'schema',
    (n) => config({ schema: JSON.stringify({ title: 'x'.repeat(n - 12) }) }),
  ],
  [
    'characters of a JSON5 text that is not JSON',
    100_000,
    'defaultValueJson5',
    (n) => config({ defaultValueJson5: `{a:'${'x'.repeat(n - 6)}'}` }),
  ],
  [
    'parameters of a layer',
    1000,
    'parameters',
    (n) =>
      created('layers', {
        parameters: many(n, (index) => ({ name: nameOf(index), type: 'number', defaultValue: 1 })),
      }),
  ],
  [
    'ids of an override',
    50_000,
    'passingUserIDs',
    (n) => ['POST', `gates/${has.gate}/overrides`, { passingUserIDs: many(n, nameOf) }],
  ],
  [
    'ids of an override of a layer',
    50_000,
    'idOverrides.0.ids',
    (n) => [
      'POST',
      `layers/${has.layer}/overrides`,
      {
        idOverrides: [
          { groupName: 'Control', experimentName: has.experiment, ids: many(n, nameOf) },
        ],
      },
    ],
  ],
  [
    'ids of an override of an experiment',
    50_000,
    'userIDOverrides.0.ids',
    (n) => [
      'POST',
      `experiments/${has.experiment}/overrides`,
      { userIDOverrides: [{ groupID: has.group, ids: many(n, nameOf) }] },
    ],
  ],
  [
    'overrides of a list',
    1000,
    'environmentOverrides',
    (n) => [
      'POST',
      `gates/${has.gate}/overrides`,
      {
        environmentOverrides: many(n, (index) => {
          return {
            environment: nameOf(index),
            unitID: 'userID',
            passingIDs: ['a'],
            failingIDs: [],
          };
        }),
      },
    ],
  ],
  [
    'changes of one request',
    50,
    'changes',
    (n) => [
      'POST',
      'changes',
      {
        changes: many(n, () => ({
          method: 'POST',
          path: '/console/v1/gates',
          body: { name: unique('One') },
        })),
      },
    ],
  ],
  [
    'values of a filter',
    100,
    'tags',
    (n) => ['GET', `gates?${many(n, (index) => `tags=${nameOf(index)}`).join('&')}`, {}],
  ],
];

describe('the bounds of a request', () => {
  test.each(bounds)('a request may have %s up to %i', async (_, most, property, request) => {
    const answerTo = ([method, path, body]: Request) =>
      call(method, path, method === 'GET' ? {} : { body });
    const onIt = await answerTo(request(most));
    expect(onIt.status, JSON.stringify(onIt.body)).toBeLessThan(300);
    const past = await answerTo(request(most + 1));
    expect([past.status, past.body.errors?.[0].property]).toEqual([400, property]);
    if (property !== 'body') expect(past.body.message).toMatch(/at most|not nest deeper/);
  });

  test('adding to a full list of overrides is 400', async () => {
    const { id } = await makeGate();
    const path = `gates/${id}/overrides`;
    await ok('POST', path, { passingUserIDs: many(50_000, nameOf) });
    await ok('PATCH', path, { passingUserIDs: ['n1', 'n2'] });
    const { status, body } = await call('PATCH', path, { body: { passingUserIDs: ['one more'] } });
    expect([status, body.errors[0].property]).toEqual([400, 'passingUserIDs']);
    await ok('DELETE', path, { passingUserIDs: ['n1'] });
    await ok('PATCH', path, { passingUserIDs: ['one more'] });
  });

  test.each(['layer', 'experiment'] as const)(
    'adding to a full list of override IDs of a %s is 400',
    async (kind) => {
      const own = {
        experimentName: has.experiment,
        groupName: 'Control',
        environment: 'production',
      };
      const [name, entry] =
        kind === 'layer' ? ['idOverrides', own] : ['userIDOverrides', { groupID: has.group }];
      const path = `${kind}s/${has[kind]}/overrides`;
      await ok('POST', path, { [name]: [{ ...entry, ids: many(50_000, nameOf) }] });
      const body = { [name]: [{ ...entry, ids: ['one more'] }] };
      expect(await invalidPropertiesOf('PATCH', path, body)).toEqual([`${name}.0.ids`]);
    },
  );

  test('a repeated value of a filter counts once toward its bound', async () => {
    const values = [...many(100, nameOf), ...many(100, nameOf)];
    expect(
      (await call('GET', `gates?${values.map((tag) => `tags=${tag}`).join('&')}`)).status,
    ).toBe(200);
  });

  test('every array of a request body has a documented bound', () => {
    const lists = operations.flatMap(([title, { requestBody = {} }]) =>
      listsIn(resolved(requestBody), new Set()).map((list) => ({ title, list })),
    );
    expect(lists.length).toBeGreaterThan(100);
    expect(lists.filter(({ list }) => list.maxItems === undefined)).toEqual([]);
  });
});

describe('the bodies of many changes', () => {
  const gateWith = (length: number) => ({
    method: 'POST',
    path: '/console/v1/gates',
    body: { name: unique('Heavy'), reviewSettings: { allowedReviewers: ['x'.repeat(length)] } },
  });
  const make = (changes: object[]) => call('POST', 'changes', { body: { changes } });

  test('the bodies of many changes total at most 5 MiB, each at most 1 MiB', async () => {
    expect((await make(many(5, () => gateWith(1_000)))).status).toBe(200);
    expect((await make(many(9, () => gateWith(600_000)))).status).toBe(413);
    const one = await make([gateWith(10), gateWith(1024 * 1024)]);
    expect([one.status, one.body.message]).toEqual([413, 'changes.1.body is larger than 1 MiB.']);
    const alone = { name: 'Alone', team: 'x'.repeat(1024 * 1024) };
    expect((await call('POST', 'gates', { body: alone })).status).toBe(413);
  });

  test('many changes total at most 8 MB with their history', async () => {
    const made = await make(many(4, () => gateWith(600_000)));
    const ids = made.body.data.map(
      (result: { body: { data: { id: string } } }) => result.body.data.id,
    );
    const changed = (times: number) =>
      many(times, (index) => ({
        method: 'PATCH',
        path: `/console/v1/gates/${ids[index % ids.length]}`,
        body: { description: `The change ${index}.` },
      }));
    const refused = await make(changed(14));
    expect([refused.status, refused.body.index]).toEqual([413, 13]);
    expect(refused.body.message).toMatch(/^changes\.13: The changes and their history are larger/);
    expect((await make(changed(13))).status).toBe(413);
    expect((await make(changed(8))).status).toBe(200);
  });

  test('many changes with an Idempotency-Key are 413 if their response is too large to store', async () => {
    const headers = { 'Idempotency-Key': 'heavy' };
    const body = { changes: many(4, () => gateWith(600_000)) };
    const { status, body: answer } = await call('POST', 'changes', { body, headers });
    expect([status, answer.message]).toEqual([413, expect.stringContaining('Idempotency-Key')]);
  });
});

describe('the rate limit', () => {
  /** Returns the status of a request, and the number of changes it counted. */
  async function counted(method: string, path: string, body: object, left = 600) {
    let calls = 0;
    const limit = async () => ({ success: ++calls <= left });
    const bindings = { CHANGE_LIMIT: undefined, CHANGES: { limit } };
    const { status } = await call(method, path, { body, bindings });
    return [status, calls];
  }

  const changes = (count: number) => ({
    changes: many(count, () => ({
      method: 'POST',
      path: '/console/v1/gates',
      body: { name: unique('Counted') },
    })),
  });

  test('the rate limit counts each of many changes, and an import by its rows', async () => {
    expect(await counted('POST', 'gates', { name: unique('Counted') })).toEqual([201, 1]);
    expect(await counted('POST', 'changes', changes(7))).toEqual([200, 7]);
    expect(await counted('POST', 'changes', changes(50))).toEqual([200, 50]);
    const events = (count: number) => ({
      events: many(count, (index) => ({ name: nameOf(index) })),
    });
    expect(await counted('POST', 'events', events(100))).toEqual([201, 1]);
    expect(await counted('POST', 'events', events(101))).toEqual([201, 2]);
    const value = (index: number) => ({
      metricName: nameOf(index),
      metricType: 'sum',
      unitType: 'u',
      value: 1,
    });
    const values = { date: '2026-01-01', values: many(1000, value) };
    expect(await counted('POST', 'metrics/values', values)).toEqual([201, 10]);
  });

  test('the rate limit counts a change once, even if it is computed again', async () => {
    const before = await makeGate();
    let [calls, batches] = [0, 0];
    const limit = async () => ({ success: ++calls > 0 });
    const DB = withBatches(env.DB, async (session, statements) => {
      if (++batches === 2) await ok('PATCH', `gates/${before.id}`, { description: 'First.' });
      return session.batch<never>(statements);
    });
    const events = many(201, (index) => ({ name: nameOf(index) }));
    const body = {
      changes: [
        { method: 'POST', path: '/console/v1/events', body: { events } },
        { method: 'PATCH', path: `/console/v1/gates/${before.id}`, body: { name: 'Second' } },
      ],
    };
    const bindings = { CHANGE_LIMIT: undefined, CHANGES: { limit }, DB };
    expect((await call('POST', 'changes', { body, bindings })).status).toBe(200);
    expect(batches).toBeGreaterThan(2);
    expect(calls).toBe(4);
    expect(await counted('POST', 'changes', body, 3)).toEqual([429, 4]);
  });

  test('the rate limit counts an import as at most 51 changes', async () => {
    const lines = (count: number) => ({
      lines: many(count, () => ({ data: [{}], kind: 'gate' })),
    });
    const list = { kind: 'gate', data: many(500, () => ({})) };
    expect(await counted('POST', 'import', list)).toEqual([201, 5]);
    expect(await counted('POST', 'import', lines(3000))).toEqual([201, 30]);
    expect(await counted('POST', 'import', lines(6000))).toEqual([201, 51]);
  });

  test('a deployment without a binding or with CHANGE_LIMIT none has no rate limit', async () => {
    const CHANGES = { limit: async () => ({ success: false }) };
    for (const bindings of [
      { CHANGE_LIMIT: 'none' as const, CHANGES },
      { CHANGE_LIMIT: undefined, CHANGES: undefined },
    ]) {
      const body = { name: unique('Unlimited') };
      expect((await call('POST', 'gates', { body, bindings })).status).toBe(201);
    }
  });

  test('a rate limit that fails is logged and rejects no change', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => logged.mockRestore());
    const CHANGES = { limit: async () => Promise.reject(new Error('no answer')) };
    const bindings = { CHANGE_LIMIT: undefined, CHANGES };
    const body = { name: unique('Unlimited') };
    expect((await call('POST', 'gates', { body, bindings })).status).toBe(201);
    expect(logged).toHaveBeenCalledOnce();
  });

  test('many changes are 429 if their number exceeds the rate limit', async () => {
    expect(await counted('POST', 'changes', changes(7), 6)).toEqual([429, 7]);
  });
});

describe('a link', () => {
  const linked = (url: string) =>
    call('POST', 'experiments', { body: { name: unique('Linked'), links: [{ url }] } });

  test.each(['https://example.com/a?b=c', 'http://localhost:8080', 'mailto:a@example.com'])(
    'may be %s',
    async (url) => {
      const { status, data } = await linked(url);
      expect([status, data.links]).toEqual([201, [{ url }]]);
    },
  );

  test.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://example.com',
    'vbscript:x',
    '//example.com',
    'example.com',
  ])('may not be %j', async (url) => {
    const { status, body } = await linked(url);
    expect([status, body.errors[0].property]).toEqual([400, 'links.0.url']);
    expect(body.message).toContain('mailto');
  });
});

test('adding a rule is 400 if the entity would have too many rules or conditions', async () => {
  const [rules, conditions] = [
    many(500, (index) => rule(index)),
    many(500, () => ({ type: 'public' })),
  ];
  const { id } = await ok('POST', 'gates', { name: unique('Full'), rules });
  const more = rule(500);
  expect(await invalidPropertiesOf('POST', `gates/${id}/rules`, more)).toEqual(['rules']);
  const large = { rules: many(20, (index) => rule(index, conditions)) };
  await ok('PATCH', `gates/${id}`, large);
  expect(await invalidPropertiesOf('POST', `gates/${id}/rules`, more)).toEqual(['rules']);
  expect((await ok('GET', `gates/${id}`)).rules).toHaveLength(20);
});

describe('a name without visible characters', () => {
  const name = '\u200b\u2060';
  const windows = { explorationWindow: '24hr', attributionWindow: '1hr', winnerThreshold: '95%' };
  const variants = [
    { name: 'A', json: {} },
    { name: 'B', json: {} },
  ];

  test.each([
    ['experiments', { primaryMetrics: [{ name, type: 'mean' }] }, 'primaryMetrics.0.name'],
    [
      'experiments',
      { bayesianPriors: [{ metric: { name, type: 'mean' }, priorMean: 1, priorStdDev: 1 }] },
      'bayesianPriors.0.metric.name',
    ],
    ['experiments', { externalEvents: [{ name, timestamp: 1 }] }, 'externalEvents.0.name'],
    ['metrics', { type: 'sum', metricEvents: [{ name, type: 'value' }] }, 'metricEvents.0.name'],
    ['autotunes', { ...windows, variants, successEvent: name }, 'successEvent'],
  ])('of %s: %j', async (path, body, property) => {
    expect(await invalidPropertiesOf('POST', path, { name: unique('Named'), ...body })).toEqual([
      property,
    ]);
  });
});
