import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import worker from '../../src/index.ts';
import { call, type Options, ok } from '../support/client.ts';
import { contents, emptyDatabase } from '../support/database.ts';
import { makeGate, passing, unique } from '../support/factories.ts';
import { type Fault, failingDatabase, withBatches } from '../support/faults.ts';
import { allowMoreTrips } from '../support/responses.ts';

beforeEach(() => allowMoreTrips('batches that fail are sent again'));

describe('a change whose batch fails', () => {
  beforeAll(emptyDatabase);

  type Prepare = () => Promise<{ method: string; path: string; body?: unknown }>;

  /** Kinds of changes, each with the index of the batch that stores it. */
  const everyKind: [string, Prepare, number][] = [
    [
      'create',
      async () => ({ method: 'POST', path: 'gates', body: { name: unique('Fault'), tags: ['f'] } }),
      1,
    ],
    [
      'update',
      async () => ({
        method: 'PATCH',
        path: `gates/${(await makeGate()).id}`,
        body: { tags: ['f'] },
      }),
      1,
    ],
    [
      'archive',
      async () => ({
        method: 'PUT',
        path: `gates/${(await makeGate({ tags: ['f'] })).id}/archive`,
      }),
      1,
    ],
    [
      'delete',
      async () => ({ method: 'DELETE', path: `gates/${(await makeGate({ tags: ['f'] })).id}` }),
      1,
    ],
    [
      'restore',
      async () => {
        const { id } = await makeGate({ tags: ['f'] });
        await ok('DELETE', `gates/${id}`);
        return { method: 'PUT', path: `gates/${id}/versions/1/restore` };
      },
      1,
    ],
    [
      'record',
      async () => ({ method: 'POST', path: 'events', body: { events: [{ name: 'fault' }] } }),
      0,
    ],
    [
      'many',
      async () => ({
        method: 'POST',
        path: 'changes',
        body: {
          changes: [unique('Many'), unique('Many')].map((name) => ({
            method: 'POST',
            path: '/console/v1/gates',
            body: { name, tags: ['f'] },
          })),
        },
      }),
      1,
    ],
  ];
  const count = async () => {
    const row = await env.DB.prepare('select count(*) as n from revisions').first<{ n: number }>();
    return row?.n ?? 0;
  };

  const faults: Fault[] = ['lost before commit', 'lost after commit', 'overloaded'];

  /** Limits the statements of a batch that fail, one per run. */
  const maxStatements = 8;

  /** Makes one change whose batch fails, and checks that the response matches what was stored. */
  async function changeUnder(fault: Fault, atBatch: number, prepare: Prepare) {
    const { method, path, body } = await prepare();
    const before = await contents();
    const revisions = await count();
    let statements = 0;
    const db = failingDatabase(env.DB, (batch, size) => {
      if (batch !== atBatch) return undefined;
      statements = size;
      return fault;
    });
    const answer = await call(method, path, { body, bindings: { DB: db }, fails: true });
    const made = (await count()) - revisions;
    const at = `${JSON.stringify(fault)} at batch ${atBatch}`;
    if (answer.status < 300) expect(made, at).toBe(path === 'changes' ? 2 : 1);
    else expect(await contents(), at).toEqual(before);
    if (answer.status === 503) expect(answer.headers.get('Retry-After'), at).toBe('1');
    expect([200, 201, 500, 503], at).toContain(answer.status);
    return { status: answer.status, statements };
  }

  test.each(everyKind)(
    'a change (%s) whose batch fails is stored once with its revision or not at all, matching its status',
    async (_, prepare, last) => {
      for (let atBatch = 0; atBatch < last; atBatch++)
        for (const fault of faults) await changeUnder(fault, atBatch, prepare);
      const [before, after, overloaded] = [
        await changeUnder('lost before commit', last, prepare),
        await changeUnder('lost after commit', last, prepare),
        await changeUnder('overloaded', last, prepare),
      ];
      expect([before.status < 300, after.status < 300, overloaded.status]).toEqual([
        true,
        true,
        503,
      ]);
      for (let atBatch = 0; atBatch <= last; atBatch++)
        for (let [statement, count] = [0, 1]; statement <= count; statement++) {
          const { status, statements } = await changeUnder({ statement }, atBatch, prepare);
          if (atBatch === last && statement === 1) expect(status).toBe(500);
          count = Math.min(statements, maxStatements - 1);
        }
    },
  );

  test.each([
    'D1_ERROR: Request timed out.',
    'D1_ERROR: internal error; reference = 7',
    'D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.',
  ])('a creation is stored once if D1 fails with %j after storing it', async (message) => {
    const [before, batches] = [await count(), [1, 2]];
    const DB = withBatches(env.DB, async (session, statements) => {
      const results = await session.batch<never>(statements);
      if (batches.shift() === 2) throw new Error(message);
      return results;
    });
    const answer = await call('POST', 'gates', {
      body: { name: unique('Unlucky') },
      bindings: { DB },
    });
    expect([answer.status, (await count()) - before]).toEqual([201, 1]);
  });
});

