import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Route } from '../../src/platform/openapi/routes.ts';
import { base, call, costOf, type Options, ok, routes, send } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import {
  fixtures,
  makeDynamicConfig,
  makeExperiment,
  makeGate,
  makeHoldout,
  makeKey,
  makeLayer,
  makeMetric,
  makeParamStore,
  makePipeline,
  makePrompt,
  makeWebhook,
  passing,
  unique,
} from '../support/factories.ts';
import { isList } from '../support/lists.ts';
import { allowMoreTrips } from '../support/responses.ts';
import { isClocked, isOfNames, shortTitle } from '../support/trips.ts';

const cost = (trips: number, read: number, written: number) => ({ trips, read, written });
const costFor = async (method: string, path: string, options?: Options) =>
  costOf(await call(method, path, options));

type Request = [method: string, path: string, options?: Options];

describe('the round trips of many changes, and of a repeated request', () => {
  test.each([
    [1, 2, 8, 8],
    [2, 2, 15, 16],
    [10, 2, 101, 80],
    [50, 6, 501, 400],
  ])(
    'POST /changes of %i takes %i round trips: a read for every ten changes and one batch',
    async (count, trips, read, written) => {
      const gates = await Promise.all(Array.from({ length: count }, () => makeGate()));
      await ok('PATCH', `gates/${gates[0].id}`, { description: 'Another.' });
      const body = { description: 'New.' };
      const changes = gates.map(({ id }) => ({
        method: 'PATCH',
        path: `${base}/gates/${id}`,
        body,
      }));
      expect(await costFor('POST', 'changes', { body: { changes } })).toEqual(
        cost(trips, read, written),
      );
    },
  );

  test('a POST with an Idempotency-Key takes two round trips, and so does each repetition', async () => {
    const options = { body: { name: unique('Once') }, headers: { 'Idempotency-Key': 'once' } };
    expect((await costFor('POST', 'gates', options)).trips).toBe(2);
    expect((await costFor('POST', 'gates', options)).trips).toBe(2);
  });
});

describe('authentication', () => {
  test('authentication takes one round trip for a key new to the isolate, then none', async () => {
    const [{ key }, { id }] = [await makeKey({ scopes: ['read', 'write'] }), await makeGate()];
    expect((await costFor('GET', `gates/${id}`, { key })).trips).toBe(2);
    expect(await costFor('GET', `gates/${id}`, { key })).toEqual(cost(1, 1, 0));
    expect((await costFor('PUT', `gates/${id}/disable`, { key })).trips).toBe(2);
  });
});

describe('Server-Timing', () => {
  const exact =
    /^trips;desc="\d+", rows_read;desc="\d+", rows_written;desc="\d+", db;dur=\d+(\.\d+)?$/;
  const rules = [passing('no_such_gate')];
  let [id, used, key] = ['', '', ''];
  beforeAll(async () => {
    [{ id }, { id: used }, { key }] = [await makeGate(), await makeGate(), await makeKey()];
    await makeGate({ rules: [passing(used)] });
  });

  const answers: [status: number, what: string, trips: number, request: () => Request][] = [
    [200, 'a read', 1, () => ['GET', `gates/${id}`]],
    [
      304,
      'a known version',
      1,
      () => ['GET', `gates/${id}`, { headers: { 'If-None-Match': '"1"' } }],
    ],
    [201, 'a dry run', 2, () => ['POST', 'gates?dryRun=true', { body: { name: unique('Dry') } }]],
    [400, 'a wrong body', 0, () => ['POST', 'gates', { body: {} }]],
    [400, 'an unknown reference', 3, () => ['PATCH', `gates/${id}`, { body: { rules } }]],
    [401, 'no key', 0, () => ['GET', 'gates', { key: null }]],
    [401, 'an unknown key', 1, () => ['GET', 'gates', { key: 'unknown' }]],
    [403, 'another scope', 1, () => ['DELETE', `gates/${id}`, { key }]],
    [404, 'a missing entity', 1, () => ['DELETE', 'gates/no_such_gate']],
    [404, 'no such path', 0, () => ['GET', 'nothing']],
    [405, 'no such method', 0, () => ['PUT', 'gates']],
    [409, 'a taken id', 1, () => ['POST', 'gates', { body: { id, name: 'Taken' } }]],
    [409, 'an entity in use', 3, () => ['DELETE', `gates/${used}`]],
    [
      412,
      'a stale version',
      1,
      () => ['DELETE', `gates/${id}`, { headers: { 'If-Match': '"9"' } }],
    ],
    [413, 'a large body', 0, () => ['POST', 'gates', { body: ' '.repeat(1024 * 1024 + 1) }]],
    [415, 'no JSON', 0, () => ['POST', 'gates', { headers: { 'Content-Type': 'text/plain' } }]],
  ];

  test.each(answers)(
    'a %i response (%s) reports %i round trips',
    async (status, _, trips, request) => {
      const answer = await send(...request());
      expect(answer.status).toBe(status);
      expect(answer.headers.get('Server-Timing')).toMatch(exact);
      expect(costOf(answer).trips).toBe(trips);
    },
  );
});

