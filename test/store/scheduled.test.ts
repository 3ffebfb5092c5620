import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import worker from '../../src/index.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import type { Statement } from '../../src/platform/store/sql/statement.ts';
import { claimJob, releaseClaim } from '../../src/scheduled/claims.ts';
import type { Job, JobRun } from '../../src/scheduled/job.ts';
import { jobs } from '../../src/scheduled/jobs.ts';
import { runJobs } from '../../src/scheduled/run.ts';
import { ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { withBatches } from '../support/faults.ts';

const minute = 60_000;
const never = new Promise<never>(() => {});

const one: Statement = { sql: 'select 1 as one', params: [], decode: (row) => row };
const addNote: Statement = {
  sql: "insert into pending select 'note ' || (count(*) + 1) from pending",
  params: [],
  decode: (row) => row,
};

/** Returns a job that always has work, which is to add one row, and what it is given instead. */
const jobOf = (given: Partial<Job> = {}): Job => ({
  name: 'noting',
  everyMinutes: 1,
  budget: { trips: 10, ms: 20_000 },
  isDue: () => sql`true`,
  run: async ({ db }) => {
    await db.batch(addNote);
  },
  ...given,
});

const open = () => openDatabase(env.DB, 'first-primary');

const notes = async () =>
  (await env.DB.prepare('select count(*) as count from pending').first<{ count: number }>())?.count;

const passTime = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

/** The log lines of jobs, parsed. */
const lines: Record<string, unknown>[] = [];

beforeEach(async () => {
  await emptyDatabase();
  lines.length = 0;
  const keep = (line: string) => void lines.push(JSON.parse(line));
  vi.spyOn(console, 'info').mockImplementation(keep);
  vi.spyOn(console, 'error').mockImplementation(keep);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a claim of a job', () => {
  test('two overlapping runs of the scheduler run a job once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => runJobs([jobOf()], env)));
    expect(await notes()).toBe(1);
    expect(lines).toHaveLength(1);
  });

  test('a job whose process was killed between claim and work runs again when its lease has ended', async () => {
    const killed = withBatches(env.DB, (session, statements) =>
      batches++ === 0 ? session.batch<never>(statements) : never,
    );
    let batches = 0;
    void runJobs([jobOf()], { ...env, DB: killed });
    await vi.waitFor(() => expect(batches).toBe(2));
    await runJobs([jobOf()], env);
    expect(await notes()).toBe(0);
    passTime(jobOf().budget.ms);
    await runJobs([jobOf()], env);
    expect(await notes()).toBe(0);
    passTime(30_000);
    await runJobs([jobOf()], env);
    expect(await notes()).toBe(1);
  });

  test('a run whose lease was taken by another run does not release the claim of that run', async () => {
    const now = Date.now();
    const first = await claimJob(open(), jobOf(), now);
    const second = await claimJob(open(), jobOf(), now + minute);
    if (!first || !second) throw new Error('Both claims must succeed.');
    await releaseClaim(open(), first, now);
    expect(await claimJob(open(), jobOf(), now + minute)).toBeUndefined();
    await releaseClaim(open(), second, now);
    expect(await claimJob(open(), jobOf(), now + minute)).toBeDefined();
  });

  test('a job of every ten minutes runs once in ten minutes, and again at once after a failure', async () => {
    let fails = true;
    const run = async ({ db }: JobRun) => {
      await db.batch(addNote);
      if (fails) throw new Error('not this time');
    };
    const job = jobOf({ everyMinutes: 10, run });
    await expect(runJobs([job], env)).rejects.toThrow('not this time');
    fails = false;
    for (let passed = 0; passed < 20; passed++) {
      await runJobs([job], env);
      passTime(minute);
    }
    expect(await notes()).toBe(1 + 2);
  });
});

