import { beforeEach, describe, expect, test } from 'vitest';
import { defaultEnvironments } from '../../src/organization/environments/schema.ts';
import { invalidPropertiesOf, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import {
  everyone,
  makeAutotune,
  makeConnection,
  makeExperiment,
  makeGate,
  makeHoldout,
  makeLayer,
  makeSegment,
  makeTrigger,
} from '../support/factories.ts';
import { exportProject, importProject } from '../support/transfer.ts';

/** The export of a project, created once for many tests; each begins with an empty database. */
function exportOf(make: () => Promise<unknown>): () => Promise<string> {
  let text: string | undefined;
  return async () => {
    if (text !== undefined) return text;
    await make();
    text = await exportProject();
    await emptyDatabase();
    return text;
  };
}

/** Imports an export with changed entities of one kind, and expects only their refusal. */
async function expectRefused(text: string, kind: string, strange: object, message: string) {
  const lines = text.split('\n').filter((line) => line !== '');
  const changed = lines.map((line) => {
    const { entity, ...rest } = JSON.parse(line);
    return JSON.stringify({
      ...rest,
      entity: rest.kind === kind ? { ...entity, ...strange } : entity,
    });
  });
  const { stored, refused } = await importProject(changed.join('\n'));
  expect([strange, stored]).toEqual([strange, 0]);
  const asSaid = expect.objectContaining({ kind, message: expect.stringContaining(message) });
  expect(refused).toEqual([asSaid]);
}

const withRelease = exportOf(async () => {
  await makeTrigger(); // of a gate
  await makeHoldout();
});

describe('an import of invalid entities', () => {
  beforeEach(emptyDatabase);

  test('refuses an id that does not follow from the rest', async () => {
    const { id } = await ok('POST', 'tags', { name: 'followed' });
    const line =
      (await exportProject()).split('\n').find((text) => text.includes(`"id":"${id}"`)) ?? '';
    await emptyDatabase();
    const report = await importProject(line.replace('"name":"followed"', '"name":"other"'));
    expect(report.refused).toMatchObject([{ message: expect.stringContaining('must be other') }]);
    expect((await importProject(line)).refused).toEqual([]);
  });

  test('refuses a name with blanks around it, which no filter would find', async () => {
    await makeGate({ tags: ['spring'] });
    const line = (await exportProject())
      .split('\n')
      .find((text) => text.includes('"tags":["spring"]'));
    await emptyDatabase();
    const { refused } = await importProject(line?.replace('"spring"', '" spring"') ?? '');
    expect(refused).toMatchObject([
      { message: expect.stringContaining('tags must not have blanks') },
    ]);
    const units = await importProject(
      line?.replace('"idType":"userID"', '"idType":" userID"') ?? '',
    );
    expect(units.refused).toMatchObject([
      { message: expect.stringContaining('idType must not have blanks') },
    ]);
  });

  test('reports only the first fault of a large wrong entity', async () => {
    const { id } = await makeGate();
    const lines = (await exportProject('?history=true'))
      .split('\n')
      .filter((text) => text.includes(id));
    const rule = { id: 'r', baseID: 'r', name: 'R', passPercentage: -1, environments: null };
    const rules = Array(499).fill({ ...rule, conditions: Array(480).fill({}) });
    const [past, now] = lines.map((text) => JSON.parse(text));
    await emptyDatabase();
    const wrong = JSON.stringify({ ...now, entity: { ...now.entity, rules } });
    const { refused } = await importProject(wrong);
    expect(refused).toMatchObject([
      { id, message: expect.stringContaining('rules.0.passPercentage must be at least 0') },
    ]);
    const { revision } = past;
    const snapshot = { ...revision.snapshot, rules };
    const [first] = await invalidPropertiesOf('POST', 'import', {
      lines: [{ revision: { ...revision, snapshot } }],
    });
    expect(first).toBe('lines.0.revision.snapshot.rules.0.passPercentage');
  });

  test.each([
    ['holdout', { phaseTime: -1.5 }, 'phaseTime must be a whole number.'],
    ['release_pipeline_trigger', { dueTime: 0.5 }, 'dueTime must be a whole number.'],
    ['release_pipeline_trigger', { remainingMs: 0.5 }, 'remainingMs must be a whole number.'],
    ['release_pipeline_trigger', { currentPhaseEndTime: 0.5 }, 'currentPhaseEndTime must be'],
    ['gate', { ruleTimes: { r: 0.5 } }, 'ruleTimes.r must be a whole number.'],
  ])('refuses a time of a %s that no column could hold: %j', async (kind, strange, message) => {
    await expectRefused(await withRelease(), kind, strange, message);
  });

  const named = (...names: string[]) => ({
    environments: names.map((name, index) => ({
      ...defaultEnvironments[0],
      id: `e${index}`,
      name,
    })),
  });

  test.each([
    ['environments', named('live', 'live'), 'environments.1.name must differ'],
    ['environments', named(''), 'environments.0.name'],
    ['environments', named(' live'), 'environments must not have blanks'],
    ['environments', { id: 'others' }, 'id must be "environments"'],
    ['wh_connection', { id: 'second' }, 'id must be "connection"'],
  ])('refuses %s that no body could set: %j', async (kind, strange, message) => {
    await ok('POST', 'environments', { environments: defaultEnvironments });
    await ok('PATCH', 'wh_connections', { athena: { region: 'eu-west-1' } });
    const text = await exportProject();
    await emptyDatabase();
    await expectRefused(text, kind, strange, message);
    await importProject(text);
  });

  test('refuses a secret of a warehouse, which would be stored unsealed', async () => {
    await makeConnection({ redshift: { host: 'db.example', password: 'stored before' } });
    const [line = ''] = (await exportProject()).split('\n');
    expect(await importProject(line)).toMatchObject({ stored: 0, unchanged: 1 }); // the stored secret stays
    expect((await ok('GET', 'wh_connections')).redshift.password).toBe('<PASSWORD>');
    await emptyDatabase();
    const bad = line.replace('"host"', '"password":"very-secret","host"');
    const { refused } = await importProject(bad);
    expect(refused[0].message).toContain('redshift');
    expect(await importProject(line)).toMatchObject({ stored: 1 });
  });
});

describe('an import of releases', () => {
  beforeEach(emptyDatabase);

  const stored = { id: 'canary', timeIntervalMs: 1, requiredReview: false, rules: [] };

  test.each([
    [{ dynamicConfigID: 'colours' }, 'gateID must be empty, or else dynamicConfigID'],
    [{ currentPhaseID: 'none' }, 'currentPhaseID must be the id of one of the phases'],
    [{ currentPhaseID: 'a', phases: [] }, 'currentPhaseID must be the id of one of the phases'],
    [{ currentPhase: 'Another' }, 'currentPhase must be the name of the current phase'],
    [{ appliedPhaseID: 'none' }, 'appliedPhaseID must be the id of the phase whose rules apply'],
    [{ status: 'WAITING_FOR_REVIEW', dueTime: null }, 'status must not be WAITING_FOR_REVIEW'],
    [{ status: 'PAUSED', dueTime: null }, 'remainingMs must be the remaining time while PAUSED'],
    [
      { status: 'PAUSED', dueTime: null, remainingMs: 1, appliedPhaseID: null },
      'appliedPhaseID must be the id of the phase whose rules apply',
    ],
    [{ dueTime: null }, 'dueTime must be currentPhaseEndTime'],
    [{ status: 'PAUSED', remainingMs: 1 }, 'dueTime must be currentPhaseEndTime'],
    [{ remainingMs: 1 }, 'remainingMs must be the remaining time while PAUSED'],
    [
      { status: 'PAUSED', dueTime: null, remainingMs: -1 },
      'remainingMs must be the remaining time',
    ],
    [
      { phases: ['One', 'Two'].map((name) => ({ ...stored, name })) },
      'phases must have distinct ids',
    ],
  ])('refuses a release in a state that no move leads to: %j', async (strange, message) => {
    await expectRefused(await withRelease(), 'release_pipeline_trigger', strange, message);
  });

  test('refuses a second release of an entity, here or in the same import', async () => {
    const { id, gateID } = await makeTrigger();
    const lines = (await exportProject()).split('\n').filter((line) => line !== '');
    const release = lines.find((line) => line.includes(`"entity":{"id":"${id}"`)) ?? '';
    const second = release.replaceAll(id, crypto.randomUUID());
    const isUnderWay = 'is releasing the entity; let it finish, or abort it first.';
    const expectSecond = (report: object) =>
      expect(report).toMatchObject({
        stored: 0,
        refused: [{ message: expect.stringContaining(isUnderWay) }],
      });
    expectSecond(await importProject(second));
    await emptyDatabase();
    expectSecond(await importProject([...lines, second].join('\n')));
    await importProject(lines.join('\n'));
    expect(await ok('GET', `release_pipeline_triggers?gateID=${gateID}`)).toHaveLength(1);
  });
});

describe('an import of impossible states', () => {
  beforeEach(emptyDatabase);

  const bothSides = {
    passingUserIDs: ['u-1'],
    failingUserIDs: [],
    environmentOverrides: [
      { environment: 'production', unitID: 'userID', passingIDs: [], failingIDs: ['u-1'] },
    ],
  };
  const ownRule = { ...everyone, id: 'default', baseID: 'default', environments: null };
  const groupID = 'a';
  const twoGroups = {
    overrides: [],
    userIDOverrides: [
      { groupID, environment: null, ids: ['u-1'] },
      { groupID: 'b', environment: null, ids: ['u-1'] },
    ],
  };

  const inNoEnvironment = {
    ...bothSides,
    passingUserIDs: [],
    environmentOverrides: [
      { environment: '', unitID: 'userID', passingIDs: ['u'], failingIDs: [] },
    ],
  };
  const ofA = (ids: string[], environment: string | null) => ({
    overrides: [],
    userIDOverrides: [{ groupID, environment, ids }],
  });
  const halfWeight = [{ criteriaName: 'HYPOTHESIS_LENGTH', weight: 50 }];

  const ofLayer = (...targets: [experimentName: string, groupName: string][]) => ({
    conditionalOverrides: [],
    idOverrides: targets.map(([experimentName, groupName]) => ({
      experimentName,
      groupName,
      idType: 'userID',
      environment: '',
      ids: ['u-1'],
    })),
  });

  const withEach = exportOf(async () => {
    await makeGate();
    await makeHoldout();
    await makeExperiment({
      groups: [
        { id: groupID, name: 'A', size: 50 },
        { id: 'b', name: 'B', size: 50 },
      ],
    });
    await ok('POST', 'dynamic_configs', { name: 'Colours' });
    await makeLayer();
    await makeSegment();
    await makeAutotune();
  });

  test.each([
    ['gate', { status: 'Archived' }, 'archivedFrom must be the status before archiving'],
    ['gate', { archivedFrom: 'Disabled' }, 'archivedFrom must be the status before archiving'],
    [
      'gate',
      { status: 'Archived', archivedFrom: 'Archived' },
      'archivedFrom must be the status before archiving',
    ],
    ['gate', { overrides: bothSides }, 'environmentOverrides.0.failingIDs must not contain u-1'],
    ['gate', { rules: [ownRule] }, 'rules.0.id must not be an id reserved for evaluation'],
    [
      'dynamic_config',
      { rules: [ownRule] },
      'rules.0.id must not be an id reserved for evaluation',
    ],
    ['dynamic_config', { status: 'Archived' }, 'archivedFrom must be the status before archiving'],
    ['holdout', { overrides: bothSides }, 'environmentOverrides.0.failingIDs must not contain u-1'],
    ['holdout', { gateIDs: ['g', 'g'] }, 'gateIDs must be in the form'],
    ['experiment', { status: 'archived' }, 'archivedFrom must be the status'],
    ['experiment', { archivedFrom: 'setup' }, 'archivedFrom must be the status'],
    [
      'experiment',
      { status: 'archived', archivedFrom: 'active' },
      'archivedFrom must be the status',
    ],
    ['experiment', { allocatedBuckets: [1, 2] }, 'allocatedBuckets must match the experiment'],
    [
      'experiment',
      { status: 'active', startTime: 1, allocatedBuckets: [1, 2] },
      'allocatedBuckets must match the experiment',
    ],
    ['experiment', { status: 'active', scheduledStartTime: 1 }, 'scheduledStartTime must be null'],
    ['experiment', { status: 'decision_made' }, 'launchedGroupID must be the group'],
    ['experiment', { status: 'decision_made', launchedGroupID: 'c' }, 'launchedGroupID must be'],
    [
      'experiment',
      { overrides: twoGroups },
      'userIDOverrides.1 must not put u-1 into a second group',
    ],
    ['layer', { overrides: ofLayer(['e', 'A'], ['e', 'A']) }, 'overrides must contain each entry'],
    [
      'layer',
      { overrides: ofLayer(['e', 'A'], ['e', 'B']) },
      'idOverrides.1 must not put u-1 into B',
    ],
    [
      'layer',
      { overrides: ofLayer(['e', 'A'], ['f', 'A']) },
      'idOverrides.1 must not put u-1 into f',
    ],
    [
      'gate',
      { overrides: { ...bothSides, environmentOverrides: [], passingUserIDs: ['u', 'u'] } },
      'overrides must contain each entry',
    ],
    ['holdout', { overrides: inNoEnvironment }, 'overrides must contain each entry'],
    ['experiment', { overrides: ofA(['u-1', 'u-1'], null) }, 'overrides must contain each entry'],
    ['experiment', { overrides: ofA(['u-1'], '') }, 'overrides must contain each entry'],
    ['experiment', { launchedGroupID: 'b' }, 'launchedGroupID must be null'],
    ['experiment', { layerID: '' }, 'layerID must be in the form'],
    ['experiment', { manualQualityScores: halfWeight }, 'manualQualityScores must be in the form'],
    ['autotune', { successEvent: ' purchase' }, 'successEvent must be in the form'],
    ['segment', { ids: ['u-1'], count: 1 }, 'ids must be empty'],
    [
      'segment',
      { type: 'id_list', rules: [], ids: ['u-1'], count: 2 },
      'count must be the number of ids',
    ],
    [
      'segment',
      { type: 'id_list', rules: [], ids: ['u', 'u'], count: 2 },
      'ids must contain each id once',
    ],
    ['autotune', { status: 'decision_made' }, 'decidedVariant must be a variant'],
    ['autotune', { status: 'decision_made', decidedVariant: 'none' }, 'decidedVariant must be'],
    ['autotune', { status: 'active', decidedVariant: 'a' }, 'decidedVariant must be'],
  ])('refuses a %s in a state that no change leads to: %j', async (kind, strange, message) => {
    await expectRefused(await withEach(), kind, strange, message);
  });
});
