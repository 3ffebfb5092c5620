import { beforeEach, describe, expect, test } from 'vitest';
import { call, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import {
  everyone,
  makeConnection,
  makeExperimentIn,
  makeGate,
  makeLayer,
  makeSegment,
  makeTrigger,
  passing,
} from '../support/factories.ts';
import { checkInvariants } from '../support/invariants.ts';
import { exportProject } from '../support/transfer.ts';

describe('an import', () => {
  beforeEach(emptyDatabase);

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
});

describe('an import of a list', () => {
  beforeEach(emptyDatabase);

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
});
