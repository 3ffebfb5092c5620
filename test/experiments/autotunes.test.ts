import { describe, expect, test, vi } from 'vitest';
import { call, ok } from '../support/client.ts';
import {
  autotuneSettings,
  makeAutotune,
  makeExperiment,
  makeStartedAutotune,
  unique,
} from '../support/factories.ts';

const decision = { id: 'test', decisionReason: 'Sold more.' };

const everySetting = {
  ...autotuneSettings,
  description: 'All of it.',
  idType: 'companyID',
  successEventValue: 'gold',
  explorationWindow: '336hrs',
  attributionWindow: '4',
  winnerThreshold: '99%',
  attributionWindowUnit: 'day',
  explorationWindowRate: 0.001,
  longtermExplorationAllocation: 1,
  metadataField: 'price',
  higherIsBetter: false,
  isContextual: true,
  metricSourceID: 'orders',
  goalRichText: '<p>More.</p>',
  optimizationParameter: 'value',
  valueColumn: 'amount',
  featureList: ['country', 'device'],
  tags: ['home'],
  targetApps: ['web'],
};

/** Properties that a full update resets. */
const defaults = {
  description: '',
  successEventValue: '',
  metadataField: null,
  higherIsBetter: true,
  isContextual: false,
  metricSourceID: '',
  linkedExperimentName: '',
  goalRichText: '',
  valueColumn: '',
  featureList: [],
};

const inSetup = {
  isStarted: false,
  status: 'setup',
  startTime: null,
  decidedVariant: null,
  decisionReason: null,
  decisionTime: null,
};

const makeDecided = async () => {
  const { id } = await makeStartedAutotune();
  return ok('PUT', `autotunes/${id}/make_decision`, decision);
};

const propertyAtFault = async (method: string, path: string, body: unknown) => {
  const answer = await call(method, path, { body });
  return [answer.status, answer.body.errors?.[0]?.property];
};

describe('creation', () => {
  test('stores every property of a body and reads it back', async () => {
    const experiment = await makeExperiment();
    const body = { ...everySetting, name: 'All', linkedExperimentName: experiment.id };
    const { id } = await ok('POST', 'autotunes', { ...body, id: 'every_setting' });
    expect(await ok('GET', `autotunes/${id}`)).toMatchObject({ ...body, ...inSetup, id });
  });

  test('fills in absent properties, and results in setup for any status in the body', async () => {
    const variants = [{ name: 'a' }, { name: 'b', json: { deep: [1, { x: null }] }, size: 1 }];
    const given = { variants, isStarted: true, status: 'active' };
    const made = await makeAutotune(given);
    const empty = { idType: 'userID', tags: [], targetApps: [] };
    expect(made).toMatchObject({ ...defaults, ...empty, ...inSetup });
    expect(made.variants).toEqual([{ name: 'a', json: {}, size: 99 }, variants[1]]);
    expect(made).not.toHaveProperty('explorationWindowRate');
  });

  test.each(['name', ...Object.keys(autotuneSettings)])('requires %s', async (property) => {
    const body = { name: unique('Autotune'), ...autotuneSettings, [property]: undefined };
    expect(await propertyAtFault('POST', 'autotunes', body)).toEqual([400, property]);
  });
});

