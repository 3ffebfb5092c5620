import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { projectAt } from '../../drizzle/sample/index.js';
import { registry } from '../../src/registry.ts';
import { defaultEnvironments } from '../../src/resources/environments/schema.ts';
import { kindsOf } from '../../src/resources/resource.ts';
import { groupsOf } from '../../src/resources/transfer/groups.ts';
import { portablesOf } from '../../src/resources/transfer/portability.ts';
import { strongGroups } from '../../src/shared/strong_groups.ts';
import { columnsOf } from '../../src/store/sql/columns.ts';
import { base, call, invalidPropertiesOf, ok, send } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import {
  everyone,
  holdoutSettings,
  makeAutotune,
  makeConnection,
  makeExperiment,
  makeExperimentIn,
  makeGate,
  makeHoldout,
  makeKey,
  makeLayer,
  makePipeline,
  makeSegment,
  makeTrigger,
  passing,
  phase,
  unique,
} from '../support/factories.ts';
import { failingDatabase } from '../support/faults.ts';
import { checkInvariants } from '../support/invariants.ts';
import { exportProject, importProject, lineType } from '../support/transfer.ts';

const portables = portablesOf(registry);

/** A project in which there is something of every kind, in many states. */
async function fill() {
  for (const [method, path, body] of projectAt(Date.now())) await ok(method, path, body);
  const { id: gateID } = await makeGate({ rules: [everyone], tags: ['a"b', 'ü'], team: 'Growth' });
  await ok('POST', `gates/${gateID}/overrides`, { passingUserIDs: ['u-1'], failingUserIDs: [] });
  await ok('PUT', `gates/${gateID}/launch`);
  const { id: archived } = await makeGate({ rules: [passing(gateID)] });
  await ok('PUT', `gates/${archived}/archive`, { archiveReason: 'Done.' });
  for (const status of ['active', 'decision_made', 'abandoned', 'archived'])
    await makeExperimentIn(status);
  const checked = [{ criteriaName: 'HYPOTHESIS_LENGTH', weight: 100 }];
  await ok('POST', 'experiments', { name: 'Checked', manualQualityScores: checked });
  await ok('POST', 'experiments/assignment_sources', { name: 'bare source' });
  const { id: layerID } = await makeLayer({
    parameters: [{ name: 'p', type: 'number', defaultValue: 1 }],
  });
  const groups = [{ name: 'A', size: 100, parameterValues: { p: 2 } }];
  const onLayer = await ok('POST', 'experiments', {
    name: 'On it',
    layerID,
    groups,
    allocation: 50,
  });
  await ok('PUT', `experiments/${onLayer.id}/start`);
  await ok('POST', `layers/${layerID}/overrides`, {
    conditionalOverrides: [
      { type: 'gate', name: gateID, experimentName: onLayer.id, groupName: 'A' },
    ],
  });
  await makeHoldout({ gateIDs: [gateID], experimentIDs: [onLayer.id], layerIDs: [layerID] });
  await makeHoldout({ gateIDs: [gateID] });
  const { id: segmentID } = await makeSegment({ type: 'id_list' });
  await ok('PATCH', `segments/${segmentID}/id_list`, { add: ['u-1', 'u-2'] });
  const { id: autotuneID } = await makeAutotune();
  await ok('PUT', `autotunes/${autotuneID}/start`);
  await makeTrigger();
  await makeConnection({ redshift: { host: 'db.example', password: 'very-secret' } });
  await ok('POST', 'users', { email: 'grace@shop.example' });
  await ok('POST', 'tags', { name: 'registered', isCore: true });
  await ok('POST', 'environments', { environments: [{ name: 'production' }, { name: 'moon' }] });
  const { id: gone } = await makeGate();
  await ok('DELETE', `gates/${gone}`);
}

describe('the exported project', () => {
  test.each([...portables])('is all that is stored of a %s', (_, { kind, stored }) => {
    const columns = Object.keys(columnsOf(kind.table)).filter((name) => name !== 'settings');
    expect(Object.keys(stored.shape)).toEqual(expect.arrayContaining(columns));
  });

  test('has every kind except those of the deployment', () => {
    const own = ['company', 'key', 'webhook'];
    const names = kindsOf(registry)
      .map(({ kind }) => kind)
      .filter((kind) => !own.includes(kind));
    expect([...portables.keys()].toSorted()).toEqual(names.toSorted());
  });
});

