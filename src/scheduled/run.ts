import type { Platform } from '../platform/env.ts';
import { type Meter, openDatabase } from '../platform/store/sql/database.ts';
import { claimJob, nextTimeOf, releaseClaim } from './claims.ts';
import type { Job, JobRun } from './job.ts';

class TimeOver extends Error {}

/** The end of a run: `late` if its time is over before its work. */
type JobOutcome = { is: 'done' | 'late' } | { is: 'failed'; error: unknown };

async function outcomeOf(work: Promise<void>, ms: number): Promise<JobOutcome> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<JobOutcome>((resolve) => {
    timer = setTimeout(() => resolve({ is: 'late' }), ms);
  });
  const ended = work.then(
    (): JobOutcome => ({ is: 'done' }),
    (error): JobOutcome => (error instanceof TimeOver ? { is: 'late' } : { is: 'failed', error }),
  );
  return Promise.race([ended, late]).finally(() => clearTimeout(timer));
}

function beginJob(job: Job, env: Platform, now: number) {
  const meter: Meter = { trips: 0, rowsRead: 0, rowsWritten: 0, milliseconds: 0 };
  const left = () => ({
    trips: job.budget.trips - meter.trips,
    ms: now + job.budget.ms - Date.now(),
  });
  const admit = () => {
    const { trips, ms } = left();
    const message = `The job ${job.name} has spent its budget.`;
    if (trips <= 0) throw new Error(message);
    if (ms <= 0) throw new TimeOver(message);
  };
  const db = openDatabase(env.DB, 'first-primary', meter, admit);
  const run: JobRun = { env, db, now, left };
  return { meter, work: job.run(run) };
}

function log(
  { name }: Job,
  ms: number,
  { trips, rowsRead, rowsWritten }: Meter,
  outcome: JobOutcome,
) {
  const cost = { job: name, ms, trips, rowsRead, rowsWritten, outcome: outcome.is };
  if (outcome.is === 'failed')
    return console.error(JSON.stringify({ ...cost, error: String(outcome.error) }));
  const write = outcome.is === 'done' ? console.info : console.error;
  write(JSON.stringify(cost));
}

async function runJob(job: Job, env: Platform): Promise<void> {
  const claims = openDatabase(env.DB, 'first-primary');
  const now = Date.now();
  const claim = await claimJob(claims, job, now);
  if (!claim) return;
  const { meter, work } = beginJob(job, env, now);
  const outcome = await outcomeOf(work, job.budget.ms);
  log(job, Date.now() - now, meter, outcome);
  // A late job may have a statement under way: its lease covers that.
  if (outcome.is !== 'late')
    await releaseClaim(claims, claim, outcome.is === 'done' ? nextTimeOf(job, now) : now);
  if (outcome.is === 'failed') throw outcome.error;
}

/**
 * Runs the jobs side by side, each after the jobs that it waits for; none waits longer than another's budget.
 * @throws the first error of a job, after all jobs: the runtime cancels pending work when a scheduled event ends
 */
export async function runJobs(jobs: readonly Job[], env: Platform): Promise<void> {
  const ends = new Map<string, Promise<void>>();
  for (const job of jobs) {
    const before = (job.after ?? []).map((name) => ends.get(name));
    const end = Promise.allSettled(before).then(() => runJob(job, env));
    ends.set(job.name, end);
  }
  for (const end of await Promise.allSettled(ends.values()))
    if (end.status === 'rejected') throw end.reason;
}