describe('full update', () => {
  test('stores every property of a body and reads it back', async () => {
    const { id, name } = await makeAutotune();
    const experiment = await makeExperiment();
    const body = { ...everySetting, linkedExperimentName: experiment.id };
    expect(await ok('POST', `autotunes/${id}`, body)).toMatchObject({ ...body, name });
    expect(await ok('GET', `autotunes/${id}`)).toMatchObject({ ...body, name, version: 2 });
  });

  test('resets absent settings, and keeps other properties', async () => {
    const { id, name } = await makeAutotune({ ...everySetting });
    const updated = await ok('POST', `autotunes/${id}`, autotuneSettings);
    const { idType, tags, targetApps } = everySetting;
    const kept = { name, idType, tags, targetApps };
    expect(updated).toMatchObject({ ...defaults, ...autotuneSettings, ...kept });
    for (const property of [
      'attributionWindowUnit',
      'explorationWindowRate',
      'longtermExplorationAllocation',
      'optimizationParameter',
    ])
      expect(updated).not.toHaveProperty(property);
  });

  test('ignores properties that only the server sets', async () => {
    const { id } = await makeAutotune();
    const own = { id: 'other', isStarted: true, lastModifierID: 'me', lastModifierName: 'Me' };
    const body = { ...autotuneSettings, ...own, description: 'New.' };
    const updated = await ok('POST', `autotunes/${id}`, body);
    expect(updated).toMatchObject({ id, isStarted: false, lastModifierID: 'root' });
  });

  test.each(Object.keys(autotuneSettings))('requires %s', async (property) => {
    const { id } = await makeAutotune();
    const body = { ...autotuneSettings, [property]: undefined };
    expect(await propertyAtFault('POST', `autotunes/${id}`, body)).toEqual([400, property]);
  });

  test.each([
    [
      'explorationWindow',
      '1hr 24hr 48hr 168hr 336hr 1 24 48 168 336 1hrs 24hrs 48hrs 168hrs 336hrs',
    ],
    ['attributionWindow', '1hr 2hr 4hr 24hr 1hrs 2hrs 4hrs 24hrs 1 2 4 24'],
    ['winnerThreshold', '80% 90% 95% 98% 99%'],
    ['attributionWindowUnit', 'min hour day'],
    ['optimizationParameter', 'occurrence value'],
  ])('answers each value of %s as it was given, and refuses others', async (property, values) => {
    const path = `autotunes/${(await makeAutotune()).id}`;
    for (const value of values.split(' ')) {
      const updated = await ok('POST', path, { ...autotuneSettings, [property]: value });
      expect(updated[property]).toBe(value);
    }
    for (const value of ['3hr', '', 24, null]) {
      const body = { ...autotuneSettings, [property]: value };
      expect(await propertyAtFault('POST', path, body)).toEqual([400, property]);
    }
  });

  test.each(['explorationWindowRate', 'longtermExplorationAllocation'])(
    'accepts %s from 0.001 to 1',
    async (property) => {
      const path = `autotunes/${(await makeAutotune()).id}`;
      for (const value of [0.001, 0.5, 1])
        expect((await ok('PATCH', path, { [property]: value }))[property]).toBe(value);
      for (const value of [0.0009, 1.001, -1, '0.5'])
        expect(await propertyAtFault('PATCH', path, { [property]: value })).toEqual([
          400,
          property,
        ]);
    },
  );

  test.each([
    ['fewer than two', [{ name: 'a' }], 'variants'],
    ['two of one name', [{ name: 'a' }, { name: ' a ' }], 'variants.1.name'],
    ['one without a name', [{ name: 'a' }, { size: 1 }], 'variants.1.name'],
    ['one whose json is no object', [{ name: 'a' }, { name: 'b', json: [1] }], 'variants.1.json'],
    [
      'a variant with the name that evaluation returns before the start',
      [{ name: 'a' }, { name: 'prestart' }],
      'variants.1.name',
    ],
    ['one of a negative size', [{ name: 'a', size: -1 }, { name: 'b' }], 'variants.0.size'],
  ])('refuses variants: %s', async (_, variants, property) => {
    const path = `autotunes/${(await makeAutotune()).id}`;
    const body = { ...autotuneSettings, variants };
    expect(await propertyAtFault('POST', path, body)).toEqual([400, property]);
  });
});

describe('the sizes of variants', () => {
  const named = (sizes: (number | undefined)[]) =>
    sizes.map((size, index) => ({ name: `${index}`, size }));

  test.each([
    [
      [undefined, undefined],
      [50, 50],
    ],
    [
      [undefined, undefined, undefined],
      [33.3333, 33.3333, 33.3333],
    ],
    [
      [40, undefined, undefined],
      [40, 30, 30],
    ],
    [
      [100, undefined],
      [100, 0],
    ],
    [
      [50, 50.01, undefined],
      [50, 50.01, 0],
    ],
    [
      [33.33, 33.33, 33.33],
      [33.33, 33.33, 33.33],
    ],
    [
      [49.99, 50.02],
      [49.99, 50.02],
    ],
    [
      [1e-10, 99.9999999999],
      [0, 100],
    ],
  ])('%j are completed to 100 as %j, and can be sent back', async (given, sizes) => {
    const { id, variants } = await makeAutotune({ variants: named(given) });
    expect(variants.map(({ size }: { size: number }) => size)).toEqual(sizes);
    expect((await ok('PATCH', `autotunes/${id}`, { variants })).version).toBe(1);
  });

  test.each([[[50, 50.02]], [[50, 49.98]], [[0, 0]], [[101, undefined]], [[1, 1, 1]]])(
    '%j do not sum to 100',
    async (sizes) => {
      const path = `autotunes/${(await makeAutotune()).id}`;
      const body = { ...autotuneSettings, variants: named(sizes) };
      for (const method of ['POST', 'PATCH'])
        expect(await propertyAtFault(method, path, body)).toEqual([400, 'variants']);
    },
  );
});

