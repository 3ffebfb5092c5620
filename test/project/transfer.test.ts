import { beforeEach, describe, expect, test } from 'vitest';
import { projectAt } from '../../drizzle/sample/index.js';
import { strongGroups } from '../../src/engine/evaluation/strong_groups.ts';
import { portablesOf } from '../../src/platform/resource/portable.ts';
import { kindsOf } from '../../src/platform/resource/resource.ts';
import { columnsOf } from '../../src/platform/store/sql/columns.ts';
import { arrivalGroups } from '../../src/project/transfer/groups.ts';
import { registry } from '../../src/registry.ts';
import { call, ok, send } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import {
  everyone,
  holdoutSettings,
  makeAutotune,
  makeConnection,
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
import { checkInvariants } from '../support/invariants.ts';
import { exportProject, importProject } from '../support/transfer.ts';

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
});

describe('an export', () => {
  beforeEach(emptyDatabase);

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
    const groups = arrivalGroups(arrivals, false).map((group) =>
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
