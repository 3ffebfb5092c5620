import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { call, invalidPropertiesOf, ok } from '../support/client.ts';
import {
  makeAutotune,
  makeExperiment,
  makeGate,
  makeHoldout,
  makeStartedAutotune,
  makeStartedExperiment,
} from '../support/factories.ts';

const unit = { unitType: 'userID', unit: 'u-1', time: 1000 };
const rows = async (table: string) =>
  (await env.DB.prepare(`select * from ${table}`).all()).results;

test('imported exposures are recorded once, under the id of their group', async () => {
  const experiment = await makeExperiment({ isAnalysisOnly: true });
  const [control, other] = experiment.groups;
  const started = await ok('PUT', `experiments/${experiment.id}/start`);
  const made = [
    { kind: 'experiment', id: experiment.id, group: control.name, ...unit },
    { kind: 'experiment', id: experiment.id, group: other.id, ...unit, unit: 'u-2' },
    { kind: 'autotune', id: (await makeStartedAutotune()).id, group: 'control', ...unit },
    { kind: 'gate', id: (await makeGate()).id, group: 'r1:on', ...unit },
    { kind: 'holdout', id: (await makeHoldout()).id, group: 'true', ...unit },
  ];
  expect(await ok('POST', 'exposures', { exposures: made })).toEqual({ accepted: 5 });
  expect(await ok('POST', 'exposures', { exposures: made })).toEqual({ accepted: 5 });
  const ids = made.map(({ id }) => id);
  expect((await rows('exposures')).filter((row) => ids.includes(String(row.id)))).toHaveLength(5);
  const counts = (await rows('exposure_counts')).filter(({ id }) => id === experiment.id);
  expect(counts).toHaveLength(2);
  for (const { start, group, units } of counts)
    expect([start, [control.id, other.id].includes(group), units]).toEqual([
      started.startTime,
      true,
      1,
    ]);
  expect(await ok('GET', `experiments/${experiment.id}`)).toMatchObject({
    healthCheckStatus: 'WAITING',
  });
});

test('only the short dimensions of the experiment are stored of a user', async () => {
  const asked = ['plan', 'region', 'seats', 'Tier'].map((name) => ({ name }));
  const { id } = await makeStartedExperiment({ preComputedUserDimensions: asked });
  const attributes = {
    plan: 'pro',
    region: 'x'.repeat(257),
    seats: 5,
    tier: 'a',
    email: 'k@shop.example',
  };
  const exposures = [{ kind: 'experiment', id, group: 'Control', ...unit, attributes }];
  await ok('POST', 'exposures', { exposures });
  const [stored] = (await rows('exposures')).filter((row) => row.id === id);
  expect(stored?.attributes).toBe('{"plan":"pro","seats":"5","Tier":"a"}');
});

test('an exposure of a holdout belongs to the period since its percentage last changed', async () => {
  const { id } = await makeHoldout();
  await ok('PATCH', `holdouts/${id}`, { passPercentage: 7 });
  const { snapshot } = await ok('GET', `holdouts/${id}/versions/2`);
  await ok('POST', 'exposures', { exposures: [{ kind: 'holdout', id, group: 'true', ...unit }] });
  const [exposure] = (await rows('exposures')).filter((row) => row.id === id);
  expect(exposure?.start).toBe(snapshot.phaseTime);
});

test('an exposure of a gate belongs to the period since its rule last changed', async () => {
  const rule = { id: 'r1', name: 'Some', passPercentage: 10, conditions: [{ type: 'public' }] };
  const { id, createdTime } = await makeGate({ rules: [rule] });
  await ok('PATCH', `gates/${id}`, { rules: [{ ...rule, passPercentage: 50 }] });
  const made = ['r1:on', 'constructor:off'].map((group) => ({ kind: 'gate', id, group, ...unit }));
  await ok('POST', 'exposures', { exposures: made });
  const stored = (await rows('exposures')).filter((row) => row.id === id);
  const [started, since] = ['r1:on', 'constructor:off'].map((group) =>
    Number(stored.find((row) => row.group === group)?.start),
  );
  expect([Number(started) > createdTime, since]).toEqual([true, createdTime]);
});

test('a group is found by its id even if another group has that name', async () => {
  const groups = [
    { id: 'old', name: 'Old', size: 50 },
    { id: 'new', name: 'old', size: 50 },
  ];
  const { id } = await makeStartedExperiment({ groups });
  const exposures = ['Old', 'old', 'new'].map((group) => {
    return { kind: 'experiment', id, group, ...unit, unit: group };
  });
  await ok('POST', 'exposures', { exposures });
  const made = (await rows('exposures')).filter((row) => row.id === id);
  expect(Object.fromEntries(made.map(({ unit, group }) => [unit, group]))).toEqual({
    Old: 'old',
    old: 'old',
    new: 'new',
  });
});

test('units of a group are counted for any group id', async () => {
  const groups = ['__proto__', 'b'].map((id) => ({ id, name: `Group ${id}`, size: 50 }));
  const { id } = await makeStartedExperiment({ groups });
  const exposures = groups.map((group) => ({
    ...{ kind: 'experiment', id, group: group.id },
    ...unit,
  }));
  const said = async () => {
    const listed = await ok('GET', 'experiments?limit=1000');
    return listed.find((one: { id: string }) => one.id === id).healthChecks[0].description;
  };
  await ok('POST', 'exposures', { exposures: exposures.slice(1) });
  expect(await said()).toBe('1 unit has been exposed.');
  await ok('POST', 'exposures', { exposures });
  expect(await said()).toBe('2 units have been exposed.');
});

