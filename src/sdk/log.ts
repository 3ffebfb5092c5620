import type { Context } from 'hono';
import type { Values } from '../evaluation/spec.ts';
import { Problem } from '../problem.ts';
import { recordEvents } from '../resources/events/recording.ts';
import { deliverOnce } from '../resources/exposures/delivering.ts';
import { recordChecks, recordExposures, recordLeftOut } from '../resources/exposures/recording.ts';
import type { Caller } from '../serving/caller.ts';
import { checksOf } from '../serving/count.ts';
import type { Door } from '../serving/door.ts';
import { reportsOf } from '../serving/reports.ts';
import type { Snapshot } from '../serving/snapshot.ts';
import { sha256 } from '../shared/sha256.ts';
import { classify, openDatabase } from '../store/database.ts';
import type { Statement } from '../store/statement.ts';
import { object } from './asked.ts';
import { objectIn } from './body.ts';
import { checksIn, eventIn, type Sender, sdkEvent, sightingsIn } from './events.ts';

const mostEvents = 5000;

/** What becomes of a delivery, as statements. */
function statementsOf(
  given: readonly unknown[],
  sender: Sender,
  snapshot: Snapshot,
  caller: Caller,
  now: number,
) {
  const events = given.flatMap((event) => sdkEvent.safeParse(event).data ?? []);
  const senderOf = (own: Values): Sender => ({ ...sender, ...own });
  const reported = events.flatMap((event) =>
    sightingsIn(event, senderOf(event.statsigMetadata), snapshot, now),
  );
  const { sightings, exposures, leftOut } = reportsOf(reported, snapshot, caller, now);
  const project = snapshot.project(caller);
  const further = events.flatMap((event) => checksIn(event, snapshot, project, now));
  return [
    ...recordExposures(exposures),
    ...recordLeftOut(leftOut),
    ...recordChecks(checksOf(sightings, snapshot, now, further)),
    ...recordEvents(
      events.flatMap((event) => eventIn(event, senderOf(event.statsigMetadata), now)),
    ),
  ];
}

/** Stores a delivery; one that was stored within a day has no effect, because a metric must not grow with a bad network. */
async function deliver(c: Context<Door>, statements: Statement[], hash: string): Promise<void> {
  const db = openDatabase(c.env.DB, 'first-primary');
  try {
    await db.batch(...deliverOnce(hash, Date.now()), ...statements);
  } catch (error) {
    if (classify(error) !== 'conflict') throw error;
  }
}

/**
 * Takes the events of an SDK. They are written before the answer: what was answered with 202 was
 * delivered, and anything else the SDK sends again. See docs/contract/evaluation.md#75-log_event-rgstr.
 */
export async function answerLog(c: Context<Door>) {
  const body = await objectIn(c);
  const given = Array.isArray(body.events) ? body.events : [];
  if (given.length > mostEvents)
    throw new Problem('too_large', `A delivery may have ${mostEvents} events.`);
  const sender = object.parse(body.statsigMetadata);
  const statements = statementsOf(given, sender, c.get('snapshot'), c.get('caller'), Date.now());
  const hash = sha256(`${c.get('caller').hash} ${JSON.stringify(body)}`);
  if (statements.length > 0) await deliver(c, statements, hash);
  return c.json({ success: true }, 202);
}
