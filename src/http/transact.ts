import type { Context } from 'hono';
import type { Service } from '../env.ts';
import { Problem } from '../problem.ts';
import { reads } from '../store/changes/staged_reads.ts';
import { transaction } from '../store/changes/transaction.ts';
import { commit } from '../store/commit.ts';
import type { Reads } from '../store/core/reads.ts';
import type { Transaction } from '../store/core/transaction.ts';
import { mostTrips } from '../store/sql/database.ts';
import { changeNote } from './change_note.ts';
import { withWarnings } from './warnings.ts';
import { onceOnly } from './zod_errors.ts';

type Call = Context<Service>;

/** How long a change is computed again because others came first, in milliseconds. */
const patience = 5000;

/** A random wait in milliseconds, longer with each attempt, so that writers at one entity spread out. */
export const backoff = (attempt: number) =>
  scheduler.wait(Math.random() * Math.min(2 ** (attempt + 1), 200));

/** What a request that changes nothing reads with. */
export const open = (c: Call): Reads => reads(c.get('db'), Date.now());

/** Whether `?dryRun=true` asks to check everything and store nothing. */
export function wantsDryRun(c: Call): boolean {
  const [value = 'false', ...more] = c.req.queries('dryRun') ?? [];
  if (more.length > 0) throw Problem.property('dryRun', onceOnly);
  if (value === 'true' || value === 'false') return value === 'true';
  throw Problem.property('dryRun', 'must be one of "true", "false"');
}

/** Has nothing stored; 400 among many changes, which are stored together or not at all. */
export function storeNothing(tx: Transaction): void {
  if (tx.origin !== '')
    throw Problem.property('dryRun', 'must be asked of all changes at once, by ?dryRun=true');
  tx.dryRun = true;
}

/** An empty transaction of a request. */
export function begin(c: Call, dryRun: boolean): Transaction {
  const author = {
    actor: c.get('actor'),
    time: Date.now(),
    requestID: crypto.randomUUID(),
    note: changeNote(c),
  };
  return Object.assign(transaction(c.get('db'), author), { dryRun });
}

/** The answer of what is stored; a dry run made nothing that would have a place. */
function answered({ dryRun }: Transaction, response: Response): Response {
  if (dryRun) response.headers.delete('Location');
  return response;
}

/** Stores what a request found to be due; answers whether there was any. */
async function settle(c: Call, { overdue }: Reads): Promise<boolean> {
  let any = false;
  for (const settlement of overdue) if (await settlement(c.get('db'), Date.now())) any = true;
  return any;
}

const isWithoutEffect = ({ changes, imports }: Transaction, replies: object | undefined) =>
  changes.length === 0 && imports.length === 0 && !replies;

/** What some work with `tx` answers; nothing where it found something to be due, which is stored now. */
export async function unlessDue<Answer>(
  c: Call,
  tx: Reads,
  work: Promise<Answer>,
): Promise<Answer | undefined> {
  const [done] = await Promise.allSettled([work]);
  if (await settle(c, tx)) return undefined;
  if (done.status === 'rejected') throw done.reason;
  return done.value;
}

/** Why a request was refused, though nothing that it read is in its way: remembered once, and thrown the second time. */
function refusedOnce(
  earlier: Problem | undefined,
  outcome: 'overtaken' | Problem,
): Problem | undefined {
  if (outcome === 'overtaken') return earlier;
  if (earlier) throw outcome;
  return outcome;
}

/** Whether a request that begins now may be computed once more, each time it is asked. */
function attemptsOf(c: Call): () => boolean {
  const { meter } = c.get('db');
  const deadline = Date.now() + patience;
  return () => Date.now() < deadline && meter.trips < mostTrips;
}

/** Runs the work of one of many changes in the transaction of them all. */
async function amongMany(c: Call, tx: Transaction, work: (tx: Transaction) => Promise<Response>) {
  if (wantsDryRun(c)) storeNothing(tx);
  const staged = tx.changes.length;
  const response = await work(tx);
  return withWarnings(c, answered(tx, response), tx.changes.slice(staged));
}

/**
 * Runs `work` in a transaction and stores what it staged, as one batch, when it has answered with success. Where
 * another change came first, it runs again on the new state. One of many changes runs in the transaction of them all.
 * @param work stages changes and answers; it may be called again
 * @throws Problem 409 where others kept coming first for five seconds, or as often as D1 answers one request
 */
export async function transact(
  c: Call,
  work: (tx: Transaction) => Promise<Response>,
): Promise<Response> {
  if (c.env.many) return amongMany(c, c.env.many.tx, work);
  const dryRun = wantsDryRun(c);
  const mayTry = attemptsOf(c);
  let refusal: Problem | undefined;
  for (let attempt = 1; mayTry(); attempt++) {
    const tx = begin(c, dryRun);
    const done = await unlessDue(c, tx, work(tx));
    if (!done) continue;
    const response = await withWarnings(c, done, tx.changes);
    const replies = tx.dryRun ? undefined : c.get('idempotency');
    if (!response.ok || isWithoutEffect(tx, replies)) return response;
    const kept = replies ? await replies.keep(tx.author, response) : [];
    const outcome = await commit(tx, kept);
    if (outcome === 'stored') return answered(tx, response);
    refusal = refusedOnce(refusal, outcome);
    const first = await replies?.find();
    if (first) return first;
    await backoff(attempt);
  }
  throw Problem.contention();
}
