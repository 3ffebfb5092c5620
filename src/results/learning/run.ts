import { and, eq } from 'drizzle-orm';
import { Problem } from '../../base/problem.ts';
import { hourLength, hourOfTime } from '../../base/time.ts';
import {
  type AutotuneRun,
  autotuneHours,
  autotuneRuns,
  type LearnedVariant,
  nothingCounted,
} from '../../experiments/autotune_runs/table.ts';
import { decideAutotune } from '../../experiments/autotunes/lifecycle.ts';
import type { Autotune } from '../../experiments/autotunes/schema.ts';
import { autotunes } from '../../experiments/autotunes/table.ts';
import { hasRoom, type LoadJob } from '../../platform/scheduled/budget.ts';
import { schedulerTransaction } from '../../platform/scheduled/transaction.ts';
import { commit } from '../../platform/store/commit.ts';
import type { Transaction } from '../../platform/store/core/transaction.ts';
import { changeEntity } from '../../platform/store/entities/entities.ts';
import { insertInto } from '../../platform/store/sql/rows.ts';
import { once, query, type Statement } from '../../platform/store/sql/statement.ts';
import { readDueRun, removeRun } from './due.ts';
import { learn } from './shares.ts';
import { readTrials, withChunk } from './trials.ts';

const tripsOfStep = 4;

const updateRun = (
  { id, start, dueHour, counted }: AutotuneRun,
  next: Pick<AutotuneRun, 'dueHour' | 'counted'>,
): Statement =>
  once(
    query
      .update(autotuneRuns)
      .set(next)
      .where(
        and(
          eq(autotuneRuns.id, id),
          eq(autotuneRuns.start, start),
          eq(autotuneRuns.dueHour, dueHour),
          eq(autotuneRuns.counted, counted),
        ),
      ),
  );

const percent = (share: number) => `${(100 * share).toFixed(1)}%`;

function learningReason(
  { probabilityOfBest, units }: LearnedVariant,
  { winnerThreshold }: Autotune,
) {
  const probability = percent(probabilityOfBest ?? 0);
  return `Best with a probability of ${probability} after ${units} units; the winner threshold is ${winnerThreshold}.`;
}

async function finishHour(
  tx: Transaction,
  run: AutotuneRun,
  autotune: Autotune,
  hour: number,
): Promise<void> {
  const { trials } = run.counted;
  const { variants, weights, winner } = learn(autotune, trials, hour * hourLength);
  const statements = [
    ...insertInto(autotuneHours, [{ id: run.id, start: run.start, hour, variants }]),
    updateRun(run, { dueHour: hour + 1, counted: nothingCounted }),
  ];
  if (!weights && !winner) {
    await tx.db.batch(...statements);
    return;
  }
  const action = winner ? 'make_decision' : 'update';
  await changeEntity(tx, autotunes, run.id, { action, ifMatch: undefined }, (current) => {
    if (!winner) return { ...current, weights };
    const decisionReason = learningReason(winner, current);
    return decideAutotune(current, { id: winner.name, decisionReason }, tx.author.time);
  });
  const outcome = await commit(tx, statements);
  if (outcome instanceof Problem) throw outcome;
}

async function advanceRun({ db, now, chunkSize }: LoadJob, run: AutotuneRun): Promise<void> {
  const tx = schedulerTransaction(db, now);
  const autotune = await tx.find(autotunes, run.id);
  if (autotune?.status !== 'active' || autotune.startTime !== run.start) {
    await db.batch(removeRun({ id: run.id }));
    return;
  }
  const hour = run.counted.unit === '' ? hourOfTime(now) : run.dueHour;
  const [rows] = await db.batch(readTrials(autotune, run.start, run.counted, { hour, chunkSize }));
  const counted = withChunk(run.counted, rows);
  if (!counted) return finishHour(tx, run, autotune, hour);
  await db.batch(updateRun(run, { dueHour: hour, counted }));
}

async function skipHour({ db, now }: LoadJob, run: AutotuneRun, error: unknown): Promise<void> {
  console.error(`The autotune ${run.id} has not learned: ${error}`);
  await db.batch(updateRun(run, { dueHour: hourOfTime(now) + 1, counted: nothingCounted }));
}

/** Counts trials once an hour, and moves the shares. A chunk is stored with its place, so nothing counts twice. */
export async function learnFromTrials(load: LoadJob): Promise<void> {
  while (hasRoom(load, tripsOfStep)) {
    const [[run]] = await load.db.batch(readDueRun({ hour: hourOfTime(load.now) }));
    if (!run) return;
    await advanceRun(load, run).catch((error) => skipHour(load, run, error));
  }
}