describe('a job of the scheduler', () => {
  test('writes one log line with its cost', async () => {
    await runJobs([jobOf()], env);
    expect(lines).toEqual([
      {
        job: 'noting',
        ms: expect.any(Number),
        trips: 1,
        rowsRead: expect.any(Number),
        rowsWritten: 1,
        outcome: 'done',
      },
    ]);
  });

  test('that fails is logged, and neither stops the others nor keeps its claim', async () => {
    const failing = jobOf({
      name: 'failing',
      run: async () => Promise.reject(new Error('broken')),
    });
    const jobs = [failing, jobOf(), jobOf({ name: 'later', after: ['failing'] })];
    for (let run = 1; run <= 2; run++) {
      await expect(runJobs(jobs, env)).rejects.toThrow('broken');
      expect(await notes()).toBe(2 * run);
    }
    expect(lines.filter(({ job }) => job === 'failing')).toMatchObject([
      { outcome: 'failed', error: 'Error: broken' },
      { outcome: 'failed', error: 'Error: broken' },
    ]);
  });

  test('that never ends stops no other, and is left when its time is over', async () => {
    const hanging = jobOf({ name: 'hanging', budget: { trips: 1, ms: 50 }, run: () => never });
    await runJobs([hanging, jobOf(), jobOf({ name: 'later', after: ['hanging'] })], env);
    expect(await notes()).toBe(2);
    expect(lines).toContainEqual(expect.objectContaining({ job: 'hanging', outcome: 'late' }));
    expect(await claimJob(open(), hanging, Date.now())).toBeUndefined();
  });

  test('that works on after its time is refused the database', async () => {
    const { promise, resolve } = Promise.withResolvers<JobRun>();
    const run = (given: JobRun) => {
      resolve(given);
      return never;
    };
    await runJobs([jobOf({ budget: { trips: 10, ms: 50 }, run })], env);
    const { db } = await promise;
    await expect(db.batch(addNote)).rejects.toThrow('The job noting has spent its budget.');
    expect(await notes()).toBe(0);
  });

  test('sends no more statements than its budget has, and can stop before', async () => {
    const greedy = jobOf({
      run: async ({ db }) => {
        for (;;) await db.batch(addNote);
      },
    });
    await expect(runJobs([greedy], env)).rejects.toThrow('has spent its budget');
    expect(await notes()).toBe(10);
    const careful = jobOf({
      run: async ({ db, left }) => {
        while (left().trips > 0 && left().ms > 0) await db.batch(addNote);
      },
    });
    await runJobs([careful], env);
    expect(await notes()).toBe(20);
    expect(lines.map(({ trips, outcome }) => [trips, outcome])).toEqual([
      [10, 'failed'],
      [10, 'done'],
    ]);
  });

  test('begins after the jobs that it names', async () => {
    const order: string[] = [];
    const named = (name: string, after: string[], trips: number) =>
      jobOf({
        name,
        after,
        run: async ({ db }) => {
          for (let trip = 0; trip < trips; trip++) await db.batch(one);
          order.push(name);
        },
      });
    await runJobs([named('slow', [], 5), named('last', ['slow'], 1), named('quick', [], 1)], env);
    expect(order).toEqual(['quick', 'slow', 'last']);
  });
});

describe('the jobs of the service', () => {
  test('have different names, and name only jobs before them', () => {
    const names = jobs.map(({ name }) => name);
    expect(new Set(names).size).toBe(jobs.length);
    for (const [index, { after = [] }] of jobs.entries())
      for (const name of after) expect(names.slice(0, index)).toContain(name);
  });

  test('read 42 rows together without work, in one round trip each, and write and log nothing', async () => {
    const cost = { trips: 0, read: 0, written: 0 };
    const DB = withBatches(env.DB, async (session, statements) => {
      const results = await session.batch<never>(statements);
      cost.trips++;
      for (const { meta } of results) {
        cost.read += meta.rows_read;
        cost.written += meta.rows_written;
      }
      return results;
    });
    await ok('POST', 'gates', { name: 'Idle' });
    await ok('POST', 'experiments', { name: 'Idle' });
    await ok('POST', 'webhooks', { name: 'Idle', url: 'https://idle.example/' });
    await worker.scheduled(createScheduledController(), env); // looks at the new entities
    lines.length = 0;
    await worker.scheduled(createScheduledController(), { ...env, DB });
    expect(cost).toEqual({ trips: jobs.length, read: 42, written: 0 });
    expect(lines).toEqual([]);
  });
});
