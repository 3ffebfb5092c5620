import { Problem } from '../../base/problem.ts';
import { BatchTooLarge, classify, type Database } from '../../platform/store/sql/database.ts';
import type { Statement } from '../../platform/store/sql/statement.ts';
import { type RecordedEvent, recordEvents, unstored } from './recording.ts';

/** Bounds the retries: each time, one of the deliveries that store equal events succeeds. */
const maxTries = 10;

/** Takes two round trips, one if no event has an identity, and two more for each conflict. @throws Problem 503 */
async function storeDelivered(
  db: Database,
  events: readonly RecordedEvent[],
  others: readonly Statement[],
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const statements = [...others, ...recordEvents(await unstored(db.batch, events))];
    if (statements.length === 0) return;
    try {
      await db.batch(...statements);
      return;
    } catch (error) {
      if (classify(error) !== 'conflict') throw error;
      if (tries === maxTries)
        throw Problem.unavailable(
          'Other deliveries contain the same events; nothing was stored. Send the events again.',
        );
    }
  }
}

/** Stores a delivery, in parts if it is too large. If a later part fails, SDKs resend events: timed ones count once. */
export async function storeInParts(
  db: Database,
  events: readonly RecordedEvent[],
  others: readonly Statement[],
): Promise<void> {
  try {
    await storeDelivered(db, events, others);
  } catch (error) {
    const isDivisible = events.length > 1 || (events.length > 0 && others.length > 0);
    if (!(error instanceof BatchTooLarge) || !isDivisible) throw error;
    const half = Math.ceil(events.length / 2);
    if (others.length > 0) await storeInParts(db, [], others);
    for (const part of [events.slice(0, half), events.slice(half)])
      await storeInParts(db, part, []);
  }
}