describe('a round trip', () => {
  beforeEach(emptyDatabase);

  test('is equal byte for byte, and leaves a whole project', async () => {
    await fill();
    const before = await exportProject();
    await emptyDatabase();
    const lines = before.trimEnd().split('\n');
    const report = await importProject(before);
    expect(report).toMatchObject({
      stored: lines.length - 1,
      refused: [],
      skipped: 0,
      ignored: [],
    });
    expect(await exportProject()).toBe(before);
    await checkInvariants();
    expect(await importProject(before)).toMatchObject({ stored: 0, unchanged: lines.length - 1 });
  });

  test('is equal with the history, too', async () => {
    await fill();
    const before = await exportProject('?history=true');
    const gates = await ok('GET', 'gates?includeArchived=true&limit=1000');
    await emptyDatabase();
    expect((await importProject(before)).refused).toEqual([]);
    expect(await exportProject('?history=true')).toBe(before);
    expect(await ok('GET', 'gates?includeArchived=true&limit=1000')).toEqual(gates);
    await checkInvariants();
    await makeGate();
    await checkInvariants();
  });

  test('accepts entities older than a property, repeatedly, with their history', async () => {
    const { id: gateID } = await makeGate();
    const trigger = await makeTrigger({ gateID });
    const path = `release_pipeline_triggers/${trigger.id}`;
    await ok('PUT', `${path}/pause`, { phaseID: trigger.currentPhaseID });
    const now = await exportProject('?history=true');
    const before = now
      .replaceAll('"earlierPipelineID":null,', '')
      .replaceAll(/^({"revision":.*)"ruleTimes":{},/gm, '$1');
    expect(before.length).toBeLessThan(now.length - 60);
    await emptyDatabase();
    expect((await importProject(before)).refused).toEqual([]);
    expect(await importProject(before)).toMatchObject({ stored: 0, refused: [] });
    const once = await exportProject('?history=true', () =>
      ok('PATCH', `gates/${gateID}`, { description: unique('Changed') }),
    );
    const { version } = await ok('PUT', `${path}/versions/1/restore`);
    const { snapshot } = await ok('GET', `${path}/versions/${version}`);
    expect(snapshot.earlierPipelineID).toBeNull();
    await emptyDatabase();
    expect((await importProject(once)).refused).toEqual([]);
  });

  test('is equal where a phase of a release has come to make a circle', async () => {
    const [released, other] = [await makeGate(), await makeGate()];
    const asking = phase('Asking', { rules: [passing(other.id)] });
    const { id: releasePipelineID } = await makePipeline({ phases: [phase('Canary'), asking] });
    await makeTrigger({ gateID: released.id, releasePipelineID });
    await ok('PATCH', `gates/${other.id}`, { rules: [passing(released.id)] });
    const before = await exportProject();
    await emptyDatabase();
    expect((await importProject(before)).refused).toEqual([]);
    expect(await exportProject()).toBe(before);
  });

  test('is equal where values nest as deep as they may', async () => {
    const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });
    const rules = [{ ...everyone, returnValue: nested(59) }];
    const phases = [{ id: 'first', name: 'First', timeIntervalMs: 3_600_000, rules }];
    const { id: releasePipelineID } = await ok('POST', 'release_pipelines', {
      name: 'Deep',
      phases,
    });
    const { id: dynamicConfigID } = await ok('POST', 'dynamic_configs', {
      name: 'Deep',
      defaultValueJson5: JSON.stringify(nested(64)),
      rules,
    });
    await ok('POST', 'release_pipeline_triggers', { dynamicConfigID, releasePipelineID });
    const [before, list] = [
      await exportProject('?history=true'),
      await send('GET', 'dynamic_configs'),
    ];
    const body = await list.text();
    await emptyDatabase();
    const { stored, refused } = await importProject(before);
    expect([refused, stored]).toEqual([[], 3]);
    expect(await exportProject('?history=true')).toBe(before);
    const again = await call('POST', 'import', { body });
    expect(again.data, JSON.stringify(again.body)).toMatchObject({ unchanged: 1 });
  });

  test('has no secrets: no key, nor what opens a warehouse', async () => {
    const { key } = await makeKey({ name: 'Some key' });
    await makeConnection({ redshift: { host: 'db.example', password: 'very-secret' } });
    const text = await exportProject('?history=true');
    for (const secret of [key, 'Some key', 'very-secret']) expect(text).not.toContain(secret);
    expect(text).toContain('db.example');
  });

  test('says at its end how much there is', async () => {
    await makeGate();
    await makeGate();
    const end = { entities: 2, revisions: 2 };
    expect(await exportProject('?history=true')).toMatch(`\n${JSON.stringify({ end })}\n`);
  });

  test('is a snapshot, unaffected by changes during the read', async () => {
    const [one, two, three] = [
      await makeGate(),
      await makeGate({ tags: ['old'] }),
      await makeGate(),
    ];
    const holdout = await makeHoldout({ gateIDs: [one.id] });
    await ok('POST', 'tags', { name: 'old' });
    await ok('DELETE', `gates/${three.id}`);
    const before = await exportProject('?history=true');
    const change = async () => {
      await ok('PATCH', `gates/${one.id}`, { description: unique('Changed') });
      const { id } = await makeGate({ tags: ['new'] });
      await ok('PATCH', `holdouts/${holdout.id}`, { gateIDs: [id] });
    };
    const changes = [
      () => ok('DELETE', `gates/${two.id}`),
      () => ok('PATCH', 'tags/old', { name: 'newer' }),
      () => ok('PUT', `gates/${three.id}/versions/1/restore`),
      () => ok('PUT', `gates/${two.id}/versions/1/restore`),
    ];
    // An export reads on as long as gates come behind the last that it read.
    let countdown = 10;
    const text = await exportProject('?history=true', async () => {
      if (countdown-- <= 0) return;
      await change();
      await changes.shift()?.();
    });
    expect(changes).toEqual([]);
    const linesIn = (all: string) =>
      all
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    const lines = linesIn(text);
    expect(lines).toEqual(expect.arrayContaining(linesIn(before)));
    expect(lines).toHaveLength(linesIn(before).length);
    await emptyDatabase();
    expect((await importProject(text)).refused).toEqual([]);
    await checkInvariants();
  });

  test('holds a few megabytes in memory at any size', async () => {
    const value = (letter: string) => ({ defaultValue: { text: letter.repeat(200_000) } });
    const { id } = await ok('POST', 'dynamic_configs', { name: 'Large', ...value('a') });
    for (const letter of 'bcdefghijklmnopqrs')
      await ok('PATCH', `dynamic_configs/${id}`, value(letter));
    const sizes: number[] = [];
    const { body } = await send('GET', 'export?history=true');
    for await (const { length } of body ?? []) sizes.push(length);
    expect(sizes.reduce((sum, length) => sum + length)).toBeGreaterThan(6_000_000);
    expect(Math.max(...sizes)).toBeLessThan(5_000_000);
  });
});