describe('the rows of a list', () => {
  beforeAll(emptyDatabase);
  const ofEntities = routes
    .filter(
      (list) =>
        isList(list) && !isOfNames(list) && routes.some(({ path }) => path === `${list.path}/:id`),
    )
    .map((route): [string, Route] => [shortTitle(route), route]);

  test.each(ofEntities)(
    '%s reads the rows of the page, one more, and a total',
    async (_, route) => {
      const { populate } = await fixtures(route);
      for (let count = 0; count < 4; count++) await populate?.();
      const first = await call('GET', `${route.path}?limit=2`);
      const next = await call('GET', first.body.pagination.nextPage);
      expect([first.data.length, next.data.length]).toEqual([2, 2]);
      // The database may also read the row after the page, and overdue changes.
      const total = isClocked(route) ? [1, 2, 3, 4] : [1, 2];
      expect(total).toContain(costOf(first).read - 3);
      expect(total).toContain(costOf(next).read - 4);
    },
  );
});

test('counting the entities of a creator or a name reads few rows among many', async () => {
  const data = Array.from({ length: 100 }, (_, index) => ({
    id: `made_${index}`,
    name: 'Made',
    rules: [],
    creatorID: `key_${index}`,
    creatorName: `Key ${index}`,
    tags: [`tag_${index}`],
    targetApps: [`app_${index}`],
    idType: `unit_${index}`,
    team: `team_${index}`,
    teamID: `team_${index}`,
  }));
  await ok('POST', 'import', { kind: 'gate', data });
  expect(await costFor('GET', 'gates?creatorName=Key+7')).toEqual(cost(1, 6, 0));
  const { read } = await costFor('GET', 'gates?creatorName=Key+7&creatorID=key_7');
  expect(read).toBeLessThan(30);
  for (const [path, read] of [
    ['tags/tag_7', 28],
    ['target_apps/app_7', 28],
    ['unit_id_types/unit_7', 12],
    ['teams/team_7', 27],
  ] as const) {
    expect((await ok('GET', path)).uses, path).toBe(1);
    expect(await costFor('GET', path), path).toEqual(cost(1, read, 0));
  }
});

test('a page of the audit log reads no more rows if many entries are hidden from the key', async () => {
  const { key } = await makeKey({ scopes: ['read'] });
  const measured = async () => {
    for (let count = 0; count < 12; count++) await makeGate();
    const queries = ['limit=10', 'limit=10&kind=gate', 'kind=webhook'];
    return Promise.all(queries.map((query) => costFor('GET', `audit_logs?${query}`, { key })));
  };
  await measured(); // loads the key and fills each page
  const before = await measured();
  for (let count = 0; count < 30; count++) await makeWebhook({ isActive: false });
  expect(await measured()).toEqual(before);
});