describe('partial update', () => {
  test('keeps absent properties, and clears only metadataField with null', async () => {
    const { id } = await makeAutotune(everySetting);
    const patched = await ok('PATCH', `autotunes/${id}`, { metadataField: null, tags: [] });
    expect(patched).toMatchObject({ ...everySetting, metadataField: null, tags: [] });
    const wrong = propertyAtFault('PATCH', `autotunes/${id}`, { successEvent: null });
    expect(await wrong).toEqual([400, 'successEvent']);
  });

  test('accepts a response unchanged without a new version', async () => {
    const autotune = await makeStartedAutotune(everySetting);
    const path = `autotunes/${autotune.id}`;
    expect((await ok('PATCH', path, autotune)).version).toBe(autotune.version);
    expect((await ok('POST', path, autotune)).version).toBe(autotune.version);
  });
});

describe('the lifecycle', () => {
  test('leads from setup through active to a decision, and back by a reset', async () => {
    const { id, variants } = await makeAutotune();
    const before = Date.now();
    const started = await ok('PUT', `autotunes/${id}/start`);
    expect(started).toMatchObject({
      isStarted: true,
      status: 'active',
      decidedVariant: null,
      variants,
    });
    expect(started.startTime).toBeGreaterThanOrEqual(before);
    const decided = await ok('PUT', `autotunes/${id}/make_decision`, decision);
    expect(decided).toMatchObject({
      isStarted: false,
      status: 'decision_made',
      startTime: started.startTime,
      decidedVariant: 'test',
      decisionReason: 'Sold more.',
    });
    expect(decided.decisionTime).toBeGreaterThanOrEqual(started.startTime);
    expect(await ok('PUT', `autotunes/${id}/reset`)).toMatchObject(inSetup);
  });

  test('starts at an earlier time if it began elsewhere, and never in the future', async () => {
    const { id } = await makeAutotune();
    const path = `autotunes/${id}/start`;
    const future = await call('PUT', path, { body: { startTime: Date.now() + 60_000 } });
    expect([future.status, future.body.errors?.[0].property]).toEqual([400, 'startTime']);
    const old = await call('PUT', path, { body: { startTime: '1999-12-31T00:00:00Z' } });
    expect([old.status, old.body.errors?.[0].property]).toEqual([400, 'startTime']);
    const startTime = Date.UTC(2026, 0, 5);
    expect(await ok('PUT', path, { startTime })).toMatchObject({ status: 'active', startTime });
  });

  test('lets an active autotune be reset', async () => {
    const { id } = await makeStartedAutotune();
    expect(await ok('PUT', `autotunes/${id}/reset`)).toMatchObject(inSetup);
  });

  test.each([
    ['setup', makeAutotune, ['make_decision', 'reset']],
    ['active', makeStartedAutotune, ['start']],
    ['decision_made', makeDecided, ['start', 'make_decision']],
  ])('refuses every other move from %s, and names the status', async (status, make, moves) => {
    const { id, version } = await make();
    for (const move of moves) {
      const body = move === 'make_decision' ? decision : undefined;
      const answer = await call('PUT', `autotunes/${id}/${move}`, { body });
      expect([move, answer.status]).toEqual([move, 409]);
      expect(answer.body.message).toContain(`in status ${status}`);
    }
    expect(await ok('GET', `autotunes/${id}`)).toMatchObject({ status, version });
  });

  test('requires a variant of the autotune and a reason for a decision', async () => {
    const path = `autotunes/${(await makeStartedAutotune()).id}/make_decision`;
    const unknown = { ...decision, id: 'other' };
    expect(await propertyAtFault('PUT', path, unknown)).toEqual([400, 'id']);
    expect(await propertyAtFault('PUT', path, { id: 'test' })).toEqual([400, 'decisionReason']);
    expect(await propertyAtFault('PUT', path, { decisionReason: '-' })).toEqual([400, 'id']);
    await ok('PUT', path, { ...decision, removeTargeting: true });
  });

  test.each([
    ['active', makeStartedAutotune],
    ['decision_made', makeDecided],
  ])('locks the variants and the id type while %s, and nothing else', async (_, make) => {
    const path = `autotunes/${(await make()).id}`;
    const variants = [...autotuneSettings.variants, { name: 'third' }];
    const locked = { variants, idType: 'companyID' };
    for (const method of ['POST', 'PATCH']) {
      for (const [property, value] of Object.entries(locked)) {
        const answer = await call(method, path, {
          body: { ...autotuneSettings, [property]: value },
        });
        expect(answer.status).toBe(409);
        expect(answer.body.errors[0].property).toBe(property);
      }
      const body = { ...autotuneSettings, description: method, winnerThreshold: '90%' };
      expect(await ok(method, path, body)).toMatchObject(body);
    }
    await ok('PUT', `${path}/reset`);
    const unlocked = await ok('PATCH', path, locked);
    expect([unlocked.variants.length, unlocked.idType]).toEqual([3, locked.idType]);
  });
});

