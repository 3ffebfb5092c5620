import { Webhook as Signer } from 'standardwebhooks';
import { unseal } from '../../base/sealing.ts';
import { hourLength, minuteLength } from '../../base/time.ts';
import type { Platform } from '../../platform/env.ts';
import { type Database, maxTrips, openDatabase } from '../../platform/store/sql/database.ts';
import { requirePublic } from './address.ts';
import { lookForListeners, mayListen } from './listening.ts';
import {
  claimDue,
  type Due,
  isAnyActive,
  leaveForLater,
  type Note,
  noteAttempt,
  type Receiver,
} from './outbox.ts';
import { sealedAt } from './webhook.ts';

const second = 1000;

/** The wait after each failure, in milliseconds. After the last one, three days after the first, it has failed. */
const waits = [
  5 * second,
  5 * minuteLength,
  30 * minuteLength,
  ...[2, 5, 10, 14, 18, 22].map((hours) => hours * hourLength),
];

/** The time limit of a receiver, in milliseconds. */
const patience = 10 * second;

/** The time after which a run begins no delivery, in milliseconds: the run then ends within 25 s. */
const longest = 14 * second;

/** The most requests under way at a time: the runtime opens six connections and lets further requests wait. */
const maxUnderWay = 5;

type Turn = <Result>(task: () => Promise<Result>) => Promise<Result>;

function placesFor(count: number): Turn {
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

const maxNotes = maxTrips / 3;

/** Returns the signed request for a change (Standard Webhooks, HMAC-SHA256). `now` in epoch milliseconds. */
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
    const response = await fetch(url, { ...request, redirect: 'manual', signal: over.signal });
    await response.body?.cancel();
    return response.ok ? null : `The receiver answered ${response.status}.`;
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 200) : 'It could not be sent.';
  } finally {
    clearTimeout(timer);
  }
}

function noteOf({ attempts }: Due, error: string | null, now: number): Note {
  const noted = { attempts: attempts + 1, lastTime: now, lastError: error };
  if (error === null) return { ...noted, status: 'delivered', nextTime: null };
  const wait = waits[attempts];
  if (wait === undefined) return { ...noted, status: 'failed', nextTime: null };
  return { ...noted, status: 'pending', nextTime: now + wait };
}

/** Returns the deliveries that are left: a run stops after a failure, or if the webhook is deleted. */
async function sendAll(
  env: Platform,
  db: Database,
  all: Due[],
  maySend: () => boolean,
  place: Turn,
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

/** Sends all overdue deliveries, to at most five receivers at a time, so that none delays another for long. */
export async function sendDue(env: Platform, db: Database): Promise<void> {
  const until = Date.now() + longest;
  const due = await claimDue(db, Date.now());
  let begun = 0; // starts, not recorded attempts: many webhooks begin together
  const maySend = () => Date.now() <= until && begun++ < maxNotes;
  const place = placesFor(maxUnderWay);
  const byWebhook = Map.groupBy(due, ({ webhookID }) => webhookID);
  const sending = [...byWebhook.values()].map((all) => sendAll(env, db, all, maySend, place));
  // Waits for all: the runtime ends pending work when this ends.
  const sent = await Promise.allSettled(sending);
  const left = sent.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  await leaveForLater(db, left, Date.now());
  for (const each of sent) if (each.status === 'rejected') throw each.reason;
}

/** Sends overdue deliveries after the response of a change. */
export async function sendAfterwards(env: Platform): Promise<void> {
  if (!mayListen(Date.now())) return;
  const rememberNone = lookForListeners();
  const db = openDatabase(env.DB, 'first-primary');
  if (await isAnyActive(db)) return sendDue(env, db);
  rememberNone(Date.now());
}
