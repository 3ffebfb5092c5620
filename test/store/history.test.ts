import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { call, each, ok } from '../support/client.ts';
import { contents, emptyDatabase } from '../support/database.ts';
import { makeGate, makeSegment, passing, prepareCall, unique } from '../support/factories.ts';

const histories = each(({ path }) =>
  /\/(gates|environments)\/:id\/versions\/:version\/restore$/.test(path),
);

describe('restoring a version', () => {
  beforeAll(emptyDatabase);

  test.each(histories)('%s is 412 with a stale If-Match and stores nothing', async (_, route) => {
    const { path } = await prepareCall(route);
    const entity = path.replace('/versions/1/restore', '');
    await call('PUT', path); // restores the entity if the preparation deleted it
    const before = await contents();
    for (const tag of ['"77"', 'W/"1"', '"77", "78"', '"nonsense"']) {
      const answer = await call('PUT', path, { headers: { 'If-Match': tag } });
      expect([tag, answer.status]).toEqual([tag, 412]);
      expect(answer.headers.get('ETag')).toMatch(/^"\d+"$/);
      expect(answer.body.current).toMatchObject({ lastModifierName: 'CONSOLE API' });
    }
    expect(await contents()).toEqual(before);
    for (const form of [(tag: string) => tag, (tag: string) => `"77", ${tag}`, () => '*']) {
      const tag = (await call('GET', entity)).headers.get('ETag') ?? '';
      const answer = await call('PUT', path, { headers: { 'If-Match': form(tag) } });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    }
  });

  /** Deletions that can be undone: all except of API keys. */
  const revivable = each(
    ({ path, method }) =>
      method === 'DELETE' && path.endsWith('/:id') && !path.endsWith('/keys/:id'),
  );

  test.each(revivable)('%s keeps all versions, and each can be restored', async (_, route) => {
    const { path } = await prepareCall(route);
    const before = await ok('GET', path);
    const { snapshot: old } = await ok('GET', `${path}/versions/1`);
    const stale = await call('DELETE', path, { headers: { 'If-Match': '"77"' } });
    expect(stale.status).toBe(412);
    await ok('DELETE', path);
    expect((await call('GET', path)).status).toBe(404);
    const versions = await ok('GET', `${path}/versions`);
    expect(versions[0].action).toBe('delete');
    const restored = await call('PUT', `${path}/versions/1/restore`);
    expect(restored.status, JSON.stringify(restored.body)).toBe(200);
    const stamps = { version: expect.any(Number), lastModifiedTime: expect.any(Number) };
    expect(await ok('GET', path)).toEqual({ ...before, ...stamps });
    const newest = versions.length + 1;
    const { snapshot } = await ok('GET', `${path}/versions/${newest}`);
    // A restored holdout draws its units again.
    const drawn = 'phaseTime' in old ? { phaseTime: snapshot.phaseTime } : {};
    expect(snapshot).toEqual({ ...old, ...stamps, ...drawn, version: newest });
  });

  test('restoring the current version adds no version', async () => {
    const { id } = await makeGate();
    expect(await ok('PUT', `gates/${id}/versions/1/restore`)).toMatchObject({ version: 1 });
    expect(await ok('GET', `gates/${id}/versions`)).toHaveLength(1);
  });

  test('restoring a version that refers to a deleted gate is 400', async () => {
    const other = await makeGate();
    const { id } = await makeGate({ rules: [passing(other.id)] });
    await ok('PATCH', `gates/${id}`, { rules: [] });
    await ok('DELETE', `gates/${other.id}`);
    const answer = await call('PUT', `gates/${id}/versions/1/restore`);
    expect([answer.status, answer.body.type]).toEqual([400, '/problems/unknown_reference']);
  });

  test('restoring a deleted entity with If-Match is 412', async () => {
    const { id } = await makeGate();
    await ok('DELETE', `gates/${id}`);
    const headers = { 'If-Match': '"2"' };
    expect((await call('PUT', `gates/${id}/versions/1/restore`, { headers })).status).toBe(412);
    expect((await call('GET', `gates/${id}`)).status).toBe(404);
  });
});