describe('the linked experiment', () => {
  test('must exist', async () => {
    const body = { name: 'Linked', ...autotuneSettings, linkedExperimentName: 'nothing' };
    const fault = await propertyAtFault('POST', 'autotunes', body);
    expect(fault).toEqual([400, 'linkedExperimentName']);
  });

  test('cannot be deleted before the link is removed', async () => {
    const experiment = await makeExperiment();
    const { id } = await makeAutotune({ linkedExperimentName: experiment.id });
    const answer = await call('DELETE', `experiments/${experiment.id}`);
    expect(answer.status).toBe(409);
    expect(answer.body.references).toMatchObject([{ kind: 'autotune', id }]);
    await ok('PATCH', `autotunes/${id}`, { linkedExperimentName: '' });
    await ok('DELETE', `experiments/${experiment.id}`);
  });
});

test('the list of autotunes is filtered by tag, newest first', async () => {
  const made = [await makeAutotune({ tags: ['listed'] }), await makeAutotune({ tags: ['listed'] })];
  await makeAutotune();
  const listed = await ok('GET', 'autotunes?tags=listed');
  expect(listed.map(({ id }: { id: string }) => id).sort()).toEqual(
    made.map(({ id }) => id).sort(),
  );
});

test('a running autotune rejects restoring other variants', async () => {
  const { id } = await makeAutotune();
  await ok('PUT', `autotunes/${id}/start`);
  await ok('PUT', `autotunes/${id}/reset`);
  const variants = ['new', 'newer'].map((name) => ({ name, json: {}, size: 50 }));
  await ok('PATCH', `autotunes/${id}`, { variants });
  await ok('PUT', `autotunes/${id}/start`);
  const refused = await call('PUT', `autotunes/${id}/versions/2/restore`);
  expect([refused.status, refused.body.errors[0].property]).toEqual([409, 'variants']);
  expect(await ok('GET', `autotunes/${id}`)).toMatchObject({ variants });
  expect(await ok('PUT', `autotunes/${id}/versions/1/restore`)).toMatchObject({ status: 'setup' });
});

test('a running autotune rejects restoring an earlier run', async () => {
  const { id, startTime } = await makeStartedAutotune();
  await ok('PUT', `autotunes/${id}/reset`);
  await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(startTime));
  const started = await ok('PUT', `autotunes/${id}/start`);
  const refused = await call('PUT', `autotunes/${id}/versions/2/restore`);
  expect([refused.status, refused.body.errors?.[0].property]).toEqual([409, 'startTime']);
  expect(await ok('GET', `autotunes/${id}`)).toMatchObject({ startTime: started.startTime });
});

test('an earlier version and a deleted autotune are restored', async () => {
  const { id } = await makeAutotune(everySetting);
  await ok('POST', `autotunes/${id}`, autotuneSettings);
  await ok('DELETE', `autotunes/${id}`);
  expect((await call('GET', `autotunes/${id}`)).status).toBe(404);
  expect(await ok('PUT', `autotunes/${id}/versions/1/restore`)).toMatchObject(everySetting);
});
