import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { call, costOf, invalidPropertiesOf, ok } from '../support/client.ts';
import {
  makeExperiment,
  makeExperimentIn,
  makeGate,
  makeLayer,
  unique,
} from '../support/factories.ts';

const metric = { name: 'orders', type: 'event_count_custom' };

const moves: [name: string, to: string, from: string[], body?: object][] = [
  ['start', 'active', ['setup']],
  ['stop_assignment', 'assignment_stopped', ['active']],
  ['stop', 'experiment_stopped', ['active'], { decisionReason: 'R' }],
  [
    'make_decision',
    'decision_made',
    ['active', 'experiment_stopped', 'assignment_stopped'],
    { id: 'test', decisionReason: 'R' },
  ],
  [
    'abandon',
    'abandoned',
    ['active', 'experiment_stopped', 'assignment_stopped'],
    { decisionReason: 'R' },
  ],
  [
    'reset',
    'setup',
    ['active', 'experiment_stopped', 'assignment_stopped', 'decision_made', 'abandoned'],
  ],
  [
    'archive',
    'archived',
    ['setup', 'experiment_stopped', 'assignment_stopped', 'decision_made', 'abandoned', 'archived'],
  ],
  ['unarchive', 'setup', ['archived']],
];
const statuses = [
  'setup',
  'active',
  'assignment_stopped',
  'experiment_stopped',
  'decision_made',
  'abandoned',
  'archived',
];
const jumps = moves.flatMap(([name, to, from, body]) =>
  statuses.map((status): [string, string, string | undefined, object | undefined] => [
    name,
    status,
    from.includes(status) ? to : undefined,
    body,
  ]),
);

