import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { base, call, invalidPropertiesOf, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import {
  everyone,
  makeConnection,
  makeExperiment,
  makeGate,
  makeHoldout,
  makeKey,
  makeLayer,
  makeTrigger,
  passing,
} from '../support/factories.ts';
import { failingDatabase } from '../support/faults.ts';
import { checkInvariants } from '../support/invariants.ts';
import { allowMoreTrips } from '../support/responses.ts';
import { exportProject, importProject, lineType } from '../support/transfer.ts';

const gateLine = async (overrides: object = {}) => {
  const { id } = await makeGate();
  const text = (await exportProject()).split('\n').find((line) => line.includes(`"${id}"`)) ?? '';
  await ok('DELETE', `gates/${id}`);
  const { kind, entity } = JSON.parse(text);
  return { id, line: JSON.stringify({ kind, entity: { ...entity, ...overrides } }) };
};

describe('an import of entities', () => {
  beforeEach(emptyDatabase);

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

  test('takes a line that comes twice once, and refuses one without an id', async () => {
    const { line } = await gateLine();
    expect(await importProject(`${line}\n${line}`)).toMatchObject({ stored: 1, unchanged: 1 });
    const { line: nameless } = await gateLine({ id: '' });
    const { stored, refused } = await importProject(nameless);
    expect([stored, refused[0].message]).toEqual([0, 'id must be at least 1 character long.']);
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
});

describe('an import of experiments on layers', () => {
  beforeEach(emptyDatabase);

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
});

describe('an import with history', () => {
  beforeEach(emptyDatabase);

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

  test('refuses a secret of a warehouse in the changes of a history', async () => {
    await makeConnection({ redshift: { host: 'db.example', password: 'stored before' } });
    const lines = await exportProject('?history=true');
    await emptyDatabase();
    const bad = lines.replaceAll('<PASSWORD>', 'very-secret');
    const { status, body } = await call('POST', 'import', { body: bad, headers: lineType });
    expect([status, body.errors?.[0].property]).toEqual([400, 'lines.0.revision.changes']);
    expect(await importProject(lines)).toMatchObject({ stored: 1 });
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
});

describe('a request to import', () => {
  beforeEach(emptyDatabase);

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
  });

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

  test('is none of many changes', async () => {
    const change = { method: 'POST', path: `${base}/import`, body: { lines: [] } };
    expect((await call('POST', 'changes', { body: { changes: [change] } })).status).toBe(400);
  });
});

describe('an interrupted import', () => {
  beforeEach(emptyDatabase);

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
    allowMoreTrips('a failed batch is sent again, after others are stored');
    const tags = Array.from({ length: 1001 }, (_, index) => ({
      id: `tag ${index}`,
      name: `tag ${index}`,
    }));
    const DB = failingDatabase(env.DB, (batch) => (batch === 3 ? 'overloaded' : undefined));
    const body = { kind: 'tag', data: tags };
    const answer = await call('POST', 'import', { body, bindings: { DB }, fails: true });
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
      fails: true,
    });
    expect([answer.status, answer.body.type]).toEqual([503, '/problems/unavailable']);
    expect(answer.body.message).toContain('whether the change was stored');
  });
});
