import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { faults, ok } from '../support/client.ts';
import { makeAutotune, makeExperiment, makeGate, makeHoldout } from '../support/factories.ts';

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
    { kind: 'autotune', id: (await makeAutotune()).id, group: 'control', ...unit },
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
  const { id } = await makeExperiment({ preComputedUserDimensions: asked });
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
  const { id } = await makeExperiment({ groups });
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
  const { id } = await makeExperiment({ groups });
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
  const { id } = await makeExperiment();
  const exposure = { kind: 'experiment', id, group: 'Control', ...unit };
  const refused = (wrong: object) =>
    faults('POST', 'exposures', { exposures: [exposure, { ...exposure, ...wrong }] });
  expect(await refused({ id: 'no_such_experiment' })).toEqual(['exposures.1.id']);
  expect(await refused({ group: 'Nobody' })).toEqual(['exposures.1.group']);
  expect(await refused({ kind: 'prompt' })).toEqual(['exposures.1.kind']);
  expect(await refused({ unit: '' })).toEqual(['exposures.1.unit']);
});

test('a unit type follows the rules of its name, up to 200 characters', async () => {
  const [unitType, longer] = [200, 201].map((length) => 'x'.repeat(length));
  const { id } = await makeExperiment({ idType: unitType });
  const exposure = { kind: 'experiment', id, group: 'Control', ...unit, unitType };
  expect(await ok('POST', 'exposures', { exposures: [exposure] })).toEqual({ accepted: 1 });
  for (const none of [longer, ' ', '\u200b']) {
    const exposures = [{ ...exposure, unitType: none }];
    expect(await faults('POST', 'exposures', { exposures })).toEqual(['exposures.0.unitType']);
  }
});