describe('the lifecycle of an experiment', () => {
  test.each(jumps)('%s from %s leads to %s', async (name, status, to, body) => {
    const { id } = await makeExperimentIn(status);
    const before = await ok('GET', `experiments/${id}`);
    const answer = await call('PUT', `experiments/${id}/${name}`, { body });
    const after = await ok('GET', `experiments/${id}`);
    expect(answer.status).toBe(to ? 200 : 409);
    if (to) expect(after.status).toBe(to);
    else {
      expect(answer.body.message).toContain(status);
      expect(after).toEqual(before);
    }
  });

  const updates = moves
    .filter(([name]) => name !== 'unarchive')
    .flatMap(([, to, from]) =>
      statuses
        .filter((status) => status !== to)
        .map((status): [string, string, boolean] => [
          to,
          status,
          from.includes(status) || (status === 'archived' && to === 'setup'),
        ]),
    );

  test.each(updates)('an update of status to %s from %s: %s', async (to, status, allowed) => {
    const { id } = await makeExperimentIn(status);
    const before = await ok('GET', `experiments/${id}`);
    const launchedGroupID = to === 'decision_made' ? 'test' : undefined;
    const body = { status: to, launchedGroupID, decisionReason: 'R' };
    const answer = await call('PATCH', `experiments/${id}`, { body });
    const after = await ok('GET', `experiments/${id}`);
    expect(answer.status).toBe(allowed ? 200 : 409);
    expect(after).toEqual(allowed ? expect.objectContaining({ status: to }) : before);
  });

  test('sets and clears times and decisions', async () => {
    const { id } = await makeExperimentIn('active');
    const read = () => ok('GET', `experiments/${id}`);
    expect(await read()).toMatchObject({ startTime: expect.any(Number), endTime: null });
    const decision = { id: 'test', decisionReason: 'Sold more.' };
    await ok('PUT', `experiments/${id}/make_decision`, decision);
    expect(await read()).toMatchObject({
      launchedGroupID: 'test',
      decisionReason: 'Sold more.',
      decisionTime: expect.any(Number),
      endTime: expect.any(Number),
    });
    await ok('PUT', `experiments/${id}/reset`);
    const cleared = { startTime: null, endTime: null, decisionTime: null, launchedGroupID: null };
    expect(await read()).toMatchObject({ ...cleared, decisionReason: null, status: 'setup' });
  });

  test('allows a decision for a group of the experiment, with a reason, and can remove the targeting', async () => {
    const gate = await makeGate();
    const { id } = await makeExperimentIn('setup');
    await ok('PATCH', `experiments/${id}`, { targetingGateID: gate.id });
    await ok('PUT', `experiments/${id}/start`);
    const path = `experiments/${id}/make_decision`;
    expect(await invalidPropertiesOf('PUT', path, { id: 'other', decisionReason: 'R' })).toEqual([
      'id',
    ]);
    await ok('PUT', path, { id: 'test', decisionReason: 'R', removeTargeting: true });
    expect(await ok('GET', `experiments/${id}`)).toMatchObject({ targetingGateID: '' });
    await ok('DELETE', `gates/${gate.id}`);
  });

  test('returns from the archive to the previous status', async () => {
    for (const status of ['setup', 'experiment_stopped', 'decision_made', 'abandoned']) {
      const { id } = await makeExperimentIn(status);
      await ok('PUT', `experiments/${id}/archive`);
      expect(await ok('PUT', `experiments/${id}/unarchive`)).toMatchObject({ status });
    }
  });

  test('requires a group for an update to decision_made', async () => {
    const { id } = await makeExperimentIn('active');
    const path = `experiments/${id}`;
    expect(await invalidPropertiesOf('PATCH', path, { status: 'decision_made' })).toEqual([
      'launchedGroupID',
    ]);
    const body = { status: 'decision_made', launchedGroupID: 'test' };
    await ok('PATCH', path, { ...body, decisionReason: 'R' });
  });

  test('allows a decision without a reason, which is then empty', async () => {
    const decided = { launchedGroupID: 'test', decisionReason: '' };
    const { id } = await makeExperimentIn('experiment_stopped');
    expect(await ok('PUT', `experiments/${id}/make_decision`, { id: 'test' })).toMatchObject(
      decided,
    );
    const { id: other } = await makeExperimentIn('experiment_stopped');
    const body = { status: 'decision_made', launchedGroupID: 'test' };
    expect(await ok('PATCH', `experiments/${other}`, body)).toMatchObject(decided);
    await ok('PATCH', `experiments/${other}`, { decisionReason: 'Said later.' });
    const emptied = await call('PATCH', `experiments/${other}`, { body: { decisionReason: '' } });
    expect(emptied.status).toBe(409);
  });

  test('refuses a second start', async () => {
    const { id } = await makeExperimentIn('active');
    const { status, body } = await call('PUT', `experiments/${id}/start`);
    expect([status, body.message]).toEqual([409, expect.stringContaining('has already started')]);
  });
});

