import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { advanceTriggers } from '../../src/flags/releases/schedule.ts';
import worker from '../../src/index.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { jobs } from '../../src/scheduled/jobs.ts';
import { runJobs } from '../../src/scheduled/run.ts';
import { base, call, costOf, ok, send, textOf } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import {
  everyone,
  makeGate,
  makePipeline,
  passing,
  phase,
  toRelease,
  unique,
} from '../support/factories.ts';
import { failingDatabase, withBatches } from '../support/faults.ts';
import { allowMoreTrips } from '../support/responses.ts';
import { exportProject, importProject } from '../support/transfer.ts';

const hour = 3_600_000;
const start = Date.UTC(2026, 5, 1);

beforeEach(() => {
  allowMoreTrips('requests store the phases that are overdue');
  vi.useFakeTimers({ toFake: ['Date'], now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

const wait = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
const runScheduler = (DB = env.DB) => worker.scheduled(createScheduledController(), { ...env, DB });

/** Runs the job of phases alone, so that a fault of the database hits no other job. */
const runPhases = (DB: D1Database) =>
  runJobs(
    jobs.filter(({ name }) => name === 'release_phases'),
    { ...env, DB },
  );

const act = (id: string, name: string, phaseID: string) =>
  call('PUT', `release_pipeline_triggers/${id}/${name}`, { body: { phaseID } });
const read = (id: string) => ok('GET', `release_pipeline_triggers/${id}`);
/** The round trips of a read; what waits for nobody's time is not looked after. */
const tripsOf = async (id: string) =>
  costOf(await call('GET', `release_pipeline_triggers/${id}`)).trips;
const release = (body: unknown) => call('POST', 'release_pipeline_triggers', { body });
const ruleNames = async ({ gateID }: { gateID: string }) =>
  (await ok('GET', `gates/${gateID}`)).rules.map(({ name }: { name: string }) => name);
const typesOf = ({ actions }: { actions: { type: string }[] }) => actions.map(({ type }) => type);

/** The release of a gate that has a rule of its own, `Before`. */
async function releaseOf(...phases: ReturnType<typeof phase>[]) {
  const { releasePipelineID } = await toRelease(phases);
  const gate = await makeGate({ rules: [{ ...everyone, name: 'Before' }] });
  return ok('POST', 'release_pipeline_triggers', { releasePipelineID, gateID: gate.id });
}

const one = phase('One');
const two = phase('Two', { timeIntervalMs: 2 * hour });
const reviewed = phase('Reviewed', { requiredReview: true });

describe('starting a release', () => {
  test('says that its rules wait where the gate is launched', async () => {
    const body = await toRelease([one]);
    await ok('PUT', `gates/${body.gateID}/launch`);
    const answer = await release(body);
    expect([answer.status, answer.body.warnings]).toEqual([
      201,
      [{ property: 'gateID', message: expect.stringContaining('once it is enabled') }],
    ]);
    expect((await release(await toRelease([one]))).body.warnings).toBeUndefined();
  });

  test('stores every field, and the state before', async () => {
    const body = await toRelease([one, two]);
    const { status, data } = await release({ ...body, description: 'Out it goes.' });
    expect(status).toBe(201);
    expect(data).toMatchObject({
      ...body,
      dynamicConfigID: '',
      description: 'Out it goes.',
      configSnapshotID: `gate:${body.gateID}:1`,
      status: 'IN_PROGRESS',
      currentPhase: 'One',
      currentPhaseID: 'one',
      currentPhaseEndTime: start + hour,
      creatorID: 'root',
    });
    const actor = { actorID: 'root', actorName: 'CONSOLE API' };
    expect(data.actions).toEqual([{ type: 'STARTED', timeMs: start, phaseID: 'one', ...actor }]);
    expect(await read(data.id)).toEqual(data);
  });

  test('puts the rules of the first phase on the gate, with ids and environments', async () => {
    const rule = { ...everyone, passPercentage: 5, environments: ['production'] };
    const trigger = await releaseOf(phase('One', { rules: [rule] }), two);
    const gate = await ok('GET', `gates/${trigger.gateID}`);
    expect(gate.rules).toEqual([{ ...rule, id: gate.rules[0].id, baseID: gate.rules[0].id }]);
    expect(gate).toMatchObject({ releasePipelineID: trigger.releasePipelineID, version: 2 });
  });

  test('waits if the first phase requires review, and leaves the gate unchanged', async () => {
    const trigger = await releaseOf(reviewed, two);
    expect(trigger).toMatchObject({ status: 'WAITING_FOR_REVIEW', currentPhaseID: 'reviewed' });
    expect(await ruleNames(trigger)).toEqual(['Before']);
    wait(10 * hour);
    const { data } = await act(trigger.id, 'approve', 'reviewed');
    expect(data).toMatchObject({
      status: 'IN_PROGRESS',
      currentPhaseEndTime: start + 10 * hour + hour,
    });
    expect(typesOf(data)).toEqual(['STARTED', 'APPROVED_FOR']);
    expect(await ruleNames(trigger)).toEqual(['Reviewed']);
  });

  test('goes through phases without a wait at once', async () => {
    const trigger = await releaseOf(
      phase('One', { timeIntervalMs: 0 }),
      phase('Two', { timeIntervalMs: 0 }),
    );
    expect(trigger).toMatchObject({ status: 'COMPLETED', currentPhase: 'Two' });
    expect(await ruleNames(trigger)).toEqual(['Two']);
  });

  test('is 400 unless it names an existing pipeline and one existing entity', async () => {
    const { releasePipelineID, gateID } = await toRelease();
    const gone = 'no_such_thing';
    const cases: [object, string][] = [
      [{ gateID }, 'releasePipelineID'],
      [{ releasePipelineID }, 'gateID'],
      [{ releasePipelineID, gateID: '', dynamicConfigID: null }, 'gateID'],
      [{ releasePipelineID, gateID, dynamicConfigID: gone }, 'gateID'],
      [{ releasePipelineID: gone, gateID }, 'releasePipelineID'],
      [{ releasePipelineID, gateID: gone }, 'gateID'],
      [{ releasePipelineID, dynamicConfigID: gone }, 'dynamicConfigID'],
      [{ releasePipelineID, gateID, description: 'x'.repeat(1001) }, 'description'],
    ];
    for (const [body, property] of cases) {
      const answer = await release(body);
      expect([body, answer.status]).toEqual([body, 400]);
      expect(answer.body.errors[0].property).toBe(property);
    }
    await ok('PUT', `gates/${gateID}/archive`);
    const archived = await release({ releasePipelineID, gateID });
    expect(archived.status).toBe(400);
    expect(archived.body.errors[0].property).toBe('gateID');
  });

  test('is 409 while the gate is being released, and possible again when that is over', async () => {
    const body = await toRelease([one]);
    const { data } = await release(body);
    const refused = await release(body);
    expect(refused.status).toBe(409);
    expect(refused.body.message).toContain(data.id);
    wait(hour);
    expect((await release(body)).status).toBe(201);
    expect((await read(data.id)).status).toBe('COMPLETED');
  });

  test('is possible in the request that aborts the one before', async () => {
    const body = await toRelease([one]);
    const { data } = await release(body);
    const path = `${base}/release_pipeline_triggers`;
    const abort = { method: 'PUT', path: `${path}/${data.id}/abort`, body: { phaseID: 'one' } };
    const again = { method: 'POST', path, body };
    expect((await call('POST', 'changes', { body: { changes: [abort, again] } })).status).toBe(200);
    const all = await ok('GET', `${path}?gateID=${body.gateID}`);
    const statuses = all.map(({ status }: { status: string }) => status);
    expect(statuses.sort()).toEqual(['ABORTED', 'IN_PROGRESS']);
  });

  test('lets one of two releases of a gate at once through', async () => {
    const body = await toRelease();
    const answers = await Promise.all([release(body), release(body)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  test('leaves nothing behind in a dry run', async () => {
    const body = await toRelease();
    expect((await call('POST', 'release_pipeline_triggers?dryRun=true', { body })).status).toBe(
      201,
    );
    expect(await ok('GET', `release_pipeline_triggers?gateID=${body.gateID}`)).toEqual([]);
    expect(await ok('GET', `gates/${body.gateID}`)).toMatchObject({ rules: [], version: 1 });
  });
});

describe('over time, a release', () => {
  test('each phase begins at the end of the one before, however late it is read', async () => {
    const { id } = await releaseOf(one, two, phase('Three'));
    wait(hour - 1);
    expect(await read(id)).toMatchObject({ currentPhaseID: 'one' });
    wait(1);
    expect(await read(id)).toMatchObject({
      currentPhase: 'Two',
      currentPhaseID: 'two',
      currentPhaseEndTime: start + 3 * hour,
    });
    wait(2.5 * hour);
    expect(await read(id)).toMatchObject({
      status: 'IN_PROGRESS',
      currentPhaseID: 'three',
      currentPhaseEndTime: start + 4 * hour,
      version: 3,
    });
    wait(hour);
    expect(await read(id)).toMatchObject({
      status: 'COMPLETED',
      currentPhaseID: 'three',
      currentPhaseEndTime: start + 4 * hour,
    });
  });

  test('a phase to be reviewed stops it, with the rules of the phase before in force', async () => {
    const trigger = await releaseOf(one, reviewed, two);
    wait(5 * hour);
    const waiting = { status: 'WAITING_FOR_REVIEW', currentPhaseEndTime: start + 2 * hour };
    expect(await read(trigger.id)).toMatchObject({ ...waiting, currentPhaseID: 'reviewed' });
    await runScheduler();
    expect(await ruleNames(trigger)).toEqual(['One']);
    const { data } = await act(trigger.id, 'approve', 'reviewed');
    expect(data).toMatchObject({ currentPhaseEndTime: start + 6 * hour, status: 'IN_PROGRESS' });
    expect(await ruleNames(trigger)).toEqual(['Reviewed']);
  });

  test('the scheduler stores where it stands, and brings the gate along', async () => {
    const trigger = await releaseOf(one, two);
    const other = await releaseOf(two);
    await runScheduler();
    expect(await read(trigger.id)).toMatchObject({ version: 1 });
    wait(1.2 * hour);
    await runScheduler();
    await runScheduler();
    expect(await read(trigger.id)).toMatchObject({
      version: 2,
      currentPhaseID: 'two',
      lastModifierID: 'scheduler',
      lastModifiedTime: Date.now(),
    });
    expect(await read(other.id)).toMatchObject({ version: 1 });
    expect(await ruleNames(trigger)).toEqual(['Two']);
    wait(2 * hour);
    await runScheduler();
    expect(await read(trigger.id)).toMatchObject({ version: 3, status: 'COMPLETED' });
    expect(await ok('GET', `gates/${trigger.gateID}`)).toMatchObject({ version: 3 });
    const [revision] = await ok('GET', `audit_logs?kind=gate&id=${trigger.gateID}`);
    expect(revision).toMatchObject({ action: 'release', actorID: 'scheduler' });
  });

  test('the scheduler stays within the limit of queries of D1, and continues in its next run', async () => {
    const phases = Array.from({ length: 100 }, (_, index) => phase(`Phase ${index}`));
    const { releasePipelineID, gateID } = await toRelease(phases);
    const ids = [gateID, (await makeGate()).id, (await makeGate()).id];
    const all = await Promise.all(
      ids.map((id) => ok('POST', 'release_pipeline_triggers', { releasePipelineID, gateID: id })),
    );
    wait(100 * hour);
    let batches = 0;
    const DB = withBatches(env.DB, (session, statements) => {
      batches++;
      return session.batch<never>(statements);
    });
    await runScheduler(DB);
    expect(batches).toBeLessThan(350);
    for (let run = 0; run < 4; run++) await runScheduler();
    for (const { id } of all) expect(await read(id)).toMatchObject({ status: 'COMPLETED' });
  });

  test('the scheduler and a move at once both take effect, once', async () => {
    const trigger = await releaseOf(one, two, phase('Three'));
    wait(hour);
    const [{ data }] = await Promise.all([act(trigger.id, 'skip', 'two'), runScheduler()]);
    expect(data).toMatchObject({ currentPhaseID: 'three', status: 'IN_PROGRESS' });
    await runScheduler();
    expect(await read(trigger.id)).toEqual(data);
    expect(await ruleNames(trigger)).toEqual(['Three']);
  });

  test('lists filter by the status at the time of reading, stored or not', async () => {
    const { id, gateID, releasePipelineID } = await releaseOf(one);
    const list = async (query: string) =>
      (await ok('GET', `release_pipeline_triggers?gateID=${gateID}&${query}`)).map(
        (found: { id: string; status: string }) => [found.id, found.status],
      );
    expect(await list('status=IN_PROGRESS')).toEqual([[id, 'IN_PROGRESS']]);
    expect(await list('status=COMPLETED')).toEqual([]);
    wait(hour);
    expect(await list('status=IN_PROGRESS')).toEqual([]);
    expect(await list('status=COMPLETED&status=ABORTED')).toEqual([[id, 'COMPLETED']]);
    expect(await list(`releasePipelineID=${releasePipelineID}`)).toHaveLength(1);
    expect(await list('releasePipelineID=another')).toEqual([]);
    expect(await list('dynamicConfigID=another')).toEqual([]);
    expect((await call('GET', 'release_pipeline_triggers?status=DONE')).status).toBe(400);
  });

  test('lists by name, which a release lacks, sort by the id', async () => {
    for (let count = 0; count < 3; count++) await releaseOf(one);
    const listed = await ok('GET', 'release_pipeline_triggers?sortKey=name&limit=1000');
    const ids = listed.map(({ id }: { id: string }) => id);
    expect(ids.length).toBeGreaterThan(2);
    expect(ids).toEqual(ids.toSorted());
  });

  test('a later change of the pipeline does not touch a release under way', async () => {
    const trigger = await releaseOf(one, two);
    const path = `release_pipelines/${trigger.releasePipelineID}`;
    await ok('POST', path, { name: 'Changed', phases: [phase('Other')] });
    wait(hour);
    expect(await read(trigger.id)).toMatchObject({ currentPhase: 'Two', phases: trigger.phases });
    expect(trigger.phases.map(({ name }: { name: string }) => name)).toEqual(['One', 'Two']);
  });
});

describe('a read of an overdue release', () => {
  const gateOf = ({ gateID }: { gateID: string }) => call('GET', `gates/${gateID}`);
  const versionOf = async (path: string) => (await ok('GET', `${path}/versions`))[0].version;

  test('a read of the rules of a gate stores a phase that is due', async () => {
    const trigger = await releaseOf(one, two);
    const first = await call('GET', `gates/${trigger.gateID}/rules`);
    const headers = { 'If-None-Match': first.headers.get('ETag') ?? '' };
    wait(hour);
    const then = await call('GET', `gates/${trigger.gateID}/rules`, { headers });
    expect([then.status, then.data[0].name]).toEqual([200, 'Two']);
  });

  test('a read of the gate stores an overdue phase, in the history of the gate and the trigger', async () => {
    const trigger = await releaseOf(one, two);
    wait(hour);
    expect((await gateOf(trigger)).data.rules).toMatchObject([{ name: 'Two' }]);
    const [entered] = await ok('GET', `release_pipeline_triggers/${trigger.id}/versions`);
    expect(entered).toMatchObject({ version: 2, action: 'advance', actorID: 'scheduler' });
    const [released] = await ok('GET', `gates/${trigger.gateID}/versions`);
    expect(released).toMatchObject({ action: 'release', requestID: entered.requestID });
    expect(await read(trigger.id)).toMatchObject({ currentPhaseID: 'two', version: 2 });
  });

  test('a read of the versions of either stores a phase that is due', async () => {
    const trigger = await releaseOf(one, two, phase('Three'));
    const versionsOf = async (path: string) => (await ok('GET', `${path}/versions`)).length;
    wait(hour);
    expect(await versionsOf(`gates/${trigger.gateID}`)).toBe(3);
    wait(2 * hour);
    expect(await versionsOf(`release_pipeline_triggers/${trigger.id}`)).toBe(3);
    wait(hour);
    const last = await ok('GET', `release_pipeline_triggers/${trigger.id}/versions/4`);
    expect(last.snapshot).toMatchObject({ status: 'COMPLETED' });
  });

  test('a read of the trigger moves its ETag and its gate', async () => {
    const trigger = await releaseOf(one, two);
    const path = `release_pipeline_triggers/${trigger.id}`;
    const headers = { 'If-None-Match': '"1"' };
    expect((await call('GET', path, { headers })).status).toBe(304);
    wait(hour);
    const moved = await call('GET', path, { headers });
    expect([moved.status, moved.headers.get('ETag')]).toEqual([200, '"2"']);
    expect((await gateOf(trigger)).data).toMatchObject({ version: 3, rules: [{ name: 'Two' }] });
  });

  test('each phase that is over is a change of its own', async () => {
    const trigger = await releaseOf(one, two, phase('Three'));
    wait(3 * hour);
    expect((await gateOf(trigger)).data).toMatchObject({ version: 4, rules: [{ name: 'Three' }] });
  });

  test('a change of the gate, alone or among many, comes after the phase', async () => {
    const trigger = await releaseOf(one, two);
    const other = await releaseOf(one, two);
    wait(hour);
    const path = `gates/${trigger.gateID}`;
    const options = { body: { description: 'New.' }, headers: { 'If-Match': '"2"' } };
    expect((await call('PATCH', path, options)).status).toBe(412);
    expect((await ok('PATCH', path, options.body)).rules).toMatchObject([{ name: 'Two' }]);
    const { body } = options;
    const change = { method: 'PATCH', path: `/console/v1/gates/${other.gateID}`, body };
    const [{ body: answer }] = await ok('POST', 'changes', { changes: [change] });
    expect(answer.data).toMatchObject({ version: 4, rules: [{ name: 'Two' }] });
  });

  test('lists of gates and triggers show no phase that is over', async () => {
    const trigger = await releaseOf(one, two);
    wait(hour);
    const listed = await ok('GET', `gates?releasePipelineID=${trigger.releasePipelineID}`);
    const gate = listed.find(({ id }: { id: string }) => id === trigger.gateID);
    expect(gate.rules).toMatchObject([{ name: 'Two' }]);
  });

  test('an export has the phase that is due', async () => {
    const trigger = await releaseOf(one, two);
    wait(hour);
    const lines = textOf(await send('GET', 'export'));
    const parsed = (await lines)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const entityOf = (kind: string, id: string) =>
      parsed.find((line) => line.kind === kind && line.entity.id === id)?.entity;
    expect(entityOf('gate', trigger.gateID).rules).toMatchObject([{ name: 'Two' }]);
    expect(entityOf('release_pipeline_trigger', trigger.id).currentPhaseID).toBe('two');
  });

  test('an evaluation is by the phase that is due', async () => {
    const trigger = await releaseOf(phase('One', { rules: [] }), two);
    const body = { user: { userID: 'u-1' }, kind: 'gate', id: trigger.gateID };
    expect((await ok('POST', 'evaluate', body)).value).toBe(false);
    wait(hour);
    expect((await ok('POST', 'evaluate', body)).value).toBe(true);
    expect(await versionOf(`gates/${trigger.gateID}`)).toBe(3);
  });

  test('the audit log has the phase that is due', async () => {
    const trigger = await releaseOf(one, two);
    wait(hour);
    const [newest] = await ok('GET', `audit_logs?kind=gate&id=${trigger.gateID}`);
    expect(newest).toMatchObject({ version: 3, action: 'release' });
  });

  test('a config, too', async () => {
    const { id: dynamicConfigID } = await ok('POST', 'dynamic_configs', { name: unique('Config') });
    const { id: releasePipelineID } = await makePipeline({ phases: [one, two] });
    await release({ releasePipelineID, dynamicConfigID });
    wait(hour);
    const config = await ok('GET', `dynamic_configs/${dynamicConfigID}`);
    expect(config.rules).toMatchObject([{ name: 'Two' }]);
  });

  test('costs two rows if nothing is due: the release, and the next one in the index', async () => {
    const paths: string[] = [];
    for (const name of [unique('Aaaa'), unique('Zzzz')]) {
      const { releasePipelineID } = await toRelease([one, two]);
      const { id: gateID } = await makeGate({ name });
      const { id } = await ok('POST', 'release_pipeline_triggers', { releasePipelineID, gateID });
      paths.push(`gates/${gateID}`, `release_pipeline_triggers/${id}`);
    }
    for (const path of paths) {
      const { trips, read: rows } = costOf(await call('GET', path));
      expect([path, trips, rows <= 3]).toEqual([path, 1, true]);
    }
  });

  test('a gate whose release is over can be deleted', async () => {
    const trigger = await releaseOf(one);
    wait(hour);
    await ok('DELETE', `gates/${trigger.gateID}`);
    expect(await read(trigger.id)).toMatchObject({ status: 'COMPLETED' });
  });
});

/** A release whose second phase passes who passes another gate, which then comes to ask for the first. */
async function circling() {
  const other = await makeGate();
  const { id: releasePipelineID } = await makePipeline({
    phases: [one, phase('Two', { rules: [passing(other.id)] })],
  });
  const gate = await makeGate({ rules: [{ ...everyone, name: 'Before' }] });
  const body = { releasePipelineID, gateID: gate.id };
  return {
    body,
    otherID: other.id,
    makeCircle: () => ok('PATCH', `gates/${other.id}`, { rules: [passing(gate.id)] }),
  };
}

describe('a phase that cannot begin', () => {
  test('is refused at the start where it makes a circle', async () => {
    const { body, makeCircle } = await circling();
    await makeCircle();
    const answer = await release(body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ property: 'releasePipelineID' }]);
    expect(answer.body.message).toContain('circle');
  });

  test('is refused at the start if it is the first, naming the field of the body', async () => {
    const other = await makeGate();
    const body = await toRelease([phase('One', { rules: [passing(other.id)] })]);
    await ok('PATCH', `gates/${other.id}`, { rules: [passing(body.gateID)] });
    const answer = await release(body);
    expect([answer.status, answer.body.errors]).toMatchObject([
      400,
      [{ property: 'releasePipelineID', errorMessage: expect.stringContaining('circle') }],
    ]);
  });

  test('is checked against the combined changes of a request, in any order', async () => {
    const { body, otherID, makeCircle } = await circling();
    const start = { method: 'POST', path: `${base}/release_pipeline_triggers`, body };
    const path = `${base}/gates/${otherID}`;
    const set = (rules: object[]) => ({ method: 'PATCH', path, body: { rules } });
    const both = (...changes: object[]) => call('POST', 'changes', { body: { changes } });
    const refused = await both(start, set([passing(body.gateID)]));
    expect([refused.status, refused.body.errors?.[0].property]).toEqual([
      400,
      'changes.0.releasePipelineID',
    ]);
    await makeCircle();
    expect((await both(start, set([]))).status).toBe(200);
  });

  test('is tried again where what it was refused for is no longer so', async () => {
    await emptyDatabase(); // of releases that are due as well
    const { data } = await release((await circling()).body);
    wait(hour);
    let refusals = 0;
    const DB = withBatches(env.DB, (session, statements) => {
      if (statements.length < 3 || refusals++ > 0) return session.batch<never>(statements);
      throw new Error('D1_ERROR: console: unknown reference');
    });
    await runPhases(DB);
    expect(refusals).toBe(2);
    expect(await read(data.id)).toMatchObject({ status: 'IN_PROGRESS', currentPhaseID: 'two' });
  });
});

describe('a phase that cannot begin at its turn', () => {
  test('pauses the release at its turn, says why, and stops no other', async () => {
    const { body, makeCircle } = await circling();
    const { data } = await release(body);
    const other = await releaseOf(one, two);
    await makeCircle();
    wait(hour);
    await runScheduler();
    expect(await ruleNames(other)).toEqual(['Two']);
    const paused = await read(data.id);
    expect(paused).toMatchObject({ status: 'PAUSED', currentPhaseID: 'one', version: 2 });
    expect(paused.actions.at(-1)).toMatchObject({
      type: 'PAUSED',
      actorID: 'scheduler',
      reason: expect.stringContaining('circle'),
    });
    expect(await tripsOf(data.id)).toBe(1);
    expect(await ruleNames(body)).toEqual(['One']);
    const again = await act(data.id, 'unpause', 'one');
    expect([again.status, again.body.errors?.[0].property]).toEqual([400, 'phaseID']);
    expect((await act(data.id, 'abort', 'one')).data).toMatchObject({ status: 'ABORTED' });
    expect(await ruleNames(body)).toEqual(['Before']);
  });

  test('is tried again where it was the database that failed', async () => {
    const { id } = await releaseOf(one, two);
    wait(hour);
    vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    let lost = 0;
    const plan = (_: number, statements: number) =>
      statements > 2 && lost++ < 4 ? 'lost before commit' : undefined;
    await runPhases(failingDatabase(env.DB, plan));
    expect(lost).toBeGreaterThanOrEqual(4);
    expect(await read(id)).toMatchObject({ status: 'IN_PROGRESS', currentPhaseID: 'two' });
  });

  test('goes after the others, where it could not be stored in the last run', async () => {
    const { id: failing } = await releaseOf(one, two, reviewed);
    wait(1);
    const { id: other } = await releaseOf(one, two, reviewed);
    wait(hour);
    vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const run = (DB: D1Database) => advanceTriggers(openDatabase(DB, 'first-primary'), Date.now());
    await run(failingDatabase(env.DB, (batch) => (batch === 1 ? 'lost before commit' : undefined)));
    const advanced = async () => {
      // From the database: a request to the service would store overdue phases.
      const named =
        "select id from revisions where action = 'advance' and id in (?, ?) order by seq";
      const { results } = await env.DB.prepare(named).bind(failing, other).all();
      return results.map(({ id }) => id);
    };
    expect(await advanced()).toEqual([other]);
    wait(3 * hour);
    await run(env.DB);
    expect(await advanced()).toEqual([other, other, failing, failing]);
  });

  test('pauses it where it names what a company that has become strict does not know', async () => {
    const condition = { type: 'unit_id', customID: 'moonID', operator: 'any', targetValue: ['m'] };
    const rules = [{ ...everyone, conditions: [condition] }];
    const { id: releasePipelineID } = await makePipeline({
      phases: [one, phase('Two', { rules })],
    });
    const { id: gateID } = await makeGate();
    const { data } = await release({ releasePipelineID, gateID });
    await ok('PATCH', 'company', { strict: true });
    wait(hour);
    const answer = await call('PATCH', `gates/${gateID}`, { body: { description: 'D' } });
    expect(answer.status).toBe(200);
    expect(costOf(answer).trips).toBeLessThan(20); // one retry
    const { status, actions } = await read(data.id);
    expect([status, actions.at(-1).reason]).toEqual(['PAUSED', expect.stringContaining('moonID')]);
    await ok('PATCH', 'company', { strict: false });
  });

  test('pauses it also where someone reads first', async () => {
    const { body, makeCircle } = await circling();
    const { data } = await release(body);
    await makeCircle();
    wait(hour);
    expect(await ruleNames(body)).toEqual(['One']);
    expect(await read(data.id)).toMatchObject({ status: 'PAUSED' });
  });
});

describe('pause and unpause', () => {
  test('keep the remaining time', async () => {
    const { id } = await releaseOf(one, two);
    wait(0.25 * hour);
    const paused = await act(id, 'pause', 'one');
    expect(paused.data).toMatchObject({ status: 'PAUSED', currentPhaseEndTime: start + hour });
    wait(100 * hour);
    await runScheduler();
    expect(await read(id)).toEqual(paused.data);
    const resumed = await act(id, 'unpause', 'one');
    expect(resumed.data).toMatchObject({
      status: 'IN_PROGRESS',
      currentPhaseEndTime: start + 100.25 * hour + 0.75 * hour,
    });
    expect(typesOf(resumed.data)).toEqual(['STARTED', 'PAUSED', 'UNPAUSED']);
    expect(resumed.data.actions[2]).toMatchObject({
      phaseID: 'one',
      timeMs: start + 100.25 * hour,
    });
    wait(0.75 * hour);
    expect(await read(id)).toMatchObject({ currentPhaseID: 'two' });
  });

  test('are 409 in another status, and 400 without the phase', async () => {
    const { id } = await releaseOf(one);
    const refused = await act(id, 'unpause', 'one');
    expect(refused.status).toBe(409);
    expect(refused.body.message).toContain('IN_PROGRESS');
    await act(id, 'pause', 'one');
    expect((await act(id, 'pause', 'one')).status).toBe(409);
    const { status, body } = await call('PUT', `release_pipeline_triggers/${id}/unpause`);
    expect([status, body.errors[0].property]).toEqual([400, 'phaseID']);
  });

  test('leave the rules that someone gave the gate meanwhile', async () => {
    const trigger = await releaseOf(one, two);
    const rules = [{ ...everyone, name: 'By hand' }];
    await ok('PATCH', `gates/${trigger.gateID}`, { rules });
    await act(trigger.id, 'pause', 'one');
    await act(trigger.id, 'unpause', 'one');
    expect(await ruleNames(trigger)).toEqual(['By hand']);
  });
});

describe('every move', () => {
  const moves = ['pause', 'unpause', 'skip', 'approve', 'rollout', 'abort'];

  test('is 409 for a phase that is not, or no longer, the current one', async () => {
    const { id } = await releaseOf(one, two);
    const early = await act(id, 'pause', 'two');
    expect(early.status).toBe(409);
    expect(early.body).toMatchObject({ type: '/problems/transition' });
    expect(early.body.errors).toMatchObject([{ property: 'phaseID' }]);
    wait(hour);
    expect((await act(id, 'skip', 'one')).status).toBe(409);
    expect((await act(id, 'pause', 'two')).status).toBe(200);
  });

  test('is 409 that names the status once the release is over', async () => {
    const completed = await releaseOf(one);
    wait(hour);
    const aborted = await releaseOf(one);
    await act(aborted.id, 'abort', 'one');
    for (const name of moves)
      for (const [{ id }, status] of [
        [completed, 'COMPLETED'],
        [aborted, 'ABORTED'],
      ]) {
        const answer = await act(id, name, 'one');
        expect([name, answer.status]).toEqual([name, 409]);
        expect(answer.body.message).toContain(status);
      }
  });

  test('keeps the ETag: 412 for another version', async () => {
    const { id } = await releaseOf(one);
    const options = { body: { phaseID: 'one' }, headers: { 'If-Match': '"7"' } };
    expect((await call('PUT', `release_pipeline_triggers/${id}/pause`, options)).status).toBe(412);
  });
});

describe('skip', () => {
  test('enters the next phase now, from any unfinished status', async () => {
    const trigger = await releaseOf(reviewed, one, two, phase('Three'));
    wait(0.5 * hour);
    const first = await act(trigger.id, 'skip', 'reviewed');
    expect(first.data).toMatchObject({
      currentPhaseID: 'one',
      currentPhaseEndTime: start + 1.5 * hour,
    });
    await act(trigger.id, 'pause', 'one');
    wait(hour);
    const second = await act(trigger.id, 'skip', 'one');
    expect(second.data).toMatchObject({
      status: 'IN_PROGRESS',
      currentPhaseID: 'two',
      currentPhaseEndTime: start + 3.5 * hour,
    });
    expect(await ruleNames(trigger)).toEqual(['Two']);
    expect(typesOf(second.data)).toEqual(['STARTED', 'SKIPPED', 'PAUSED', 'SKIPPED']);
    const left = second.data.actions.map(({ phaseID }: { phaseID: string }) => phaseID);
    expect(left).toEqual(['reviewed', 'reviewed', 'one', 'one']);
  });

  test('completes after the last phase', async () => {
    const { id } = await releaseOf(one);
    wait(1000);
    const { data } = await act(id, 'skip', 'one');
    expect(data).toMatchObject({ status: 'COMPLETED', currentPhaseEndTime: start + 1000 });
  });
});

describe('rollout', () => {
  test('puts the rules of the last phase in force and completes', async () => {
    const trigger = await releaseOf(one, reviewed, two);
    wait(1000);
    const { data } = await act(trigger.id, 'rollout', 'one');
    expect(data).toMatchObject({
      status: 'COMPLETED',
      currentPhaseID: 'two',
      currentPhaseEndTime: start + 1000,
    });
    expect(typesOf(data)).toEqual(['STARTED', 'FULL_ROLL_OUT']);
    expect(await ruleNames(trigger)).toEqual(['Two']);
  });
});

describe('abort', () => {
  test('puts no values back that the schema has come to refuse', async () => {
    const all = { name: 'All', passPercentage: 100, conditions: [{ type: 'public' }] };
    const { id: dynamicConfigID } = await ok('POST', 'dynamic_configs', {
      name: unique('Config'),
      defaultValue: { a: 'd' },
      rules: [{ ...all, returnValue: { a: 1 } }],
    });
    const { id: releasePipelineID } = await makePipeline({
      phases: [phase('One', { rules: [{ ...all, returnValue: { a: 'x' } }] })],
    });
    const body = { releasePipelineID, dynamicConfigID };
    const { id } = await ok('POST', 'release_pipeline_triggers', body);
    const path = `dynamic_configs/${dynamicConfigID}`;
    const schema = (type: string) =>
      JSON.stringify({ type: 'object', properties: { a: { type } } });
    await ok('PATCH', path, { schema: schema('string') });
    const refused = await act(id, 'abort', (await read(id)).currentPhaseID);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringContaining('rule All does not satisfy the schema'),
    ]);
    await ok('PATCH', path, { schema: '{}' });
    expect((await act(id, 'abort', (await read(id)).currentPhaseID)).status).toBe(200);
  });

  test('restores the pipeline before, which cannot be deleted until then', async () => {
    const pipeline = async (path: string) => (await ok('GET', path)).releasePipelineID;
    for (const earlier of [null, (await makePipeline()).id]) {
      const { releasePipelineID, gateID } = await toRelease([one]);
      const path = `gates/${gateID}`;
      await ok('PATCH', path, { releasePipelineID: earlier });
      const { data } = await release({ releasePipelineID, gateID });
      expect(await pipeline(path)).toBe(releasePipelineID);
      if (earlier !== null)
        expect((await call('DELETE', `release_pipelines/${earlier}`)).status).toBe(409);
      await act(data.id, 'abort', data.currentPhaseID);
      expect(await pipeline(path)).toBe(earlier);
      expect((await call('DELETE', `release_pipelines/${releasePipelineID}`)).status).toBe(200);
    }
  });

  test('puts the rules before the release back, ids and all', async () => {
    const { releasePipelineID } = await toRelease([one, two]);
    const gate = await makeGate({ rules: [{ ...everyone, name: 'Before' }] });
    const { data } = await release({ releasePipelineID, gateID: gate.id });
    wait(hour);
    const aborted = await act(data.id, 'abort', 'two');
    expect(aborted.data).toMatchObject({ status: 'ABORTED', currentPhaseEndTime: start + hour });
    expect(typesOf(aborted.data)).toEqual(['STARTED', 'ABORTED']);
    expect((await ok('GET', `gates/${gate.id}`)).rules).toEqual(gate.rules);
  });

  test('reports the rolled back changes in a dry run, with manual edits since', async () => {
    const trigger = await releaseOf(one, two);
    await ok('PATCH', `gates/${trigger.gateID}`, { description: 'Not of the rules.' });
    const rules = [{ ...everyone, name: 'By hand' }];
    await ok('PATCH', `gates/${trigger.gateID}`, { rules: [] });
    await ok('PATCH', `gates/${trigger.gateID}`, { rules });
    const path = `release_pipeline_triggers/${trigger.id}/abort`;
    const body = { phaseID: 'one' };
    const { data } = await call('PUT', `${path}?dryRun=true`, { body });
    expect(data.takenBack).toMatchObject({
      kind: 'gate',
      id: trigger.gateID,
      changes: [
        { property: 'rules', old: [{ name: 'By hand' }], new: [{ name: 'Before' }] },
        { property: 'releasePipelineID', old: trigger.releasePipelineID, new: null },
      ],
      edits: [{ version: 5, action: 'update', actorID: 'root' }, { version: 4 }],
    });
    expect(await ruleNames(trigger)).toEqual(['By hand']);
    expect((await call('PUT', path, { body })).data.takenBack).toEqual(data.takenBack);
  });

  test('names the edits made by hand in a project that was imported, too', async () => {
    const { releasePipelineID } = await toRelease([one]);
    const { id: gateID } = await makeGate();
    for (const description of ['One.', 'Two.'])
      await ok('PATCH', `gates/${gateID}`, { description });
    const { id } = await ok('POST', 'release_pipeline_triggers', { releasePipelineID, gateID });
    const project = await exportProject();
    await emptyDatabase();
    await importProject(project);
    await ok('PATCH', `gates/${gateID}`, { rules: [everyone] });
    const { takenBack } = (await act(id, 'abort', 'one')).data;
    expect(takenBack.edits).toMatchObject([{ version: 2, action: 'update' }]);
  });

  test('names no edits where it takes none back, as before the first review', async () => {
    const waiting = await releaseOf(reviewed);
    await ok('PATCH', `gates/${waiting.gateID}`, { rules: [{ ...everyone, name: 'By hand' }] });
    const { takenBack } = (await act(waiting.id, 'abort', 'reviewed')).data;
    expect([takenBack.changes, takenBack.edits]).toEqual([[], []]);
    expect(await ruleNames(waiting)).toEqual(['By hand']);
  });

  test('works while it is paused or waits for review', async () => {
    const waiting = await releaseOf(reviewed);
    expect((await act(waiting.id, 'abort', 'reviewed')).status).toBe(200);
    const paused = await releaseOf(one);
    await act(paused.id, 'pause', 'one');
    await act(paused.id, 'abort', 'one');
    expect(await ruleNames(paused)).toEqual(['Before']);
  });
});

describe('abort with changed rules', () => {
  test('restores a rule with its salt', async () => {
    const body = await toRelease([one]);
    const path = `gates/${body.gateID}`;
    const [rule] = (await ok('PATCH', path, { rules: [{ ...everyone, name: 'Own' }] })).rules;
    const { id, currentPhaseID } = await ok('POST', 'release_pipeline_triggers', body);
    await ok('PATCH', path, { rules: [{ ...rule, salt: 'other' }] });
    await act(id, 'abort', currentPhaseID);
    expect((await ok('GET', path)).rules).toEqual([rule]);
  });

  test('draws a rule again as before where a phase between left it out', async () => {
    const everyoneAt = (passPercentage: number) => ({ ...everyone, name: 'Own', passPercentage });
    const body = await toRelease([
      phase('Team', { rules: [{ ...everyone, name: 'Team' }] }),
      phase('Half', { rules: [everyoneAt(50)] }),
    ]);
    const path = `gates/${body.gateID}`;
    const [rule] = (await ok('PATCH', path, { rules: [everyoneAt(20)] })).rules;
    const { id, currentPhaseID } = await ok('POST', 'release_pipeline_triggers', body);
    expect((await act(id, 'skip', currentPhaseID)).status).toBe(200);
    const { id: ruleID, baseID } = rule;
    expect((await ok('GET', path)).rules).toMatchObject([
      { id: ruleID, baseID, passPercentage: 50 },
    ]);
  });

  test('keeps the ids of a rule of a phase, so that no user changes the bucket', async () => {
    const at = (passPercentage: number) => [{ ...everyone, name: 'New', passPercentage }];
    const body = await toRelease([phase('A', { rules: at(20) }), phase('B', { rules: at(50) })]);
    const { id, currentPhaseID } = await ok('POST', 'release_pipeline_triggers', body);
    const [rule] = (await ok('GET', `gates/${body.gateID}`)).rules;
    expect((await act(id, 'skip', currentPhaseID)).status).toBe(200);
    expect((await ok('GET', `gates/${body.gateID}`)).rules).toEqual([
      { ...rule, passPercentage: 50 },
    ]);
  });

  test('draws a rule that a phase has brought again as before, where a phase between left it out', async () => {
    const brought = (passPercentage: number) => ({ ...everyone, name: 'New', passPercentage });
    const body = await toRelease([
      phase('A', { rules: [brought(20)] }),
      phase('B', { rules: [{ ...everyone, name: 'Other' }] }),
      phase('C', { rules: [brought(50)] }),
    ]);
    const { id, currentPhaseID } = await ok('POST', 'release_pipeline_triggers', body);
    const [rule] = (await ok('GET', `gates/${body.gateID}`)).rules;
    const second = await act(id, 'skip', currentPhaseID);
    expect((await act(id, 'skip', second.data.currentPhaseID)).status).toBe(200);
    expect((await ok('GET', `gates/${body.gateID}`)).rules).toEqual([
      { ...rule, passPercentage: 50 },
    ]);
  });

  test('gives two rules different ids after a manual rename to the name of another', async () => {
    const named = (name: string) => ({ ...everyone, name });
    const body = await toRelease([
      phase('A', { rules: [named('Own'), named('New')] }),
      phase('B', { rules: ['Own', 'Own too', 'New', 'New too'].map(named) }),
    ]);
    const path = `gates/${body.gateID}`;
    await ok('PATCH', path, { rules: [named('Own')] });
    const { id, currentPhaseID } = await ok('POST', 'release_pipeline_triggers', body);
    const { rules } = await ok('GET', path);
    const renamed = rules.map((rule: { name: string }) => ({ ...rule, name: `${rule.name} too` }));
    await ok('PATCH', path, { rules: renamed });
    expect((await act(id, 'skip', currentPhaseID)).status).toBe(200);
    const after: { id: string; name: string }[] = (await ok('GET', path)).rules;
    expect(new Set(after.map((rule) => rule.id)).size).toBe(4);
    const idOf = (name: string) => after.find((rule) => rule.name === name)?.id;
    expect([idOf('Own too'), idOf('New too')]).toEqual(
      rules.map((rule: { id: string }) => rule.id),
    );
  });
});

describe('what a release needs', () => {
  test('cannot be removed before it ends', async () => {
    const [before, later] = [await makeGate(), await makeGate()];
    const rules = [passing(later.id)];
    const { id: releasePipelineID } = await makePipeline({
      phases: [one, phase('Two', { rules })],
    });
    const gate = await makeGate({ rules: [passing(before.id)] });
    const { data } = await release({ releasePipelineID, gateID: gate.id });
    await ok('POST', `release_pipelines/${releasePipelineID}`, { name: 'Emptied', phases: [one] });
    await ok('PATCH', `gates/${gate.id}`, { releasePipelineID: null });
    const needed = [before, later, gate].map(({ id }) => `gates/${id}`);
    for (const path of [...needed, `release_pipelines/${releasePipelineID}`]) {
      const { status, body } = await call('DELETE', path);
      expect([path, status]).toEqual([path, 409]);
      expect(body.references).toMatchObject([{ kind: 'release_pipeline_trigger', id: data.id }]);
    }
    await act(data.id, 'rollout', 'one');
    await ok('PATCH', `gates/${gate.id}`, { releasePipelineID: null });
    await ok('DELETE', `gates/${gate.id}`);
    await ok('DELETE', `release_pipelines/${releasePipelineID}`);
    expect(await read(data.id)).toMatchObject({ status: 'COMPLETED', gateID: gate.id });
  });
});

describe('the versions of a release', () => {
  test('a trigger is deleted once it is over, and comes back as it ended alone', async () => {
    const trigger = await releaseOf(one);
    const path = `release_pipeline_triggers/${trigger.id}`;
    const refused = await call('DELETE', path);
    expect([refused.status, refused.body.type]).toEqual([409, '/problems/transition']);
    wait(hour);
    await ok('DELETE', path);
    expect((await call('GET', path)).status).toBe(404);
    const rules = [{ ...everyone, name: 'Later' }];
    await ok('PATCH', `gates/${trigger.gateID}`, { rules });
    expect((await call('PUT', `${path}/versions/1/restore`)).status).toBe(409);
    expect(await ok('PUT', `${path}/versions/2/restore`)).toMatchObject({ status: 'COMPLETED' });
    expect(await ruleNames(trigger)).toEqual(['Later']);
    await ok('DELETE', `gates/${trigger.gateID}`);
  });

  test('an earlier one comes back paused, with the wait it had left and its rules', async () => {
    const trigger = await releaseOf(one, two);
    wait(0.5 * hour);
    await act(trigger.id, 'skip', 'one');
    wait(hour);
    const path = `release_pipeline_triggers/${trigger.id}/versions/1/restore`;
    const restored = await ok('PUT', path);
    expect(restored).toMatchObject({ status: 'PAUSED', currentPhaseID: 'one', version: 3 });
    expect(typesOf(restored)).toEqual(['STARTED', 'SKIPPED']);
    expect(await tripsOf(trigger.id)).toBe(1);
    expect(await ruleNames(trigger)).toEqual(['One']);
    const { data } = await act(trigger.id, 'unpause', 'one');
    expect(data.currentPhaseEndTime).toBe(start + 1.5 * hour + hour);
  });

  test('a version entered after its end is restored with its whole phase left', async () => {
    const { id } = await releaseOf(one, two, phase('Three'));
    wait(3.5 * hour);
    expect(await read(id)).toMatchObject({ currentPhaseID: 'three', version: 3 });
    await ok('PUT', `release_pipeline_triggers/${id}/versions/2/restore`);
    const { data } = await act(id, 'unpause', 'two');
    expect(data).toMatchObject({
      currentPhaseID: 'two',
      currentPhaseEndTime: start + 3.5 * hour + 2 * hour,
    });
  });

  test('none comes back once the release is over', async () => {
    const { id } = await releaseOf(one);
    wait(hour);
    const answer = await call('PUT', `release_pipeline_triggers/${id}/versions/1/restore`);
    expect(answer.status).toBe(409);
    expect(answer.body.message).toContain('COMPLETED');
  });
});

describe('a dynamic config', () => {
  const green = { ...everyone, returnValue: { colour: 'green' } };
  const makeConfig = () =>
    ok('POST', 'dynamic_configs', {
      name: unique('Config'),
      defaultValue: { colour: 'blue' },
      schema: JSON.stringify({ properties: { colour: { type: 'string' } } }),
    });

  test('is released like a gate', async () => {
    const config = await makeConfig();
    const { id: releasePipelineID } = await makePipeline({
      phases: [phase('One', { rules: [green] })],
    });
    const { data } = await release({ releasePipelineID, dynamicConfigID: config.id });
    expect(data).toMatchObject({
      dynamicConfigID: config.id,
      gateID: '',
      configSnapshotID: `dynamic_config:${config.id}:1`,
    });
    const released = await ok('GET', `dynamic_configs/${config.id}`);
    expect(released).toMatchObject({ releasePipelineID, rules: [green] });
    await act(data.id, 'abort', 'one');
    expect((await ok('GET', `dynamic_configs/${config.id}`)).rules).toEqual([]);
  });

  test('keeps its own values in phases that name none', async () => {
    const own = [
      { ...everyone, name: 'Green', returnValue: { colour: 'green' } },
      { ...everyone, name: 'Red', returnValue: { colour: 'red' } },
    ];
    const config = await ok('POST', 'dynamic_configs', { name: unique('Config'), rules: own });
    const [bare, other] = [
      { ...everyone, name: 'Red', passPercentage: 5 },
      { ...everyone, name: 'Half', passPercentage: 50 },
    ];
    const { id: releasePipelineID } = await makePipeline({
      phases: [
        phase('One', { rules: [bare] }),
        phase('Two', {
          rules: [
            other,
            { ...other, name: 'Own', returnValue: { colour: 'x' } },
            { ...other, name: 'Third' },
          ],
        }),
      ],
    });
    await release({ releasePipelineID, dynamicConfigID: config.id });
    const rules = async () => (await ok('GET', `dynamic_configs/${config.id}`)).rules;
    expect(await rules()).toMatchObject([{ ...bare, returnValue: { colour: 'red' } }]);
    wait(hour);
    expect(await rules()).toMatchObject([
      { ...other, returnValue: { colour: 'green' } },
      { name: 'Own', returnValue: { colour: 'x' } },
      { name: 'Third', returnValue: { colour: 'red' } },
    ]);
  });

  test('pauses if a value no longer satisfies its schema', async () => {
    const config = await makeConfig();
    const phases = [phase('One'), phase('Two', { rules: [green] })];
    const { id: releasePipelineID } = await makePipeline({ phases });
    const { data } = await release({ releasePipelineID, dynamicConfigID: config.id });
    const schema = JSON.stringify({ properties: { colour: { enum: ['blue'] } } });
    await ok('PATCH', `dynamic_configs/${config.id}`, { schema });
    wait(hour);
    const paused = await read(data.id);
    expect(paused).toMatchObject({ status: 'PAUSED', currentPhaseID: 'one' });
    expect(paused.actions.at(-1).reason).toContain('schema');
    expect((await act(data.id, 'skip', 'one')).status).toBe(409);
    expect((await act(data.id, 'abort', 'one')).status).toBe(200);
  });

  test('refuses a pipeline whose values do not satisfy its schema', async () => {
    const config = await makeConfig();
    const rules = [{ ...green, returnValue: { colour: 7 } }];
    const { id: releasePipelineID } = await makePipeline({
      phases: [phase('One'), phase('Two', { rules })],
    });
    const answer = await release({ releasePipelineID, dynamicConfigID: config.id });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ property: 'releasePipelineID' }]);
    expect(answer.body.message).toContain('phase Two');
  });
});