test('an exposure of an unknown entity or group is refused by its position', async () => {
  const { id } = await makeStartedExperiment();
  const exposure = { kind: 'experiment', id, group: 'Control', ...unit };
  const refused = (wrong: object) =>
    invalidPropertiesOf('POST', 'exposures', { exposures: [exposure, { ...exposure, ...wrong }] });
  expect(await refused({ id: 'no_such_experiment' })).toEqual(['exposures.1.id']);
  expect(await refused({ group: 'Nobody' })).toEqual(['exposures.1.group']);
  expect(await refused({ kind: 'prompt' })).toEqual(['exposures.1.kind']);
  expect(await refused({ unit: '' })).toEqual(['exposures.1.unit']);
});

test('a unit type follows the rules of its name, up to 200 characters', async () => {
  const [unitType, longer] = [200, 201].map((length) => 'x'.repeat(length));
  const { id } = await makeStartedExperiment({ idType: unitType });
  const exposure = { kind: 'experiment', id, group: 'Control', ...unit, unitType };
  expect(await ok('POST', 'exposures', { exposures: [exposure] })).toEqual({ accepted: 1 });
  for (const none of [longer, ' ', '\u200b']) {
    const exposures = [{ ...exposure, unitType: none }];
    expect(await invalidPropertiesOf('POST', 'exposures', { exposures })).toEqual([
      'exposures.0.unitType',
    ]);
  }
});

const seconds = 1000;
const day = 24 * 3600 * seconds;

/** Whether any exposure of an entity is stored. */
const hasExposures = async (id: string) => (await rows('exposures')).some((row) => row.id === id);

test('an exposure has the ID type of its entity, in any case, and is stored under its lower case', async () => {
  const experiment = await makeStartedExperiment({ idType: 'companyID' });
  const autotune = await makeStartedAutotune({ idType: 'companyID' });
  const gate = await makeGate({ idType: 'companyID' });
  const holdout = await makeHoldout({ idType: 'companyID' });
  const exposures = [
    { kind: 'experiment', id: experiment.id, group: 'Control', ...unit },
    { kind: 'autotune', id: autotune.id, group: 'control', ...unit },
    { kind: 'gate', id: gate.id, group: 'r1:on', ...unit },
    { kind: 'holdout', id: holdout.id, group: 'true', ...unit },
  ];
  const typed = (unitType: string) => exposures.map((exposure) => ({ ...exposure, unitType }));
  for (const [index, wrong] of exposures.entries()) {
    const almost = typed('companyID').with(index, wrong);
    const property = `exposures.${index}.unitType`;
    expect(await invalidPropertiesOf('POST', 'exposures', { exposures: almost })).toEqual([
      property,
    ]);
  }
  for (const { id } of exposures) expect(await hasExposures(id)).toBe(false);
  for (const spelling of ['companyID', 'CompanyID', 'COMPANYID'])
    await ok('POST', 'exposures', { exposures: typed(spelling) });
  const ids = exposures.map(({ id }) => id);
  const stored = (await rows('exposures')).filter((row) => ids.includes(String(row.id)));
  expect(stored.map(({ unitType }) => unitType)).toEqual(Array(4).fill('companyid'));
});

test.each([
  ['experiment', 'Control', makeExperiment],
  ['autotune', 'control', makeAutotune],
])('exposures of an %s before its start are 409, and none is stored', async (kind, group, make) => {
  const { id } = await make();
  const gate = await makeGate();
  const exposures = [
    { kind: 'gate', id: gate.id, group: 'r1:on', ...unit },
    { kind, id, group, ...unit },
  ];
  const refused = await call('POST', 'exposures', { body: { exposures } });
  expect([refused.status, refused.body.message]).toEqual([
    409,
    `The ${kind} ${id} has not started.`,
  ]);
  for (const each of [id, gate.id]) expect(await hasExposures(each)).toBe(false);
});

test('an exposure of an experiment after its reset is 409', async () => {
  const { id } = await makeStartedExperiment();
  await ok('PUT', `experiments/${id}/reset`);
  const exposures = [{ kind: 'experiment', id, group: 'Control', ...unit }];
  expect((await call('POST', 'exposures', { body: { exposures } })).status).toBe(409);
});

test('exposures are stored in the changes that start their experiment', async () => {
  const { id } = await makeExperiment();
  const exposures = [{ kind: 'experiment', id, group: 'Control', ...unit }];
  const changes = [
    { method: 'PUT', path: `/console/v1/experiments/${id}/start` },
    { method: 'POST', path: '/console/v1/exposures', body: { exposures } },
  ];
  await ok('POST', 'changes', { changes });
  const { startTime } = await ok('GET', `experiments/${id}`);
  const stored = (await rows('exposures')).filter((row) => row.id === id);
  expect(stored.map(({ start }) => start)).toEqual([startTime]);
});

test('an exposure is at most a day in the future', async () => {
  const { id } = await makeStartedExperiment();
  const at = (time: number) => ({ kind: 'experiment', id, group: 'Control', ...unit, time });
  const late = [at(1000), at(Date.now() + day + 60 * seconds)];
  expect(await invalidPropertiesOf('POST', 'exposures', { exposures: late })).toEqual([
    'exposures.1.time',
  ]);
  expect(await hasExposures(id)).toBe(false);
  const early = [at(Date.now() + day - 60 * seconds)];
  expect(await ok('POST', 'exposures', { exposures: early })).toEqual({ accepted: 1 });
});