test('audit entries of two filters are read by page, and counted one by one', async () => {
  await emptyDatabase();
  const [{ id }, { id: other }] = [await makeGate(), await makeLayer()];
  const update = async (path: string, count: number) => {
    for (let nth = 0; nth < count; nth++) await ok('PATCH', path, { description: unique('New') });
  };
  const page = async (path: string) => {
    const answer = await call('GET', path);
    const versions = answer.data.map(({ version }: { version: number }) => version);
    return { ...costOf(answer), ...answer.body.pagination, versions };
  };
  const first = 'audit_logs?kind=gate&action=update&limit=5';
  await update(`gates/${id}`, 10);
  const before = await page(first);
  await update(`gates/${id}`, 30);
  const after = await page(first);
  expect([before.totalItems, after.totalItems]).toEqual([10, 40]);
  expect([before.trips, after.trips, after.read - before.read]).toEqual([2, 2, 30]);
  // Links work on when the most selective filter changes, here from updates to gates.
  await update(`layers/${other}`, 60);
  const second = await page(after.nextPage);
  const third = await page(second.nextPage);
  expect([after, second, third].flatMap(({ versions }) => versions)).toEqual(
    Array.from({ length: 15 }, (_, index) => 41 - index),
  );
  expect((await page(third.previousPage)).versions).toEqual(second.versions);
  expect(third.read).toBeLessThanOrEqual(40 + 3 * 5 + 20);
});

test('the total of a list reads few rows among many teams and owners', async () => {
  await emptyDatabase();
  const makers: [string, (team: string) => Promise<unknown>][] = [
    ['dynamic_configs', (team) => makeDynamicConfig({ team })],
    ['holdouts', (team) => makeHoldout({ team })],
    ['keys', (team) => makeKey({ ownerEmail: `${team}@shop.example` })],
    ['layers', (team) => makeLayer({ team })],
    ['metrics', (team) => makeMetric({ team })],
    ['param_stores', (team) => makeParamStore({ team })],
    ['prompts', (team) => makePrompt({ team })],
  ];
  for (const [path, make] of makers) {
    for (let index = 0; index < 20; index++) await make(`team${index}`);
    const { headers, body } = await call('GET', `${path}?limit=2`);
    expect([path, body.pagination.totalItems]).toEqual([path, 20]);
    expect(costOf({ headers }).read, path).toBeLessThanOrEqual(3 * 2 + 2);
  }
});

describe('with 30 gates and 30 experiments', () => {
  const ids = Array.from({ length: 30 }, (_, index) => `numbered_${index}`);
  beforeAll(async () => {
    await emptyDatabase();
    const { id: layerID } = await makeLayer({ id: 'shared' });
    for (const id of ids) await Promise.all([makeGate({ id }), makeExperiment({ id, layerID })]);
    for (const description of ids) await ok('PATCH', 'gates/numbered_1', { description });
  });

  test.each([
    ['gates?limit=10', 15],
    ['gates?limit=10&page=3', 34],
    ['gates?status=Archived', 2],
    ['gates?tags=none', 2],
    ['gates/numbered_0/gate_references', 5],
    ['gates/numbered_0/versions', 3],
    ['experiments?limit=10', 14],
    ['experiments?limit=10&includeArchived=false', 14],
    ['layers/shared/experiments?limit=10', 15],
    ['audit_logs?limit=10', 15],
    ['audit_logs?kind=gate&id=numbered_1&limit=10', 15],
  ])('GET /%s reads %i rows of 30 gates and 30 experiments', async (path, read) => {
    expect(await costFor('GET', path)).toEqual(cost(1, read, 0));
  });
});

test('reading a gate reads its checks too, and its referrers once it may be stale', async () => {
  const [checked, unchecked] = await Promise.all([1, 2].map(() => makeGate({ type: 'TEMPORARY' })));
  for (const { id } of [checked, unchecked]) await makeGate({ rules: [passing(id)] });
  await env.DB.prepare("insert into checks values ('gate', ?1, 0, 1, 0, 1, 1)")
    .bind(checked.id)
    .run();
  const rows = () =>
    Promise.all(
      [checked, unchecked].map(async ({ id }) => (await costFor('GET', `gates/${id}`)).read),
    );
  expect(await rows()).toEqual([2, 1]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31 * 24 * 60 * 60 * 1000 });
  // Without checks of this gate, it reads whether any gate has checks.
  expect(await rows().finally(vi.useRealTimers)).toEqual([3, 3]);
});

