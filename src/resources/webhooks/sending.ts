import { Webhook as Signer } from 'standardwebhooks';
import type { Platform } from '../../env.ts';
import { hourLength } from '../../shared/durations.ts';
import { unseal } from '../../shared/sealing.ts';
import { type Database, mostTrips, openDatabase } from '../../store/sql/database.ts';
import { requirePublic } from './address.ts';
import { lookForListeners, mayListen } from './listening.ts';
import {
  claimDue,
  type Due,
  isAnyActive,
  leave,
  type Note,
  noteAttempt,
  type Receiver,
} from './outbox.ts';
import { sealedAt } from './webhook.ts';

const [second, minute] = [1000, 60_000];

/** How long to wait after each failure, in milliseconds; after the last, three days after the first, it has failed. */
const waits = [
  5 * second,
  5 * minute,
  30 * minute,
  ...[2, 5, 10, 14, 18, 22].map((hours) => hours * hourLength),
];

/** How long a receiver may take, in milliseconds. */
const patience = 10 * second;

/** How long a run sends the next delivery, in milliseconds: it ends within 25 s, with what the last one takes and its note. */
const longest = 14 * second;

/** Requests that may be under way at a time: the runtime opens six connections, and lets a request beyond them wait. */
const mostUnderWay = 5;

/** Runs a task when a place is free. */
type Place = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** Makes places for tasks; a task waits for one in the order in which they came. */
function placesFor(count: number): Place {
  const waiting: (() => void)[] = [];
  let free = count;
  return async (task) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}

/** How much of what a run of the scheduler may ask of the database is for deliveries, each of which is noted by itself. */
const mostNotes = mostTrips / 3;

/**
 * The request that tells of a change, signed as Standard Webhooks says: `webhook-id`, `webhook-timestamp` and
 * `webhook-signature`, an HMAC-SHA256 of the id, the time and the body. `now` in epoch milliseconds.
 */
export function signedRequest(secret: string, id: string, now: number, change: Due['change']) {
  const { kind, action, time } = change;
  const timestamp = new Date(Number(time)).toISOString();
  const body = JSON.stringify({ type: `${kind}.${action}`, timestamp, data: change });
  const headers = {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / second)),
    'webhook-signature': new Signer(secret).sign(id, new Date(now), body),
  };
  return { method: 'POST', headers, body };
}

/** Sends one delivery, and answers why it failed, if it did. What a receiver says beyond its status is not read. */
async function attempt(
  env: Platform,
  due: Due,
  { url, secret: sealed }: Receiver,
): Promise<string | null> {
  const over = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    requirePublic(url, env);
    const secret = await unseal(env.SEALING_KEY, sealedAt(due.webhookID), sealed);
    const request = signedRequest(secret, due.id, Date.now(), due.change);
    timer = setTimeout(() => over.abort(new Error('The receiver took too long.')), patience);
    const answer = await fetch(url, { ...request, redirect: 'manual', signal: over.signal });
    await answer.body?.cancel();
    return answer.ok ? null : `The receiver answered ${answer.status}.`;
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 200) : 'It could not be sent.';
  } finally {
    clearTimeout(timer);
  }
}

/** What to note of an attempt. */
function noteOf({ attempts }: Due, error: string | null, now: number): Note {
  const noted = { attempts: attempts + 1, lastTime: now, lastError: error };
  if (error === null) return { ...noted, status: 'delivered', nextTime: null };
  const wait = waits[attempts];
  if (wait === undefined) return { ...noted, status: 'failed', nextTime: null };
  return { ...noted, status: 'pending', nextTime: now + wait };
}

/**
 * Sends what is due to one webhook, one after the other; answers what is left. A receiver that fails is asked no more in
 * this run, nor is one whose webhook goes meanwhile; one that moves is found where it is.
 */
async function sendAll(
  env: Platform,
  db: Database,
  all: Due[],
  maySend: () => boolean,
  place: Place,
): Promise<Due[]> {
  let receiver = all[0]?.receiver;
  for (const [index, due] of all.entries()) {
    const to = receiver;
    if (!to) return all.slice(index);
    const error = await place(async () => (maySend() ? attempt(env, due, to) : undefined));
    if (error === undefined) return all.slice(index);
    receiver = await noteAttempt(db, due, noteOf(due, error, Date.now()));
    if (error !== null) return all.slice(index + 1);
  }
  return [];
}

/** Sends all that is due, to each receiver for itself, so that none holds up another; to at most five at a time. */
export async function sendDue(env: Platform): Promise<void> {
  const db = openDatabase(env.DB, 'first-primary');
  const until = Date.now() + longest;
  const due = await claimDue(db, Date.now());
  let begun = 0; // not what was noted: those of many webhooks begin together
  const maySend = () => Date.now() <= until && begun++ < mostNotes;
  const place = placesFor(mostUnderWay);
  const byWebhook = Map.groupBy(due, ({ webhookID }) => webhookID);
  const sending = [...byWebhook.values()].map((all) => sendAll(env, db, all, maySend, place));
  // Not before all are done: the runtime ends what is under way when this does.
  const sent = await Promise.allSettled(sending);
  const left = sent.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  await leave(db, left, Date.now());
  for (const each of sent) if (each.status === 'rejected') throw each.reason;
}

/** Sends what is due after a change has been answered. */
export async function sendAfterwards(env: Platform): Promise<void> {
  if (!mayListen(Date.now())) return;
  const rememberNobody = lookForListeners();
  if (await isAnyActive(openDatabase(env.DB, 'first-primary'))) return sendDue(env);
  rememberNobody(Date.now());
}
