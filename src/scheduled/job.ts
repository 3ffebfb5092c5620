import type { SQL } from 'drizzle-orm';
import type { Platform } from '../platform/env.ts';
import type { Database } from '../platform/store/sql/database.ts';

interface Budget {
  trips: number;
  ms: number;
}

export interface JobRun {
  env: Platform;
  /** The job's own session. It throws when the budget is spent. */
  db: Database;
  now: number;
  /** Returns the rest of the budget; a job that stops in time continues in its next run. */
  left(): Budget;
}

export interface Job {
  name: string;
  /** Waits this long after the start of a successful run; 1 runs in each run of the scheduler. */
  everyMinutes: number;
  budget: Budget;
  /** Jobs that end first. */
  after?: string[];
  /** Returns the condition under which there is work; without work nothing is claimed or logged. */
  isDue(now: number): SQL;
  run(run: JobRun): Promise<void>;
}