test('reading a gate in a release reads one row more: the due time of its phase', async () => {
  const { id: releasePipelineID } = await makePipeline();
  const gates = await Promise.all(Array.from({ length: 3 }, () => makeGate()));
  for (const { id: gateID } of gates)
    await ok('POST', 'release_pipeline_triggers', { releasePipelineID, gateID });
  const costs = await Promise.all(gates.map(({ id }) => costFor('GET', `gates/${id}`)));
  expect(costs).toEqual(gates.map(() => cost(1, 2, 0)));
});

test('reading an experiment reads one row for overdue starts, even if many others could not start', async () => {
  allowMoreTrips('requests read, or store, the starts that are overdue');
  const [{ id }, { id: layerID }] = [await makeExperiment(), await makeLayer()];
  const full = await makeExperiment({ layerID });
  const waiting = await Promise.all(Array.from({ length: 10 }, () => makeExperiment({ layerID })));
  const startTime = Date.now() + 60_000;
  for (const other of waiting)
    await ok('PUT', `experiments/${other.id}/schedule_start`, { startTime });
  await ok('PUT', `experiments/${full.id}/start`);
  vi.useFakeTimers({ toFake: ['Date'], now: startTime });
  vi.spyOn(console, 'error').mockReturnValue();
  const costs = [
    await costFor('GET', `experiments/${id}`),
    await costFor('PATCH', `experiments/${id}`, { body: { description: 'New.' } }),
  ];
  vi.useRealTimers();
  vi.restoreAllMocks();
  expect(costs).toEqual([cost(1, 2, 0), { trips: 2, read: expect.any(Number), written: 8 }]);
  expect(costs[1]?.read).toBeLessThanOrEqual(10);
});

test('an import of one entity takes two round trips', async () => {
  const name = unique('imported');
  const body = { kind: 'tag', data: [{ id: name, name }] };
  expect((await costFor('POST', 'import', { body })).trips).toBe(2);
});

test('an import or a restart as new reads no more rows after many changes of the entity', async () => {
  const [{ id }, { id: restarted }] = [await makeGate(), await makeExperiment({ name: 'Again' })];
  const measured = async () => [
    await costFor('POST', 'import', {
      body: { kind: 'gate', data: [await ok('GET', `gates/${id}`)] },
    }),
    await costFor('POST', `experiments/${restarted}/restart_as_new?dryRun=true`, {
      body: { name: 'Again' },
    }),
  ];
  const change = (description: string) =>
    Promise.all(
      [`gates/${id}`, `experiments/${restarted}`].map((path) => ok('PATCH', path, { description })),
    );
  await change('Once.');
  const before = await measured();
  for (let count = 0; count < 20; count++) await change(`${count}`);
  expect(await measured()).toEqual(before);
});

test('a restart as new checks ten IDs per round trip, until one is free', async () => {
  const { id } = await makeExperiment({ name: 'Often' });
  const restarted = async () => {
    const answer = await call('POST', `experiments/${id}/restart_as_new`, { body: { name: id } });
    return { ...costOf(answer), id: answer.data.id };
  };
  const first = await restarted();
  expect(first).toMatchObject({ id: `${id}_2`, trips: 2 });
  expect(first.read).toBeLessThanOrEqual(65);
  for (let nth = 3; nth <= 10; nth++) await restarted();
  expect(await restarted()).toMatchObject({ id: `${id}_11`, trips: 3 });
});

test('creating a gate reads at most 14 rows for each global holdout', async () => {
  await emptyDatabase();
  for (let count = 0; count < 12; count++) await makeHoldout({ isGlobal: true });
  await makeGate(); // creates all totals
  const { read } = await costFor('POST', 'gates', { body: { name: unique('Held') } });
  expect(read).toBeLessThanOrEqual(12 + 12 * 14);
});

test('counting the referrers of a gate reads five rows for each, archived or not', async () => {
  await emptyDatabase();
  const { id } = await makeGate();
  const listed = async (count: number) => {
    const data = Array.from({ length: count }, () => ({
      id: unique('refers').replace(' ', '_'),
      name: unique('Refers'),
      rules: [passing(id), { ...passing(id), name: 'Again' }],
    }));
    await ok('POST', 'import', { kind: 'gate', data });
    await ok('PUT', `gates/${data[0]?.id}/archive`);
    const answer = await call('GET', `gates/${id}/gate_references?limit=2`);
    return { ...costOf(answer), ...answer.body.pagination };
  };
  const [few, many] = [await listed(10), await listed(20)];
  expect([few.totalItems, many.totalItems]).toEqual([10, 30]);
  expect(many.read - few.read).toBe(20 * 5);
});

