import { and, eq, lte, sql } from 'drizzle-orm';
import { minuteLength } from '../base/time.ts';
import type { Database } from '../platform/store/sql/database.ts';
import { excluded } from '../platform/store/sql/expressions.ts';
import { once, query } from '../platform/store/sql/statement.ts';
import { jobClaims } from '../platform/store/sql/tables.ts';
import type { Job } from './job.ts';

/** D1 ends a statement after 30 s: when a lease ends, the last statement of its run has ended too. */
const longestStatement = 30_000;

export interface Claim {
  job: string;
  leaseEnd: number;
}

/** Claims a job; undefined if another run has it or it is not yet due. One round trip. `now` in epoch milliseconds. */
export async function claimJob(
  db: Database,
  { name, budget, isDue }: Job,
  now: number,
): Promise<Claim | undefined> {
  const leaseEnd = now + budget.ms + longestStatement;
  const isFree = and(lte(jobClaims.leaseEnd, now), lte(jobClaims.nextTime, now));
  const statement = query
    .insert(jobClaims)
    .select(sql`select ${name}, ${leaseEnd}, 0 where ${isDue(now)}`)
    .onConflictDoUpdate({
      target: jobClaims.job,
      set: { leaseEnd: excluded(jobClaims.leaseEnd) },
      setWhere: isFree,
    })
    .returning({ job: jobClaims.job, leaseEnd: jobClaims.leaseEnd });
  const [[claim]] = await db.batch(once(statement));
  return claim;
}

/** Returns the earliest next start, half a minute early: the scheduler's runs are not exactly a minute apart. */
export const nextTimeOf = ({ everyMinutes }: Job, now: number): number =>
  everyMinutes === 1 ? now : now + (everyMinutes - 0.5) * minuteLength;

/** Ends a claim, unless its lease has run out and another run has the job. */
export async function releaseClaim(
  db: Database,
  { job, leaseEnd }: Claim,
  nextTime: number,
): Promise<void> {
  const isOwn = and(eq(jobClaims.job, job), eq(jobClaims.leaseEnd, leaseEnd));
  await db.batch(once(query.update(jobClaims).set({ leaseEnd: 0, nextTime }).where(isOwn)));
}