describe('the history of an entity', () => {
  beforeAll(emptyDatabase);

  test.each(each(({ method, path }) => method === 'GET' && /\/(gates|tags)\/:id$/.test(path)))(
    '%s is 304 if If-None-Match names the current version',
    async (_, route) => {
      const { path } = await prepareCall(route);
      const first = await call('GET', path);
      const tag = first.headers.get('ETag') ?? '';
      for (const mine of [tag, `W/${tag}`, `"77", ${tag}`, '*']) {
        const answer = await call('GET', path, { headers: { 'If-None-Match': mine } });
        expect([answer.status, answer.body]).toEqual([304, undefined]);
      }
      expect((await call('GET', path, { headers: { 'If-None-Match': '"77"' } })).status).toBe(200);
    },
  );

  test('a version lists its changes, compared with the version before or any other', async () => {
    const { id } = await makeGate({ tags: ['a'] });
    await ok('PATCH', `gates/${id}`, { tags: ['b'] });
    await ok('PATCH', `gates/${id}`, { description: 'D' });
    const change = (version: number, query = '') =>
      ok('GET', `gates/${id}/versions/${version}${query}`);
    const tags = { property: 'tags', old: ['a'], new: ['b'] };
    const description = { property: 'description', old: '', new: 'D' };
    expect((await change(2)).changes).toEqual([tags]);
    expect((await change(3)).changes).toEqual([description]);
    expect((await change(3, '?compareTo=1')).changes.toSorted()).toEqual([description, tags]);
    expect((await change(1, '?compareTo=2')).changes).toEqual([
      { ...tags, old: ['b'], new: ['a'] },
    ]);
    expect((await call('GET', `gates/${id}/versions/3?compareTo=9`)).status).toBe(404);
    expect((await call('GET', `gates/${id}/versions/9`)).status).toBe(404);
  });

  test.each(['01', '0', '1e0', '+1', '%201', '1.0', '-1', '0x1', 'one', '1'.repeat(30)])(
    'a version spelled %s is 404',
    async (version) => {
      const { id } = await makeGate();
      const message = `The gate ${id} has no version ${decodeURIComponent(version)}.`;
      for (const [method, path] of [
        ['GET', `gates/${id}/versions/${version}`],
        ['PUT', `gates/${id}/versions/${version}/restore`],
      ]) {
        const { status, body } = await call(method ?? '', path ?? '');
        expect([status, body.type, body.message]).toEqual([404, '/problems/not_found', message]);
      }
    },
  );

  test('a deleted ID that is created again continues with the next version', async () => {
    const { id, name } = await makeGate();
    await ok('DELETE', `gates/${id}`);
    expect(await ok('POST', 'gates', { id, name })).toMatchObject({ version: 3 });
  });

  test('a creation after a deletion lists new values only, and compareTo the changes since before it', async () => {
    const { id } = await makeGate({ description: 'First.', tags: ['a'] });
    await ok('DELETE', `gates/${id}`);
    await ok('POST', 'gates', { id, name: 'Again', description: 'Second.' });
    const [created, removed] = await ok('GET', `gates/${id}/versions`);
    const second = { property: 'description', new: 'Second.' };
    expect(created).toMatchObject({ action: 'create', version: 3 });
    expect(created.changes).toContainEqual(second);
    expect(created.changes).toContainEqual({ property: 'tags', new: [] });
    expect(JSON.stringify(created.changes)).not.toContain('"old"');
    expect(removed.changes).toContainEqual({ property: 'description', old: 'First.' });
    expect(JSON.stringify(removed.changes)).not.toContain('"new"');
    for (const { version, changes: listed } of [created, removed]) {
      const { changes: read } = await ok('GET', `gates/${id}/versions/${version}`);
      expect(read).toHaveLength(listed.length);
      expect(read).toEqual(expect.arrayContaining(listed));
    }
    const { changes: since } = await ok('GET', `gates/${id}/versions/3?compareTo=1`);
    expect(since).toContainEqual({ ...second, old: 'First.' });
    expect(since).toContainEqual({ property: 'tags', old: ['a'], new: [] });
    expect(since).not.toContainEqual(expect.objectContaining({ property: 'id' }));
  });

  test('a value over 4,000 bytes is listed by length and hash, and is whole in the snapshot of its version', async () => {
    const { id } = await makeSegment({ type: 'id_list' });
    const idOf = (length: number) => 'x'.repeat(length);
    const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
    const [short, long] = [[idOf(3996)], [idOf(3996), 'y']];
    for (const unit of long) await ok('PATCH', `segments/${id}/id_list`, { add: [unit] });
    expect(json(short)).toHaveLength(4000);
    const sha256 = new Uint8Array(await crypto.subtle.digest('SHA-256', json(long))).toHex();
    const hashed = { length: 4004, sha256 };
    const changeOf = ({ changes: made }: { changes: { property: string }[] }) =>
      made.find(({ property }) => property === 'ids');
    const [third, second] = await ok('GET', `segments/${id}/versions`);
    expect(changeOf(second)).toEqual({ property: 'ids', old: [], new: short });
    expect(changeOf(third)).toEqual({ property: 'ids', old: short, new: hashed });
    const [logged] = await ok('GET', `audit_logs?id=${id}`);
    expect(logged.changes).toEqual(third.changes);
    const read = await ok('GET', `segments/${id}/versions/3`);
    expect(changeOf(read)).toEqual({ property: 'ids', old: short, new: hashed });
    expect(read.snapshot.ids).toEqual(long);
    const { changes: all } = await ok('GET', `segments/${id}/versions/3?compareTo=1`);
    expect(all).toContainEqual({ property: 'ids', old: [], new: long });
  });

  test('revisions cannot be updated or deleted by SQL', async () => {
    await makeGate();
    for (const statement of ["update revisions set action = 'x'", 'delete from revisions'])
      await expect(env.DB.prepare(statement).run()).rejects.toThrow('append-only');
  });
});

describe('the audit log', () => {
  test('the audit log lists every change and filters by kind, ID, action, actor and day', async () => {
    vi.useFakeTimers({ toFake: ['Date'] }); // stays in one day
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { key, id: actor } = await ok('POST', 'keys', {
      name: 'Auditor',
      scopes: ['read', 'write'],
    });
    const { data: gate } = await call('POST', 'gates', { key, body: { name: unique('Audited') } });
    await call('PUT', `gates/${gate.id}/disable`, { key });
    const today = new Date().toISOString().slice(0, 10);
    const filters = [
      `id=${gate.id}`,
      `kind=gate&id=${gate.id}`,
      `updatedBy=${actor}`,
      `updatedBy=${actor}&startDate=${today}&endDate=${today}`,
    ];
    for (const filter of filters) {
      const rows = await ok('GET', `audit_logs?${filter}`);
      expect(rows.map(({ action }: { action: string }) => action)).toEqual(['disable', 'create']);
    }
    expect(await ok('GET', `audit_logs?id=${gate.id}&actionType=disable`)).toHaveLength(1);
    expect(await ok('GET', `audit_logs?id=${gate.id}&endDate=2020-01-01`)).toEqual([]);
    const [created] = await ok('GET', `audit_logs?kind=key&id=${actor}`);
    expect(created.changes).toContainEqual({ property: 'hash', new: '<KEY>' });
    expect(JSON.stringify(created)).not.toContain(key);
  });
});