describe('an import', () => {
  beforeEach(emptyDatabase);

  const gateLine = async (overrides: object = {}) => {
    const { id } = await makeGate();
    const text = (await exportProject()).split('\n').find((line) => line.includes(`"${id}"`)) ?? '';
    await ok('DELETE', `gates/${id}`);
    const { kind, entity } = JSON.parse(text);
    return { id, line: JSON.stringify({ kind, entity: { ...entity, ...overrides } }) };
  };

  test('stores referenced entities first, in any order of lines', async () => {
    const { id: one } = await makeGate();
    const { id: two } = await makeGate({ rules: [passing(one)] });
    const text = (await exportProject()).split('\n');
    await emptyDatabase();
    expect(await importProject(text.toReversed().join('\n'))).toMatchObject({ stored: 2 });
    expect((await ok('GET', `gates/${one}/gate_references`))[0].id).toBe(two);
  });

  test('names the unregistered name in a strict company', async () => {
    const { id, line } = await gateLine({ tags: ['nobody knows'] });
    await ok('PATCH', 'company', { strict: true });
    const { stored, refused } = await importProject(line);
    await ok('PATCH', 'company', { strict: false });
    expect([stored, refused]).toEqual([
      0,
      [expect.objectContaining({ id, message: expect.stringContaining('tags.0 names the tag') })],
    ]);
  });

  test.each([
    ['setup', 'setup'],
    ['assignment_stopped', 'assignment_stopped'],
    ['experiment_stopped', 'experiment_stopped'],
    ['decision_made', 'decision_made'],
    ['abandoned', 'experiment_stopped'],
  ])('of a list has archived experiments in %s come back as %s', async (status, after) => {
    const { id } = await makeExperimentIn(status);
    await ok('PUT', `experiments/${id}/archive`);
    const { body } = await call('GET', `experiments?search=${id}`);
    await ok('DELETE', `experiments/${id}`);
    const answer = await call('POST', 'import', { body });
    expect(answer.data).toMatchObject({ stored: 1, refused: [] });
    expect(await ok('PUT', `experiments/${id}/unarchive`)).toMatchObject({ status: after });
  });

  test('of a list hides a gate that is archived, also where it does not say whether that was on', async () => {
    for (const [isEnabled, status] of [
      [undefined, 'In Progress'],
      [false, 'Disabled'],
    ]) {
      const gate = { id: `archived_${status}`.replace(' ', '_'), name: 'Away', status: 'Archived' };
      const body = { kind: 'gate', data: [{ ...gate, isEnabled }] };
      expect(await ok('POST', 'import', body)).toMatchObject({ stored: 1 });
      expect(await ok('GET', 'gates?search=away')).toEqual([]);
      expect(await ok('PUT', `gates/${gate.id}/unarchive`)).toMatchObject({ status });
      await ok('DELETE', `gates/${gate.id}`);
    }
  });

  test('of a list accepts references to an archived gate, which a forced archiving leaves', async () => {
    const { id } = await makeGate();
    const { id: naming } = await makeGate({ rules: [passing(id)] });
    await ok('PUT', `gates/${id}/archive`, { forceArchive: true });
    const { body } = await call('GET', 'gates?includeArchived=true&limit=1000');
    const data = body.data.filter((gate: { id: string }) => [id, naming].includes(gate.id));
    for (const gate of [naming, id]) await ok('DELETE', `gates/${gate}`);
    const answer = await ok('POST', 'import', { ...body, data });
    expect(answer).toMatchObject({ stored: 2, refused: [] });
    expect(await ok('GET', `gates/${id}`)).toMatchObject({ status: 'Archived' });
  });

  test('of a list counts the imported ids of a segment, as a list leaves ids out', async () => {
    const { id } = await makeSegment({ type: 'id_list' });
    await ok('PATCH', `segments/${id}/id_list`, { add: ['u-1', 'u-2'] });
    const { body } = await call('GET', `segments?search=${id}`);
    const ids = ['u-1', 'u-2'];
    const whole = { ...body, data: [{ ...body.data[0], ids }] };
    for (const [list, count] of [
      [body, 0],
      [whole, 2],
    ]) {
      await ok('DELETE', `segments/${id}`);
      expect(await ok('POST', 'import', list)).toMatchObject({ stored: 1 });
      expect(await ok('GET', `segments/${id}`)).toMatchObject({ count });
    }
  });

  test('takes no buckets of a layer from an experiment that runs on it', async () => {
    const { id: layerID } = await makeLayer();
    const begun = async (id: string, allocation: number) => {
      await ok('POST', 'experiments', {
        id,
        name: id,
        layerID,
        allocation,
        groups: [{ name: 'All', size: 100 }],
      });
      await ok('PUT', `experiments/${id}/start`);
    };
    await begun('theirs', 40);
    await begun('beside', 60);
    const lines = (await exportProject())
      .split('\n')
      .filter((line) => /"(theirs|beside)"/.test(line));
    for (const id of ['theirs', 'beside']) {
      await ok('PUT', `experiments/${id}/abandon`, { decisionReason: 'Gone.' });
      await ok('DELETE', `experiments/${id}`);
    }
    expect(await importProject(lines.join('\n'))).toMatchObject({ stored: 2 });
    await ok('PUT', 'experiments/theirs/abandon', { decisionReason: 'Gone.' });
    await ok('DELETE', 'experiments/theirs');
    await begun('ours', 1);
    const { refused, stored } = await importProject(lines.join('\n'));
    const [{ id, place, message }] = refused;
    expect([stored, id, place]).toEqual([0, 'theirs', expect.stringMatching(/^lines\.\d$/)]);
    expect(message).toContain(`must not contain buckets of the layer ${layerID} that ours holds`);
    await ok('PATCH', 'experiments/ours', { allocation: 0 });
    expect(await importProject(lines.join('\n'))).toMatchObject({ stored: 1, unchanged: 1 });
  });

  test('refuses buckets in use here, although the history contains them', async () => {
    const begun = async (id: string) => {
      await makeLayer({ id: 'shared' });
      const groups = [{ name: 'All', size: 100 }];
      await ok('POST', 'experiments', { id, name: id, layerID: 'shared', allocation: 60, groups });
      await ok('PUT', `experiments/${id}/start`);
    };
    await begun('theirs');
    const lines = (await exportProject('?history=true')).split('\n');
    await emptyDatabase();
    await begun('ours');
    const { refused } = await importProject(
      lines.filter((line) => /"theirs"/.test(line)).join('\n'),
    );
    expect(refused).toMatchObject([{ message: expect.stringContaining('that ours holds') }]);
  });

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

  test('of a list gives experiments permanent buckets of their layer', async () => {
    const { id: layerID } = await makeLayer();
    const groups = [{ name: 'All', size: 100 }];
    const ids = ['one', 'two'];
    for (const id of ids) {
      await ok('POST', 'experiments', { id, name: id, layerID, allocation: 40, groups });
      await ok('PUT', `experiments/${id}/start`);
    }
    const data = await ok('GET', 'experiments');
    for (const id of ids) {
      await ok('PUT', `experiments/${id}/abandon`, { decisionReason: 'Gone.' });
      await ok('DELETE', `experiments/${id}`);
    }
    const importList = (lists: object[]) =>
      call('POST', 'import', { body: { kind: 'experiment', data: lists } });
    const twice = [...data, ...data];
    expect((await importList(twice)).data).toMatchObject({ stored: 2, unchanged: 2, refused: [] });
    expect((await importList(data)).data).toMatchObject({ unchanged: 2, refused: [] });
    const bucketsOf = async (id: string): Promise<number[]> => {
      const lines = (await exportProject())
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      return lines.find(({ entity }) => entity?.id === id).entity.allocatedBuckets;
    };
    const [one = [], two = []] = await Promise.all(ids.map(bucketsOf));
    expect([one.length, two.length, new Set([...one, ...two]).size]).toEqual([400, 400, 800]);
    await ok('PUT', 'experiments/one/abandon', { decisionReason: 'Gone.' });
    expect(await bucketsOf('two')).toEqual(two);
    await ok('PUT', 'experiments/two/abandon', { decisionReason: 'Gone.' });
    await ok('DELETE', 'experiments/two');
    await ok('POST', 'experiments', { id: 'wide', name: 'Wide', layerID, allocation: 80, groups });
    await ok('PUT', 'experiments/wide/start');
    const { refused } = (await importList(data.filter(({ id }: { id: string }) => id === 'two')))
      .data;
    expect(refused[0].message).toContain(`other experiments hold too many of ${layerID}`);
  });

  test('leaves experiments the buckets that they bring or have here, each on its own layer', async () => {
    const [{ id: shared }, { id: own }] = [await makeLayer(), await makeLayer()];
    const start = async (layerID: string, allocation: number) => {
      const { id } = await makeExperiment({ layerID, allocation });
      await ok('PUT', `experiments/${id}/start`);
      return id;
    };
    const [one, two, other] = [
      await start(shared, 40),
      await start(shared, 60),
      await start(own, 100),
    ];
    const lines = (await exportProject()).split('\n');
    const isOf = (id: string) => (line: string) => line.includes(`"entity":{"id":"${id}"`);
    const comesWithout = async (id: string) => {
      const bare = lines.map((line) =>
        isOf(id)(line) ? line.replace(/,"allocatedBuckets":\[[^\]]*\]/, '') : line,
      );
      expect(bare).not.toEqual(lines);
      expect((await importProject(bare.join('\n'))).refused).toEqual([]);
    };
    for (const id of [one, two]) {
      await emptyDatabase();
      await comesWithout(id);
    }
    await emptyDatabase();
    await importProject(lines.filter((line) => !isOf(two)(line) && !isOf(other)(line)).join('\n'));
    await comesWithout(other);
  });

  test('keeps only imported holdouts that list the entity', async () => {
    const { id: holdoutID } = await makeHoldout();
    const { line } = await gateLine({ holdoutIDs: ['nothing', holdoutID] });
    expect(await importProject(line)).toMatchObject({ stored: 1 });
    expect(await importProject(line)).toMatchObject({ unchanged: 1 });
    const { id } = await makeGate();
    await ok('PATCH', `holdouts/${holdoutID}`, { gateIDs: [id] });
    const member = (await exportProject())
      .split('\n')
      .filter((text) => text.includes(`"id":"${id}"`));
    expect(await importProject(member.join('\n'))).toMatchObject({ unchanged: 1 });
    await checkInvariants();
  });

  test('accepts a history unchanged, also of entities from lists without buckets or holdouts', async () => {
    const { id: layerID } = await makeLayer();
    const { id: member } = await makeGate();
    const holdout = await makeHoldout({ gateIDs: [member] });
    const { id } = await makeExperiment({ layerID });
    await ok('PUT', `experiments/${id}/start`);
    const all = (await exportProject('?history=true')).replaceAll(
      /,"allocatedBuckets":\[[^\]]*\]/g,
      '',
    );
    await emptyDatabase();
    const lines = all.split('\n').filter((line) => !line.includes(`"id":"${holdout.id}"`));
    const told = lines.filter((line) => !/"end":|"kind":"holdout"/.test(line));
    expect((await importProject(told.join('\n'))).refused).toEqual([]);
  });

  test('takes a line that comes twice once, and refuses one without an id', async () => {
    const { line } = await gateLine();
    expect(await importProject(`${line}\n${line}`)).toMatchObject({ stored: 1, unchanged: 1 });
    const { line: nameless } = await gateLine({ id: '' });
    const { stored, refused } = await importProject(nameless);
    expect([stored, refused[0].message]).toEqual([0, 'id must be at least 1 character long.']);
  });

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

  test.each([
    ['holdout', { phaseTime: -1.5 }, 'phaseTime must be a whole number.'],
    ['release_pipeline_trigger', { dueTime: 0.5 }, 'dueTime must be a whole number.'],
    ['release_pipeline_trigger', { remainingMs: 0.5 }, 'remainingMs must be a whole number.'],
    ['release_pipeline_trigger', { currentPhaseEndTime: 0.5 }, 'currentPhaseEndTime must be'],
    ['gate', { ruleTimes: { r: 0.5 } }, 'ruleTimes.r must be a whole number.'],
  ])('refuses a time of a %s that no column could hold: %j', async (kind, strange, message) => {
    await expectRefused(await withRelease(), kind, strange, message);
  });

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

  test('of a list refuses a decision for no group, and takes an archived one for stopped', async () => {
    const { id } = await makeExperimentIn('decision_made');
    const [listed] = await ok('GET', `experiments?search=${id}`);
    const of = (changed: object) => ({ ...listed, ...changed });
    await ok('DELETE', `experiments/${id}`);
    for (const launchedGroupID of [null, 'nobody']) {
      const body = { kind: 'experiment', data: [of({ launchedGroupID })] };
      const { data } = await call('POST', 'import', { body });
      expect(data).toMatchObject({ stored: 0, refused: [{ id }] });
      expect(data.refused[0].message).toContain('launchedGroupID must be the');
    }
    const data = [of({ status: 'archived', launchedGroupID: null })];
    await ok('POST', 'import', { kind: 'experiment', data });
    const { status } = await ok('PUT', `experiments/${id}/unarchive`);
    expect(status).toBe('experiment_stopped');
  });

  test.each([
    [{ status: 'abandoned' }, 'abandoned'],
    [{ status: 'archived', decisionTime: null }, 'archived'],
  ])('of a list takes no group for launched where nothing was decided: %j', async (as, status) => {
    const { id } = await makeExperimentIn('decision_made');
    const [listed] = await ok('GET', `experiments?search=${id}`);
    await ok('DELETE', `experiments/${id}`);
    const body = { kind: 'experiment', data: [{ ...listed, ...as }] };
    expect(await ok('POST', 'import', body)).toMatchObject({ stored: 1, refused: [] });
    expect(await ok('GET', `experiments/${id}`)).toMatchObject({ status, launchedGroupID: null });
  });

  test('stores each group all or nothing, and reports refusals with reasons', async () => {
    const good = await gateLine();
    const wrong = await gateLine({ status: 'Nowhere' });
    const dangling = await gateLine({ releasePipelineID: 'no_such_pipeline' });
    const strange = await gateLine({ colour: 'red' });
    const report = await importProject([good, wrong, strange].map(({ line }) => line).join('\n'));
    expect(report).toMatchObject({ stored: 0, skipped: 1 });
    expect(report.refused).toEqual([
      expect.objectContaining({
        place: 'lines.1',
        id: wrong.id,
        message: expect.stringContaining('status must be one of'),
      }),
      expect.objectContaining({
        place: 'lines.2',
        id: strange.id,
        message: expect.stringContaining('colour must not have unknown members'),
      }),
    ]);
    const other = await importProject([good.line, dangling.line].join('\n'));
    expect(other).toMatchObject({ stored: 0, skipped: 1 });
    expect(other.refused).toEqual([
      {
        place: 'lines.1',
        kind: 'gate',
        id: dangling.id,
        message: expect.stringContaining('no_such_pipeline'),
      },
    ]);
    const two = await importProject(
      [dangling.line, good.line, dangling.line.replaceAll(dangling.id, 'another')].join('\n'),
    );
    expect(two).toMatchObject({
      skipped: 1,
      refused: [{ id: dangling.id }, { id: 'another', place: 'lines.2' }],
    });
    expect((await call('GET', `gates/${good.id}`)).status).toBe(404);
    expect(await importProject(good.line)).toMatchObject({ stored: 1 });
    await checkInvariants();
  });

  test('continues the versions of deleted entities', async () => {
    const { id, line } = await gateLine();
    await importProject(line);
    expect((await ok('GET', `gates/${id}`)).version).toBe(3);
    expect((await call('GET', `gates/${id}/versions`)).body.pagination.totalItems).toBe(3);
  });

  test('refuses entities that exist and differ, and stores nothing in a dry run', async () => {
    const { id, line } = await gateLine();
    expect(await importProject(line, '?dryRun=true')).toMatchObject({ stored: 1 });
    expect((await call('GET', `gates/${id}`)).status).toBe(404);
    await importProject(line);
    await ok('PATCH', `gates/${id}`, { description: 'Another.' });
    const { refused } = await importProject(line);
    expect(refused[0].message).toBe('It is here already, and differs in description.');
  });

  test('takes what lists answer, here or elsewhere, with what it makes nothing of', async () => {
    const gate = await makeGate({ rules: [everyone], tags: ['a'] });
    await ok('PUT', `gates/${gate.id}/disable`);
    const experiment = await makeExperimentIn('active');
    const lists = await Promise.all(
      ['gates', 'experiments'].map(async (path) => (await call('GET', path)).body),
    );
    await emptyDatabase();
    lists[0].data[0].reviewers = ['somebody'];
    const { data } = await call('POST', 'import', { body: { lines: lists.toReversed() } });
    expect(data).toMatchObject({ stored: 2, refused: [] });
    expect(data.ignored).toContain('gate.reviewers');
    expect(await ok('GET', `gates/${gate.id}`)).toMatchObject({
      status: 'Disabled',
      version: 1,
      rules: [{ id: gate.rules[0].id, baseID: gate.rules[0].baseID }],
      createdTime: gate.createdTime,
    });
    expect(await ok('GET', `experiments/${experiment.id}`)).toMatchObject({ status: 'active' });
    const [listed] = await ok('GET', 'experiments');
    expect(listed).toEqual({ ...lists[1].data[0], version: 1 });
    for (const list of lists) delete list.data[0].createdTime;
    const again = await call('POST', 'import', { body: { lines: lists } });
    expect(again.data).toMatchObject({ unchanged: 2, refused: [] }); // missing properties count as equal
    await ok('PATCH', `gates/${gate.id}`, { teamID: 'Growth' });
    const differing = await call('POST', 'import', { body: lists[0] });
    expect(differing.data.refused[0].message).toBe('It is here already, and differs in teamID.');
    await checkInvariants();
  });

  test('registers no name that a list has because it is used', async () => {
    await ok('POST', 'tags', { name: 'registered' });
    await makeGate({ tags: ['used'] });
    const { body } = await call('GET', 'tags');
    await emptyDatabase();
    expect(await ok('POST', 'import', { lines: [body] })).toMatchObject({ stored: 1, refused: [] });
    expect(await ok('GET', 'tags')).toMatchObject([{ name: 'registered' }]);
  });

  test('accepts settings and finished releases from lists, but no unfinished release', async () => {
    await ok('POST', 'environments', { environments: [{ name: 'moon', isProduction: true }] });
    await makeConnection({ redshift: { host: 'db.example', password: 'very-secret' } });
    const { id, currentPhaseID: phaseID } = await makeTrigger();
    await ok('PUT', `release_pipeline_triggers/${id}/abort`, { phaseID });
    const running = await makeTrigger();
    const asked = ['environments', 'wh_connections', 'release_pipeline_triggers'];
    const [settings, connection, triggers] = await Promise.all(
      asked.map(async (path) => (await call('GET', path)).body),
    );
    await emptyDatabase();
    const whole = [
      { kind: 'environments', ...settings },
      { kind: 'wh_connection', ...connection },
    ];
    const { data } = await call('POST', 'import', { body: { lines: [...whole, triggers] } });
    expect(data.refused.map((refusal: { id: string }) => refusal.id)).toEqual([running.id]);
    expect(data.refused[0].message).toContain('must be COMPLETED or ABORTED');
    const ended = {
      ...triggers,
      data: triggers.data.filter((one: { id: string }) => one.id === id),
    };
    const again = await call('POST', 'import', { body: { lines: [...whole, ended] } });
    expect(again.data).toMatchObject({ stored: 3, refused: [] });
    expect(await ok('GET', 'environments')).toMatchObject({ environments: [{ name: 'moon' }] });
    expect((await ok('GET', 'wh_connections')).redshift).toEqual({ host: 'db.example' });
    const listed = (await ok('GET', 'release_pipeline_triggers'))[0];
    expect(listed).toEqual({ ...ended.data[0], version: 1 });
    await checkInvariants();
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

  test('refuses a secret of a warehouse in the changes of a history', async () => {
    await makeConnection({ redshift: { host: 'db.example', password: 'stored before' } });
    const lines = await exportProject('?history=true');
    await emptyDatabase();
    const bad = lines.replaceAll('<PASSWORD>', 'very-secret');
    const { status, body } = await call('POST', 'import', { body: bad, headers: lineType });
    expect([status, body.errors?.[0].property]).toEqual([400, 'lines.0.revision.changes']);
    expect(await importProject(lines)).toMatchObject({ stored: 1 });
  });

  test('stores each thousand for itself', async () => {
    const { line } = await gateLine();
    const { kind, entity } = JSON.parse(line);
    const make = (id: string, more: object = {}) =>
      JSON.stringify({ kind, entity: { ...entity, id, ...more } });
    const lines = Array.from({ length: 2100 }, (_, index) => make(`many_${index}`));
    lines[5] = make('many_5', { releasePipelineID: 'no_such_pipeline' });
    const report = await importProject(lines.join('\n'));
    expect(report).toMatchObject({ stored: 1100, skipped: 999 });
    expect(report.refused).toHaveLength(1);
    const end = (await exportProject()).trimEnd().split('\n').at(-1) ?? '';
    expect(JSON.parse(end)).toMatchObject({ end: { entities: 1100 } });
  }, 60_000);

  test('reports the result for the maximum number of lines, and refuses more', async () => {
    const data = Array.from({ length: 20_000 }, () => ({}));
    const listed = { kind: 'tag', data };
    const send = (...lines: object[]) => call('POST', 'import?dryRun=true', { body: { lines } });
    const most = await send(listed, listed, listed, listed, listed);
    expect([most.status, most.body.data.refused.length]).toEqual([201, 100_000]);
    const more = await send(listed, listed, listed, listed, listed, { kind: 'tag', data: [{}] });
    expect([more.status, more.body.errors[0].property]).toEqual([400, 'lines']);
  });

  test('is the same again for the same Idempotency-Key', async () => {
    const { line } = await gateLine();
    const once = () =>
      call('POST', 'import', { body: line, headers: { ...lineType, 'Idempotency-Key': 'import' } });
    const [first, again] = [await once(), await once()];
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
  });

  test('is the same for the same Idempotency-Key at the same moment, and no failure in the log', async () => {
    const logged = vi.spyOn(console, 'error');
    onTestFinished(() => logged.mockRestore());
    const { line } = await gateLine();
    const headers = { ...lineType, 'Idempotency-Key': 'imported-at-once' };
    const once = () => call('POST', 'import', { body: line, headers });
    const answers = await Promise.all([once(), once(), once()]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(answers.filter((each) => each.headers.has('Idempotency-Replayed'))).toHaveLength(2);
    expect(logged).not.toHaveBeenCalled();
  });

  test('names a line that is not JSON, or has no known member', async () => {
    const broken = await call('POST', 'import', { body: '{"kind":', headers: lineType });
    expect([broken.status, broken.body.message]).toEqual([400, 'lines.0 is not valid JSON.']);
    const strange = await call('POST', 'import', { body: '{"sort":1}', headers: lineType });
    expect([strange.status, strange.body.errors[0].property]).toEqual([400, 'lines.0.sort']);
    expect(await invalidPropertiesOf('POST', 'import', { lines: [{ kind: 'gate' }] })).toEqual([
      'lines.0.entity',
    ]);
    const { errors } = (await call('POST', 'import', { body: { data: [] } })).body;
    expect(errors[0].property).toBe('kind');
    await makeGate();
    const past = (await exportProject('?history=true')).split('\n').slice(0, 1);
    const spoiled = past.map((line) => line.replace('"description":"', '"description":7,"d":"'));
    const { body: lost } = await call('POST', 'import', {
      body: spoiled.join('\n'),
      headers: lineType,
    });
    expect(lost.errors[0].property).toBe('lines.0.revision.snapshot.description');
  });

  test('names an empty object as a line, and skips blank lines', async () => {
    const blank = await importProject('\n{"kind":"tag","data":[]}\n \n');
    expect(blank).toMatchObject({ stored: 0, refused: [] });
    const body = '{"kind":"tag","data":[]}\n{}\n';
    const answer = await call('POST', 'import', { body, headers: lineType });
    expect([answer.status, answer.body.message]).toEqual([400, 'lines.1.entity is required.']);
    expect(await invalidPropertiesOf('POST', 'import', { lines: [{}] })).toEqual([
      'lines.0.entity',
    ]);
  });

  test('lists the media types of a body in an error', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const { status, body } = await call('POST', 'import', { body: '{}', headers });
    expect([status, body.message]).toEqual([
      415,
      'Send the body with Content-Type: application/json or application/x-ndjson.',
    ]);
  });

  test('takes no number or letters in any line that would be stored as others', async () => {
    const first = '{"kind":"tag","data":[]}';
    for (const [record, fault] of [
      ['{"name":"half","description":"a\\ud800b"}', 'lines.1.data.0.description'],
      ['{"name":"endless","description":"","isCore":1e400}', 'lines.1.data.0.isCore'],
    ]) {
      const body = `${first}\n{"kind":"tag","data":[${record}]}`;
      const answer = await call('POST', 'import', { body, headers: lineType });
      expect([answer.status, answer.body.errors?.[0].property]).toEqual([400, fault]);
    }
    const whole = { body: `${first}\n`.repeat(100_000), headers: lineType };
    expect((await call('POST', 'import', whole)).status).toBe(201);
    const body = `${first}\n`.repeat(100_001);
    const answer = await call('POST', 'import', { body, headers: lineType });
    expect([answer.status, answer.body.message]).toEqual([
      400,
      'lines must have at most 100000 entries.',
    ]);
  });

  test('refuses revisions from the future, or with a state that cannot be restored', async () => {
    await makeGate();
    const [past = ''] = (await exportProject('?history=true')).split('\n');
    const faultOf = async (revision: object) => {
      const line = JSON.parse(past);
      const body = JSON.stringify({ revision: { ...line.revision, ...revision } });
      return (await call('POST', 'import', { body, headers: lineType })).body.errors?.[0].property;
    };
    const { snapshot, time, id } = JSON.parse(past).revision;
    expect(await faultOf({ time: Date.now() + 3_600_000 })).toBe('lines.0.revision.time');
    expect(await faultOf({ time: Date.now() + 50_000 })).toBeUndefined(); // where clocks differ
    const { createdTime: _, ...timeless } = snapshot;
    const at = 'lines.0.revision.snapshot';
    expect(await faultOf({ snapshot: timeless })).toBe(`${at}.createdTime`);
    expect(await faultOf({ colour: 'red' })).toBe('lines.0.revision.colour');
    expect(await faultOf({ changes: [{ property: 'name', to: 'B' }] })).toBe(
      'lines.0.revision.changes.0.to',
    );
    expect(await faultOf({ snapshot: { ...snapshot, id: `${id}_2` } })).toBe(`${at}.id`);
    expect(time).toBeLessThanOrEqual(Date.now());
    const { rules, ...ruleless } = snapshot;
    expect(rules).toEqual([]);
    expect(await faultOf({ snapshot: ruleless })).toBe(`${at}.rules`);
    await emptyDatabase();
    await makeExperiment();
    const [begun = ''] = (await exportProject('?history=true')).split('\n');
    const { revision } = JSON.parse(begun);
    const broken = { ...revision.snapshot, inlineTargetingRulesJSON: '[' };
    expect(await faultOf({ ...revision, snapshot: broken })).toBe(`${at}.inlineTargetingRulesJSON`);
  });

  test.each([
    [{ currentPhaseID: 'none' }, 'currentPhaseID must be the id of one of the phases.'],
    [{ appliedPhaseID: 'none' }, 'appliedPhaseID must be the id of the phase whose rules apply.'],
    [
      { dynamicConfigID: 'a' },
      'gateID must be empty, or else dynamicConfigID: exactly one of the two.',
    ],
  ])('brings no release back to where no move leads: %j', async (strange, message) => {
    const { id, currentPhaseID: phaseID } = await makeTrigger();
    await ok('PUT', `release_pipeline_triggers/${id}/pause`, { phaseID });
    const lines = (await exportProject('?history=true')).trimEnd().split('\n');
    await emptyDatabase();
    const forged = lines.map((line) => {
      const { revision, ...rest } = JSON.parse(line);
      if (revision?.id !== id || revision.version !== 1) return line;
      const snapshot = { ...revision.snapshot, ...strange };
      return JSON.stringify({ ...rest, revision: { ...revision, snapshot } });
    });
    expect((await importProject(forged.join('\n'))).refused).toEqual([]);
    const answer = await call('PUT', `release_pipeline_triggers/${id}/versions/1/restore`);
    expect([answer.status, answer.body.message]).toEqual([400, message]);
  });

  test('restores gates that were deleted before rule times were stored', async () => {
    const { id } = await makeGate({ rules: [everyone] });
    await ok('DELETE', `gates/${id}`);
    const all = await exportProject('?history=true');
    await emptyDatabase();
    await importProject(all.replaceAll(',"ruleTimes":{}', ''));
    const restored = await ok('PUT', `gates/${id}/versions/1/restore`);
    expect(restored).toMatchObject({ version: 3, rules: [everyone] });
  });

  test('brings the names of those who made its history', async () => {
    const { key } = await makeKey({ name: 'Before the move', scopes: ['read', 'write', 'admin'] });
    await call('POST', 'gates', { body: { name: 'Moved' }, key });
    const all = await exportProject('?history=true');
    await emptyDatabase();
    await importProject(all);
    const found = await ok('GET', 'audit_logs?actorName=Before%20the%20move');
    expect(found).toMatchObject([{ actorName: 'Before the move' }]);
  });

  test('reports the result even if the response is too large to be stored', async () => {
    const good = Array.from({ length: 1000 }, (_, nth) => ({ name: `Good ${nth}` }));
    const bad = Array.from({ length: 12_000 }, (_, nth) => ({ id: `${'x'.repeat(90)}${nth}` }));
    const body = [good, bad].map((data) => JSON.stringify({ kind: 'tag', data })).join('\n');
    const headers = { ...lineType, 'Idempotency-Key': 'large' };
    for (const stored of [1000, 0]) {
      const answer = await call('POST', 'import', { body, headers });
      expect([answer.status, answer.data?.stored]).toEqual([201, stored]);
    }
  });

  test('takes a history from its first version to what is now, and no other', async () => {
    const { id } = await makeGate();
    await ok('PATCH', `gates/${id}`, { description: 'Second.' });
    const [one = '', two = '', gate = ''] = (await exportProject('?history=true')).split('\n');
    await emptyDatabase();
    const messages: [lines: string[], message: string, left: number][] = [
      [[two, gate], 'in turn: 1 comes next, not 2', 1],
      [[two, one, gate], 'in turn: 1 comes next, not 2', 1],
      [[one, one, two, gate], 'in turn: 2 comes next, not 1', 1],
      [[one, gate], 'Its history does not end in it', 0],
      [[one, two], 'not what it is now', 0],
    ];
    for (const [lines, message, left] of messages) {
      const { refused, skipped } = await importProject(lines.join('\n'));
      expect([refused[0].message, skipped]).toEqual([expect.stringContaining(message), left]);
    }
    const end = JSON.parse(two);
    for (const version of [undefined, 77]) {
      const forged = {
        revision: { ...end.revision, snapshot: { ...end.revision.snapshot, version } },
      };
      const body = [one, JSON.stringify(forged), gate].join('\n');
      const { errors } = (await call('POST', 'import', { body, headers: lineType })).body;
      expect(errors[0].property).toBe('lines.1.revision.snapshot.version');
    }
    expect(await importProject([one, two, gate].join('\n'))).toMatchObject({ stored: 1 });
    expect((await ok('GET', `gates/${id}`)).version).toBe(2);
    await checkInvariants();
  });

  test('reports the result even if the response cannot be stored', async () => {
    const { line } = await gateLine();
    for (const fault of ['overloaded', 'lost before commit'] as const) {
      await emptyDatabase();
      const DB = failingDatabase(env.DB, (batch) => (batch === 3 ? fault : undefined));
      const headers = { ...lineType, 'Idempotency-Key': 'kept' };
      const answer = await call('POST', 'import', { body: line, headers, bindings: { DB } });
      expect([answer.status, answer.data?.stored]).toEqual([201, 1]);
    }
  });

  test('reports the number of stored entities if the database fails midway', async () => {
    const tags = Array.from({ length: 1001 }, (_, index) => ({
      id: `tag ${index}`,
      name: `tag ${index}`,
    }));
    const DB = failingDatabase(env.DB, (batch) => (batch === 3 ? 'overloaded' : undefined));
    const body = { kind: 'tag', data: tags };
    const answer = await call('POST', 'import', { body, bindings: { DB } });
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '1']);
    expect(answer.body.message).toContain('1000 entities are stored');
    expect((await call('POST', 'import', { body })).data).toMatchObject({ stored: 1 });
  });

  test('of a history is stored once, where the answer of the database is lost', async () => {
    await makeGate();
    const body = await exportProject('?history=true');
    await emptyDatabase();
    const DB = failingDatabase(env.DB, (batch) => (batch === 1 ? 'lost after commit' : undefined));
    const answer = await call('POST', 'import', { body, headers: lineType, bindings: { DB } });
    expect(answer.data).toMatchObject({ stored: 1, refused: [] });
    expect(await exportProject('?history=true')).toBe(body);
  });

  test('does not say that something is refused where it is unknown whether it is stored', async () => {
    const { line } = await gateLine();
    const DB = failingDatabase(env.DB, (batch) => (batch >= 1 ? 'lost before commit' : undefined));
    const answer = await call('POST', 'import', {
      body: line,
      headers: lineType,
      bindings: { DB },
    });
    expect([answer.status, answer.body.type]).toEqual([503, '/problems/unavailable']);
    expect(answer.body.message).toContain('whether the change was stored');
  });

  test('is none of many changes', async () => {
    const change = { method: 'POST', path: `${base}/import`, body: { lines: [] } };
    expect((await call('POST', 'changes', { body: { changes: [change] } })).status).toBe(400);
  });
});

