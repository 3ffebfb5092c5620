import type { Context } from 'hono';
import { codePoints, hasControls } from '../../base/fields.ts';
import { Problem } from '../../base/problem.ts';
import { retrying } from '../../base/retrying.ts';
import type { Service } from '../env.ts';
import { reads } from '../store/changes/staged_reads.ts';
import { transaction } from '../store/changes/transaction.ts';
import { commit } from '../store/commit.ts';
import type { Reads } from '../store/core/reads.ts';
import type { Transaction } from '../store/core/transaction.ts';
import { maxTrips } from '../store/sql/database.ts';
import { withWarnings } from './warnings.ts';
import { onceOnly } from './zod_errors.ts';

const maxCharacters = 500;

/** The character that replaces bytes that are not UTF-8, for example letters that browsers send in another encoding. */
const replacement = '\ufffd';

const percentEncoded = /(?:%[0-9a-f]{2})+/gi;

function decoded(bytes: string): string {
  try {
    return decodeURIComponent(bytes);
  } catch {
    return bytes;
  }
}

/** Returns the Change-Note of a request, or null. @throws Problem 400 unless it is one line of text */
function changeNote(c: Context): string | null {
  const text = (c.req.header('Change-Note') ?? '').replaceAll(percentEncoded, decoded).trim();
  if (codePoints(text) > maxCharacters)
    throw Problem.property('Change-Note', `must have at most ${maxCharacters} characters`);
  if (hasControls(text))
    throw Problem.property('Change-Note', 'must not contain control characters');
  if (text.includes(replacement))
    throw Problem.property('Change-Note', 'must be sent as UTF-8, or percent-encoded');
  return text || null;
}

type Call = Context<Service>;

/** How long a change is retried after conflicts with concurrent changes. */
const maxRetryMilliseconds = 5000;

/** Waits a random time, at most 200 ms, longer with each attempt, so that concurrent writers spread out. */
export const backoff = (attempt: number) =>
  scheduler.wait(Math.random() * Math.min(2 ** (attempt + 1), 200));

export const openReads = (c: Call): Reads => reads(c.get('db'), Date.now());

/** Whether `?dryRun=true` requests validation only. */
export function wantsDryRun(c: Call): boolean {
  const [value = 'false', ...more] = c.req.queries('dryRun') ?? [];
  if (more.length > 0) throw Problem.property('dryRun', onceOnly);
  if (value === 'true' || value === 'false') return value === 'true';
  throw Problem.property('dryRun', 'must be one of "true", "false"');
}

/** Makes the transaction a dry run. @throws Problem 400 within many changes, which are stored all or none */
export function storeNothing(tx: Transaction): void {
  if (tx.origin !== '')
    throw Problem.property('dryRun', 'must be absent; send ?dryRun=true for all changes at once');
  tx.dryRun = true;
}

export function beginTransaction(c: Call, dryRun: boolean): Transaction {
  const author = {
    actor: c.get('actor'),
    time: Date.now(),
    requestID: crypto.randomUUID(),
    note: changeNote(c),
  };
  return Object.assign(transaction(c.get('db'), author), { dryRun });
}

function withoutDryRunLocation({ dryRun }: Transaction, response: Response): Response {
  if (dryRun) response.headers.delete('Location');
  return response;
}

async function storeOverdue(c: Call, { overdue }: Reads): Promise<boolean> {
  let any = false;
  for (const apply of overdue) if (await apply(c.get('db'), Date.now())) any = true;
  return any;
}

const isWithoutEffect = ({ changes, loggedRows }: Transaction, replies: object | undefined) =>
  changes.length === 0 && loggedRows.length === 0 && !replies;

/** Returns the result of the work; undefined if overdue changes were found, which are then stored. */
export async function unlessOverdue<Result>(
  c: Call,
  tx: Reads,
  work: Promise<Result>,
): Promise<Result | undefined> {
  const [done] = await Promise.allSettled([work]);
  if (await storeOverdue(c, tx)) return undefined;
  if (done.status === 'rejected') throw done.reason;
  return done.value;
}

/** Ignores the first refusal by the database that the reads of the request do not explain, and throws the second. */
function refusedOnce(
  earlier: Problem | undefined,
  outcome: 'overtaken' | Problem,
): Problem | undefined {
  if (outcome === 'overtaken') return earlier;
  if (earlier) throw outcome;
  return outcome;
}

function attemptsOf(c: Call): () => boolean {
  const { meter } = c.get('db');
  const deadline = Date.now() + maxRetryMilliseconds;
  return () => Date.now() < deadline && meter.trips < maxTrips;
}

async function runInBatch(c: Call, tx: Transaction, work: (tx: Transaction) => Promise<Response>) {
  if (wantsDryRun(c)) storeNothing(tx);
  const staged = tx.changes.length;
  const response = await work(tx);
  return withWarnings(c, withoutDryRunLocation(tx, response), tx.changes.slice(staged));
}

/**
 * Runs `work`, and stores the staged changes if the response succeeds. After a concurrent change, `work` runs again.
 * @throws Problem 409 after conflicts for 5 s, or up to D1's limit of round trips for one request
 */
export async function transact(
  c: Call,
  work: (tx: Transaction) => Promise<Response>,
): Promise<Response> {
  if (c.env.many) return runInBatch(c, c.env.many.tx, work);
  const dryRun = wantsDryRun(c);
  let refusal: Problem | undefined;
  return retrying(attemptsOf(c), async (attempt) => {
    const tx = beginTransaction(c, dryRun);
    const done = await unlessOverdue(c, tx, work(tx));
    if (!done) return undefined;
    const response = await withWarnings(c, done, tx.changes);
    const replies = tx.dryRun ? undefined : c.get('idempotency');
    if (!response.ok || isWithoutEffect(tx, replies)) return response;
    const kept = replies ? await replies.keep(tx.author, response) : [];
    const outcome = await commit(tx, kept);
    if (outcome === 'stored') return withoutDryRunLocation(tx, response);
    refusal = refusedOnce(refusal, outcome);
    const first = await replies?.find();
    if (!first) await backoff(attempt);
    return first;
  });
}