describe('a decision', () => {
  const errorsOf = async (id: string, body: object) => {
    const answer = await call('PATCH', `experiments/${id}`, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(409);
    return answer.body.errors.map(({ property }: { property: string }) => property);
  };

  test('keeps its group and its reason until it is reset, in the archive too', async () => {
    const { id } = await makeExperimentIn('decision_made');
    const refuseEmptying = async () => {
      expect(await errorsOf(id, { launchedGroupID: null })).toEqual(['launchedGroupID']);
      for (const decisionReason of [null, '', ' '])
        expect(await errorsOf(id, { decisionReason })).toEqual(['decisionReason']);
    };
    await refuseEmptying();
    await ok('PATCH', `experiments/${id}`, { decisionReason: 'Sold 3 % more.' });
    await ok('PUT', `experiments/${id}/archive`);
    await refuseEmptying();
    await ok('PUT', `experiments/${id}/unarchive`);
    const reset = { status: 'setup', launchedGroupID: null, decisionReason: null };
    expect(await ok('PATCH', `experiments/${id}`, reset)).toMatchObject(reset);
  });

  test.each(statuses.filter((status) => status !== 'decision_made'))(
    'is missing in %s, where no group can be launched',
    async (status) => {
      const { id } = await makeExperimentIn(status);
      expect(await errorsOf(id, { launchedGroupID: 'test' })).toEqual(['launchedGroupID']);
      await ok('PATCH', `experiments/${id}`, { launchedGroupID: null });
    },
  );

  test.each(['decision_made', 'archived'])('is refused in a reset from %s', async (status) => {
    const { id } = await makeExperimentIn('decision_made');
    if (status === 'archived') await ok('PUT', `experiments/${id}/archive`);
    const before = await ok('GET', `experiments/${id}`);
    for (const method of ['PATCH', 'POST'])
      for (const launchedGroupID of ['test', 'control']) {
        const body = { status: 'setup', launchedGroupID };
        expect((await call(method, `experiments/${id}`, { body })).status).toBe(409);
      }
    expect(await ok('GET', `experiments/${id}`)).toEqual(before);
  });

  test.each([
    ['experiment_stopped', ['decisionReason']],
    ['abandoned', ['decisionReason']],
    ['decision_made', ['launchedGroupID']],
  ])('to be %s needs what the operation needs, said anew', async (status, needed) => {
    const { id } = await makeExperimentIn('active');
    const path = `experiments/${id}`;
    await ok('PATCH', path, { decisionReason: 'From before.' });
    const given = { launchedGroupID: 'test', decisionReason: 'R' };
    const body = Object.fromEntries(
      Object.entries(given).filter(([property]) => needed.includes(property)),
    );
    for (const property of needed)
      for (const empty of [undefined, null, ' '])
        expect(
          await invalidPropertiesOf('PATCH', path, { status, ...body, [property]: empty }),
        ).toEqual([property]);
    expect(await ok('PATCH', path, { status, ...body })).toMatchObject({ status, ...body });
  });

  test('has a reason that is not blank', async () => {
    const { id } = await makeExperimentIn('active');
    for (const name of ['stop', 'abandon'])
      expect(
        await invalidPropertiesOf('PUT', `experiments/${id}/${name}`, {
          id: 'test',
          decisionReason: ' ',
        }),
      ).toEqual(['decisionReason']);
  });
});

describe('a started experiment', () => {
  test.each([
    ['inlineTargetingRulesJSON', { inlineTargetingRulesJSON: '[ ]' }],
    ['userBuckets', { userBuckets: [1] }],
    ['controlGroupID', { controlGroupID: 'test' }],
    ['experimentType', { experimentType: 'GEO' }],
    ['isAnalysisOnly', { isAnalysisOnly: true }],
    [
      'groups',
      {
        groups: [
          { id: 'control', name: 'control', size: 20 },
          { id: 'test', name: 'test', size: 80 },
        ],
      },
    ],
    [
      'groups',
      {
        groups: [
          { id: 'control', name: 'control', size: 50, parameterValues: { a: 1 } },
          { id: 'test', name: 'test', size: 50 },
        ],
      },
    ],
    ['idType', { idType: 'companyID' }],
  ])('locks %s', async (property, body) => {
    const { id } = await makeExperimentIn('active');
    const answer = await call('PATCH', `experiments/${id}`, { body });
    expect([answer.status, answer.body.errors[0].property]).toEqual([409, property]);
    expect(await ok('GET', `experiments/${id}`)).toMatchObject({ version: 2 });
  });

  test('accepts its own groups unchanged, with any parameter names', async () => {
    const parameterValues = { constructor: { a: 1 } };
    const { id } = await makeExperiment({ groups: [{ name: 'All', size: 100, parameterValues }] });
    const started = await ok('PUT', `experiments/${id}/start`);
    const { version } = await ok('PATCH', `experiments/${id}`, { groups: started.groups });
    expect(version).toBe(2);
  });

  test('locks the source of its assignments against any operation', async () => {
    const { name: source } = await ok('POST', 'experiments/assignment_sources', {
      name: unique('Source'),
    });
    const { id } = await makeExperimentIn('setup');
    const path = `experiments/${id}`;
    await ok('PATCH', path, { assignmentSourceName: source });
    const { name } = await ok('PUT', `${path}/start`);
    const fault = async (method: string, body?: object, at = path) => {
      const answer = await call(method, at, { body });
      return [answer.status, answer.body.errors?.[0].property];
    };
    const locked = [409, 'assignmentSourceName'];
    expect(await fault('PATCH', { assignmentSourceName: null })).toEqual(locked);
    await ok('POST', path, { name });
    expect((await ok('GET', path)).assignmentSourceName).toBe(source);
    const { id: other } = await makeExperimentIn('active');
    const open = `experiments/${other}`;
    expect(await fault('PATCH', { assignmentSourceName: source }, open)).toEqual(locked);
  });

  test('stays locked in every status except setup', async () => {
    for (const status of ['assignment_stopped', 'decision_made', 'archived']) {
      const { id } = await makeExperimentIn('active');
      const reason = { decisionReason: 'R' };
      if (status === 'assignment_stopped') await ok('PUT', `experiments/${id}/stop_assignment`);
      else await ok('PUT', `experiments/${id}/make_decision`, { id: 'test', ...reason });
      if (status === 'archived') await ok('PUT', `experiments/${id}/archive`);
      const answer = await call('PATCH', `experiments/${id}`, { body: { userBuckets: [1] } });
      expect([answer.status, answer.body.errors[0].property]).toEqual([409, 'userBuckets']);
      await ok('PATCH', `experiments/${id}`, { userBuckets: [], isAnalysisOnly: null });
    }
    const { id } = await makeExperimentIn('active');
    await ok('PATCH', `experiments/${id}`, { status: 'setup', userBuckets: [1] });
  });

  test('locks its decision rule and its smallest changes until a reset', async () => {
    const metricID = 'orders::event_count_custom';
    const plan = {
      decisionRule: [{ metricID, better: true as const }],
      smallestChanges: [{ metricID, percent: 5 }],
    };
    const { id } = await makeExperiment(plan);
    const path = `experiments/${id}`;
    await ok('PUT', `${path}/start`);
    for (const property of Object.keys(plan)) {
      const answer = await call('PATCH', path, { body: { [property]: [] } });
      expect([answer.status, answer.body.errors[0].property]).toEqual([409, property]);
    }
    await ok('PATCH', path, plan);
    expect(await ok('POST', path, { name: 'Planned' })).toMatchObject(plan);
    expect((await ok('GET', `${path}/versions/2`)).snapshot).toMatchObject(plan);
    await ok('PUT', `${path}/reset`);
    const changed = { decisionRule: [], smallestChanges: [{ metricID, percent: 4 }] };
    expect(await ok('PATCH', path, changed)).toMatchObject(changed);
    const { changes } = (await ok('GET', `${path}/versions?limit=1`))[0];
    expect(changes.map(({ property }: { property: string }) => property)).toEqual(
      expect.arrayContaining(['decisionRule', 'smallestChanges']),
    );
  });

  test('is deleted only with force', async () => {
    const { id } = await makeExperimentIn('active');
    for (const query of ['', '?force=false']) {
      const refused = await call('DELETE', `experiments/${id}${query}`);
      expect([refused.status, refused.body.type]).toEqual([409, '/problems/transition']);
      expect(refused.body.message).toContain('force=true');
    }
    expect((await call('DELETE', `experiments/${id}?force=yes`)).status).toBe(400);
    await ok('DELETE', `experiments/${id}?force=true`);
    expect((await call('GET', `experiments/${id}`)).status).toBe(404);
    for (const status of ['setup', 'experiment_stopped', 'decision_made', 'archived']) {
      const other = await makeExperimentIn(status);
      await ok('DELETE', `experiments/${other.id}`);
    }
  });

  test('locks its targeting gate and its layer', async () => {
    const { id } = await makeExperimentIn('active');
    const gate = await makeGate();
    const layer = await makeLayer();
    for (const body of [{ targetingGateID: gate.id }, { layerID: layer.id }]) {
      const answer = await call('PATCH', `experiments/${id}`, { body });
      expect([answer.status, answer.body.errors[0].property]).toEqual([409, Object.keys(body)[0]]);
    }
  });

  test('accepts its own response as an update, and changes of unlocked properties', async () => {
    const { id } = await makeExperimentIn('active');
    const read = await ok('GET', `experiments/${id}`);
    expect(await ok('PATCH', `experiments/${id}`, read)).toMatchObject({ version: read.version });
    const change = { name: 'Renamed', hypothesis: 'H', tags: ['t'], primaryMetrics: [metric] };
    expect(await ok('PATCH', `experiments/${id}`, { ...read, ...change })).toMatchObject(change);
    const { changes } = await ok('GET', `experiments/${id}/versions/${read.version + 1}`);
    const changed = changes.map(({ property }: { property: string }) => property);
    expect(changed.toSorted()).toEqual(Object.keys(change).toSorted());
  });
});

describe('an experiment with earlier versions', () => {
  test('rejects restoring an archived version while it runs', async () => {
    const { id } = await makeExperimentIn('setup');
    const path = `experiments/${id}`;
    for (const move of ['archive', 'unarchive', 'start']) await ok('PUT', `${path}/${move}`);
    const answer = await call('PUT', `${path}/versions/2/restore`);
    expect([answer.status, answer.body.errors?.[0].property]).toEqual([409, 'startTime']);
  });

  test('rejects restoring locked properties while it runs again', async () => {
    const { id } = await makeExperimentIn('active');
    const path = `experiments/${id}`;
    await ok('PUT', `${path}/reset`);
    await ok('PATCH', path, { idType: 'companyID' });
    await ok('PUT', `${path}/start`);
    const before = await ok('GET', path);
    const answer = await call('PUT', `${path}/versions/2/restore`);
    expect([answer.status, answer.body.errors[0].property]).toEqual([409, 'idType']);
    expect(await ok('GET', path)).toEqual(before);
    await ok('PATCH', path, { description: 'Later.' });
    expect(await ok('PUT', `${path}/versions/5/restore`)).toMatchObject({
      description: before.description,
      status: 'active',
    });
    expect(await ok('PUT', `${path}/versions/1/restore`)).toMatchObject({
      idType: 'userID',
      status: 'setup',
    });
  });

  test('rejects restoring an earlier run while it runs again', async () => {
    const { id } = await makeExperimentIn('active');
    const path = `experiments/${id}`;
    await ok('PUT', `${path}/reset`);
    await vi.waitFor(async () => {
      const { startTime } = (await ok('GET', `${path}/versions/2`)).snapshot;
      expect(Date.now()).toBeGreaterThan(startTime);
    });
    const { startTime } = await ok('PUT', `${path}/start`);
    const answer = await call('PUT', `${path}/versions/2/restore`);
    expect([answer.status, answer.body.errors?.[0].property]).toEqual([409, 'startTime']);
    expect(await ok('GET', path)).toMatchObject({ version: 4, startTime });
    await ok('PUT', `${path}/stop`, { decisionReason: 'R' });
    const again = await ok('PUT', `${path}/versions/4/restore`);
    expect(again).toMatchObject({ status: 'active', startTime });
  });

  test('can return to an earlier run if it was archived after its reset', async () => {
    const { id } = await makeExperimentIn('active');
    const path = `experiments/${id}`;
    for (const move of ['reset', 'archive']) await ok('PUT', `${path}/${move}`);
    expect(await ok('PUT', `${path}/versions/2/restore`)).toMatchObject({ status: 'active' });
  });
});

test('the refusal of a locked change names the way out: reset, or unarchive if archived', async () => {
  for (const [status, way] of [
    ['active', 'reset'],
    ['archived', 'unarchive'],
  ] as const) {
    const { id } = await makeExperimentIn(status);
    const { body } = await call('PATCH', `experiments/${id}`, { body: { idType: 'stableID' } });
    expect(body.message).toContain(`status ${status}; ${way} it first.`);
    expect((await call('PUT', `experiments/${id}/${way}`)).status).toBe(200);
  }
});

describe('restart as new', () => {
  test('copies everything except ids, times, status, decision and overrides, from any status', async () => {
    for (const status of ['active', 'decision_made', 'archived']) {
      const original = await makeExperimentIn(status);
      const body = { userIDOverrides: [{ groupID: 'test', ids: ['u'] }] };
      await ok('POST', `experiments/${original.id}/overrides`, body);
      const before = await ok('GET', `experiments/${original.id}`);
      const name = unique('Restarted');
      const answer = await call('POST', `experiments/${original.id}/restart_as_new`, {
        body: { name },
      });
      expect(answer.headers.get('Location')).toBe(`/console/v1/experiments/${answer.data.id}`);
      expect(answer.data).toMatchObject({ status: 'setup', startTime: null, version: 1 });
      expect(answer.data.groups).toMatchObject([{ name: 'control' }, { name: 'test' }]);
      expect(answer.data.groups[0].id).not.toBe('control');
      const overrides = await ok('GET', `experiments/${answer.data.id}/overrides`);
      expect(overrides).toEqual({ overrides: [], userIDOverrides: [] });
      expect(await ok('GET', `experiments/${original.id}`)).toEqual(before);
    }
  });
});

describe('the id of a restarted experiment', () => {
  const restart = (id: string, name: string) =>
    call('POST', `experiments/${id}/restart_as_new`, { body: { name } });

  test('gets a suffix if its name is taken, without more round trips', async () => {
    const original = await makeExperiment();
    const first = await restart(original.id, original.name);
    expect([first.status, first.data.id]).toEqual([200, `${original.id}_2`]);
    expect(first.headers.get('Location')).toBe(`/console/v1/experiments/${original.id}_2`);
    expect((await restart(original.id, original.name)).data.id).toBe(`${original.id}_3`);
    expect((await restart(original.id, unique('New name'))).data.id).not.toContain(original.id);
    expect(costOf(first).trips).toBe(2);
  });

  test('is free after any number of earlier restarts', async () => {
    const original = await makeExperiment();
    for (let count = 2; count <= 12; count++)
      expect((await restart(original.id, original.name)).data.id).toBe(`${original.id}_${count}`);
  });

  test('also differs from the ids of configs and autotunes', async () => {
    const original = await makeExperiment();
    const name = unique('Shared');
    const { id } = await ok('POST', 'dynamic_configs', { name });
    await ok('POST', 'dynamic_configs', { name: `${name} 2`, id: `${id}_2` });
    const answer = await restart(original.id, name);
    expect([answer.status, answer.data?.id, costOf(answer).trips]).toEqual([200, `${id}_3`, 2]);
  });

  test('is free again after a deletion, and its version numbers continue', async () => {
    const original = await makeExperiment();
    await restart(original.id, original.name);
    await ok('DELETE', `experiments/${original.id}_2`);
    const again = await restart(original.id, original.name);
    expect(again.data).toMatchObject({ id: `${original.id}_2`, version: 3 });
  });

  test('has at most 100 characters, and differs for two concurrent restarts', async () => {
    const name = 'n'.repeat(100);
    const original = await makeExperiment({ name });
    const both = await Promise.all([1, 2].map(() => restart(original.id, name)));
    const made = both.map(({ data }) => data.id).toSorted();
    expect(made).toEqual([2, 3].map((number) => `${'n'.repeat(98)}_${number}`));
  });

  test('is stored with the id of the original', async () => {
    const original = await makeExperiment();
    expect(original.restartedFrom).toBeNull();
    const { data } = await restart(original.id, unique('Again'));
    expect(data.restartedFrom).toBe(original.id);
    const changes = { restartedFrom: 'x', tags: ['a'] };
    const patched = await ok('PATCH', `experiments/${data.id}`, changes);
    expect(patched.restartedFrom).toBe(original.id);
  });
});

test('a reset removes a salt, and changes nothing else', async () => {
  const changedBy = async (more: Record<string, unknown>) => {
    const { id } = await makeExperiment(more);
    await ok('PUT', `experiments/${id}/start`);
    await ok('PUT', `experiments/${id}/reset`);
    const [{ changes }] = await ok('GET', `experiments/${id}/versions`);
    return changes.map(({ property }: { property: string }) => property).sort();
  };
  const always = ['allocatedBuckets', 'startTime', 'status'];
  expect(await changedBy({})).toEqual(always);
  expect(await changedBy({ salt: 'moved' })).toEqual([
    'allocatedBuckets',
    'salt',
    'startTime',
    'status',
  ]);
});

describe('the start of an experiment', () => {
  const start = async (startTime: unknown) => {
    const { id } = await makeExperiment();
    const answer = await call('PUT', `experiments/${id}/start`, { body: { startTime } });
    return { id, answer };
  };

  test.each([
    [1_772_928_000_000, 1_772_928_000_000],
    ['2026-03-08T00:00:00Z', 1_772_928_000_000],
    ['2026-03-08T01:30:00.250+01:30', 1_772_928_000_250],
    [Date.UTC(2000), Date.UTC(2000)],
    ['2000-01-01T00:00:00Z', Date.UTC(2000)],
  ])('can be the earlier time %s', async (given, startTime) => {
    const { id, answer } = await start(given);
    expect(answer.data).toMatchObject({ startTime, status: 'active', scheduledStartTime: null });
    const exposure = { kind: 'experiment', id, group: 'Test', unitType: 'userID', unit: 'u-1' };
    await ok('POST', 'exposures', { exposures: [{ ...exposure, time: 1000 }] });
    const stored = env.DB.prepare('select start, firstTime from exposures where id = ?').bind(id);
    expect(await stored.first()).toEqual({ start: startTime, firstTime: 1000 });
  });

  test.each([
    Date.UTC(2000) - 1,
    '1999-12-31T23:59:59Z',
    '2000-01-01T00:00:00+01:00',
    Date.now() + 3_600_000,
    '2126-01-01T00:00:00Z',
    '2026-03-08T00:00:00',
    '2026-03-08',
    '1772928000000',
    1_772_928_000_000.5,
    null,
    {},
  ])('cannot be %j: 400 names startTime', async (startTime) => {
    const { id, answer } = await start(startTime);
    const properties = answer.body.errors?.map(({ property }: { property: string }) => property);
    expect([answer.status, properties]).toEqual([400, ['startTime']]);
    expect(await ok('GET', `experiments/${id}`)).toMatchObject({ status: 'setup', version: 1 });
  });

  test('is now without a time', async () => {
    for (const options of [{}, { body: {} }]) {
      const { id } = await makeExperiment();
      const before = Date.now();
      const { data } = await call('PUT', `experiments/${id}/start`, options);
      expect(data.startTime).toBeGreaterThanOrEqual(before);
      expect(data.startTime).toBeLessThanOrEqual(Date.now());
    }
  });
});

describe('the stop of an assignment', () => {
  const stopTimeOf = async (id: string) => {
    const { version } = await ok('GET', `experiments/${id}`);
    return (await ok('GET', `experiments/${id}/versions/${version}`)).snapshot.assignmentStopTime;
  };

  const stopBy = {
    stop_assignment: (id: string) => ok('PUT', `experiments/${id}/stop_assignment`),
    'an update of status': (id: string) =>
      ok('PATCH', `experiments/${id}`, { status: 'assignment_stopped' }),
  };

  test.each(Object.entries(stopBy))(
    'by %s keeps its time until a reset, outside of responses',
    async (_, stop) => {
      const { id } = await makeExperimentIn('active');
      expect(await stopTimeOf(id)).toBeUndefined();
      const stopped = await stop(id);
      expect(stopped).not.toHaveProperty('assignmentStopTime');
      expect(await stopTimeOf(id)).toBe(stopped.lastModifiedTime);
      await ok('PATCH', `experiments/${id}`, { hypothesis: 'Another.' });
      await ok('PUT', `experiments/${id}/make_decision`, { id: 'test' });
      expect(await stopTimeOf(id)).toBe(stopped.lastModifiedTime);
      await ok('PUT', `experiments/${id}/reset`);
      expect(await stopTimeOf(id)).toBeNull();
    },
  );

  test('is not copied by a restart as new', async () => {
    const { id } = await makeExperimentIn('assignment_stopped');
    const copy = await ok('POST', `experiments/${id}/restart_as_new`, { name: 'Once again' });
    expect(await stopTimeOf(copy.id)).toBeUndefined();
  });
});