describe('the order of entities that need each other', () => {
  beforeEach(emptyDatabase);

  test('is the needed first, and circles together', () => {
    expect(strongGroups([[1], [2], []])).toEqual([[2], [1], [0]]);
    const groups = strongGroups([[1], [2], [1, 3], [], [0]]).map((group) => group.toSorted());
    expect(groups).toEqual([[3], [1, 2], [0], [4]]);
  });

  test('keeps a holdout and its members together, regardless of lines between them', async () => {
    const portable = (kind: string) => {
      const found = portables.get(kind);
      if (!found) throw new Error(`a ${kind} is portable`);
      return found;
    };
    const { id } = await makeGate();
    const holdout = await makeHoldout({ gateIDs: [id] });
    const gate = await ok('GET', `gates/${id}`);
    const others = Array.from({ length: 1000 }, (_, index) => ({ ...gate, id: `other_${index}` }));
    const arrivals = [
      ...[gate, ...others.map((other) => ({ ...other, holdoutIDs: [] }))].map((entity) => ({
        place: '',
        portable: portable('gate'),
        entity,
      })),
      { place: '', portable: portable('holdout'), entity: holdout },
    ];
    const groups = groupsOf(arrivals, false).map((group) =>
      group.flat().map(({ entity }) => entity?.id),
    );
    expect(groups).toHaveLength(2);
    expect(groups.find((group) => group.includes(id))).toContain(holdout.id);
  });

  test('limits a group to the size stored at once, for entities of any size', async () => {
    const defaultValue = { text: 'x'.repeat(650_000) };
    const data = Array.from({ length: 14 }, (_, index) => ({
      id: `wide_${index}`,
      name: `Wide ${index}`,
      defaultValue,
    }));
    const body = { lines: [{ kind: 'dynamic_config', data }] };
    const tried = await call('POST', 'import?dryRun=true', { body });
    expect([tried.status, tried.body.message]).toEqual([
      413,
      expect.stringMatching(/^A dry run is checked as a whole, .* 8 MB .* Divide it: /),
    ]);
    expect((await call('POST', 'import', { body })).data).toMatchObject({
      stored: 14,
      refused: [],
    });
    await emptyDatabase();
    const beside = { lines: [{ kind: 'dynamic_config', data: [{ id: 'nameless' }, ...data] }] };
    const { data: report } = await call('POST', 'import', { body: beside });
    expect(report, 'of 2 MB').toMatchObject({ stored: 13, skipped: 1 });
  });

  test('is stored in halves where what follows from it is larger than its lines', async () => {
    const tags = Array.from({ length: 100 }, (_, index) => `tag_${index}`);
    const gates = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        id: `gate_${index}`,
        name: `Gate ${index}`,
        tags,
      }));
    const send = (path: string, count: number) =>
      call('POST', path, { body: { kind: 'gate', data: gates(count) } });
    expect((await send('import?dryRun=true', 900)).status).toBe(413);
    expect((await send('import?dryRun=true', 100)).data).toMatchObject({ stored: 100 });
    expect((await send('import', 900)).data).toMatchObject({ stored: 900, refused: [] });
  });

  test('is refused with how to divide it where what refers to each other is too large', async () => {
    const gateIDs = Array.from({ length: 3000 }, (_, index) => `member_${index}`);
    const gate = (id: string) => ({ id, name: id, holdoutIDs: ['all'] });
    const lines = [
      { kind: 'gate', data: gateIDs.map(gate) },
      { kind: 'holdout', data: [{ id: 'all', name: 'All of them', ...holdoutSettings, gateIDs }] },
    ];
    const refused = await call('POST', 'import', { body: { lines } });
    expect([refused.status, refused.body.message]).toEqual([
      413,
      expect.stringMatching(/Nothing was stored\. Divide them: leave out /),
    ]);
    const some = gateIDs.slice(0, 500);
    const divided = [
      { kind: 'gate', data: some.map(gate) },
      { kind: 'holdout', data: [{ id: 'all', name: 'All', ...holdoutSettings, gateIDs: some }] },
    ];
    const { data } = await call('POST', 'import', { body: { lines: divided } });
    expect(data).toMatchObject({ stored: 501, refused: [] });
  });

  test('searches for the circles of a thousand gates in few statements', async () => {
    await makeGate({ id: 'asked', name: 'Asked' });
    const conditions = [{ type: 'passes_gate', targetValue: 'asked' }];
    const data = Array.from({ length: 1000 }, (_, index) => ({
      id: `asks_${index}`,
      name: `Asks ${index}`,
      rules: [{ name: 'Only', passPercentage: 100, conditions }],
    }));
    const { data: report } = await call('POST', 'import', { body: { kind: 'gate', data } });
    expect(report).toMatchObject({ stored: 1000, refused: [] });
  });

  test('takes any depth', () => {
    const chain = Array.from({ length: 100_000 }, (_, index) => (index > 0 ? [index - 1] : []));
    expect(strongGroups(chain)).toHaveLength(100_000);
  });
});