describe('a database that fails', () => {
  beforeAll(emptyDatabase);

  test('a change that other changes always precede is 409 before the query limit of D1', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0); // no wait between attempts
    onTestFinished(() => void vi.restoreAllMocks());
    let batches = 0;
    const DB = withBatches(env.DB, (session, statements) => {
      if (++batches % 2 > 0) return session.batch<never>(statements);
      throw new Error('D1_ERROR: UNIQUE constraint failed: revisions.id');
    });
    const answer = await call('POST', 'tags', {
      body: { name: 'late' },
      bindings: { DB },
      fails: true,
    });
    expect([answer.status, answer.body.type]).toEqual([409, '/problems/contention']);
    expect(batches).toBeLessThan(1000);
  });

  test('a change is computed again if another was stored before its retry', async () => {
    const { id } = await makeGate();
    const add = (userID: string, options: Options = {}) =>
      call('PATCH', `gates/${id}/overrides`, { body: { passingUserIDs: [userID] }, ...options });
    let batches = 0;
    const DB = withBatches(env.DB, async (session, statements) => {
      const isFirst = batches++ === 1;
      if (isFirst) await add('other');
      if (isFirst) throw new Error('D1_ERROR: Network connection lost.');
      return session.batch<never>(statements);
    });
    expect((await add('own', { bindings: { DB } })).status).toBe(200);
    expect((await ok('GET', `gates/${id}/overrides`)).passingUserIDs).toEqual(['other', 'own']);
  });

  test('a deletion is computed again if its referrer is deleted before it can be listed', async () => {
    const { id } = await makeGate();
    const { id: referrer } = await makeGate({ rules: [passing(id)] });
    const refusing = (meanwhile: () => Promise<unknown>) =>
      withBatches(env.DB, (session, statements) =>
        session.batch<never>(statements).catch(async (error) => {
          await meanwhile();
          throw error;
        }),
      );
    const removal = (DB: D1Database) => call('DELETE', `gates/${id}`, { bindings: { DB } });
    const first = refusing(async () => {});
    expect((await removal(first)).body.message).toContain(referrer);
    const gone = refusing(() => call('DELETE', `gates/${referrer}`));
    expect((await removal(gone)).status).toBe(200);
  });

  test('a creation is 503 with an unknown outcome if every database response is lost', async () => {
    const keyed: Record<string, string>[] = [{}, { 'Idempotency-Key': crypto.randomUUID() }];
    for (const headers of keyed) {
      const db = failingDatabase(env.DB, (batch) => (batch > 0 ? 'lost after commit' : undefined));
      const body = { name: unique('Unlucky') };
      const answer = await call('POST', 'gates', {
        body,
        headers,
        bindings: { DB: db },
        fails: true,
      });
      expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '1']);
      expect(answer.body.message).toContain('whether');
    }
  });

  test('a creation is 503 if a database response is lost and the retry fails otherwise', async () => {
    const plan = (batch: number) =>
      batch === 1 ? 'lost before commit' : batch === 2 ? { statement: 1 } : undefined;
    const body = { name: unique('Unlucky') };
    const bindings = { DB: failingDatabase(env.DB, plan) };
    expect((await call('POST', 'gates', { body, bindings, fails: true })).status).toBe(503);
  });

  test('a scheduled job that fails rejects the run after all other jobs have ended', async () => {
    let [batches, open] = [0, 0];
    const DB = withBatches(env.DB, async (session, statements) => {
      if (batches++ === 0) throw new Error('D1_ERROR: no such table: gates');
      open++;
      const results = await session.batch<never>(statements);
      open--;
      return results;
    });
    const work = worker.scheduled(createScheduledController(), { ...env, DB });
    await expect(work).rejects.toThrow('no such table: gates');
    expect(batches).toBeGreaterThan(3);
    expect(open).toBe(0);
  });

  test('a read is 503 without any SQL if the database is overloaded', async () => {
    const db = failingDatabase(env.DB, () => 'overloaded');
    const answer = await call('GET', 'gates', { bindings: { DB: db }, fails: true });
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '1']);
    expect(JSON.stringify(answer.body)).not.toMatch(/select|D1_ERROR/i);
  });
});