test('a 409 for a gate in use lists 100 of its referrers, and reads only these', async () => {
  await emptyDatabase();
  const { id } = await makeGate();
  const refused = async (count: number) => {
    const data = Array.from({ length: count }, (_, index) => ({
      id: `${id}_${count}_${String(index).padStart(3, '0')}`,
      name: unique('Refers'),
      rules: [passing(id)],
    }));
    await ok('POST', 'import', { kind: 'gate', data });
    return call('DELETE', `gates/${id}`);
  };
  const few = await refused(3);
  expect(few.body.references).toHaveLength(3);
  expect(few.body.message.split(', ')).toHaveLength(3);
  const many = await refused(200);
  expect([many.status, many.body.references.length]).toEqual([409, 100]);
  expect(many.body.message.split(', ')).toHaveLength(10);
  expect(costOf(many).read - costOf(few).read).toBeLessThanOrEqual(100);
  const going = many.body.references.slice(0, 40).map(({ id }: { id: string }) => id);
  const changes = [...going, id].map((id) => ({ method: 'DELETE', path: `${base}/gates/${id}` }));
  const others = await call('POST', 'changes', { body: { changes } });
  expect([others.status, others.body.references.length]).toEqual([409, 100]);
});

test('a change of no searchable text writes no search words', async () => {
  const { id } = await makeGate();
  const body = { rules: [{ name: 'Everyone', passPercentage: 1, conditions: [] }] };
  expect(await costFor('PATCH', `gates/${id}`, { body })).toMatchObject({ trips: 2, written: 7 });
});

describe('each step in the life of an entity', () => {
  type Figures = Parameters<typeof cost>;
  type Step = [what: string, gate: Figures, experiment: Figures, ...request: Request];
  const described = { body: { description: 'New.' } };
  const stepsOf = (id: string): Step[] => {
    const [at, body] = [`/${id}`, { id, name: 'One more' }];
    return [
      ['create', [2, 7, 18], [2, 6, 20], 'POST', '', { body }],
      ['create again', [1, 1, 0], [1, 1, 0], 'POST', '', { body }],
      ['try an update', [2, 1, 0], [2, 2, 0], 'PATCH', `${at}?dryRun=true`, described],
      ['update', [2, 8, 8], [2, 9, 8], 'PATCH', at, described],
      ['update to the same', [1, 1, 0], [1, 2, 0], 'PATCH', at, described],
      ['tag', [2, 8, 10], [2, 9, 10], 'PATCH', at, { body: { tags: ['a'] } }],
      ['tag again', [2, 9, 12], [2, 10, 12], 'PATCH', at, { body: { tags: ['b'] } }],
      ['archive', [2, 9, 16], [2, 17, 13], 'PUT', `${at}/archive`],
      ['unarchive', [2, 8, 22], [2, 8, 13], 'PUT', `${at}/unarchive`],
      ['delete', [2, 11, 12], [2, 20, 14], 'DELETE', at],
      ['restore', [2, 11, 18], [2, 9, 20], 'PUT', `${at}/versions/1/restore`],
    ];
  };

  const kinds = ['gates', 'experiments'];
  const live = async (kind: string, id: string) => {
    const measured: Record<string, object> = {};
    for (const [what, , , method, path, options] of stepsOf(id))
      measured[what] = await costFor(method, `${kind}${path}`, options);
    return measured;
  };

  beforeAll(async () => {
    await emptyDatabase();
    for (const kind of kinds) await live(kind, 'before_it'); // creates all totals
  });

  test.each(kinds)('each step in the life of one of the %s has a fixed cost', async (kind) => {
    const figures = (step: Step) => cost(...(kind === 'gates' ? step[1] : step[2]));
    const expected = stepsOf('one_more').map((step) => [step[0], figures(step)]);
    expect(await live(kind, 'one_more')).toEqual(Object.fromEntries(expected));
  });
});
