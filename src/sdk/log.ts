import type { Context } from 'hono';
import { Problem } from '../problem.ts';
import type { Door } from '../serving/door.ts';
import { objectIn } from './body.ts';
import { most } from './bounds.ts';
import { eventsOf } from './custom_exposures.ts';
import { record } from './delivery.ts';

/** Takes the events of an SDK. What does not fit of them is passed over: a refusal would lose the others too. */
export async function answerLog(c: Context<Door>) {
  const body = await objectIn(c);
  const events = Array.isArray(body.events) ? body.events : [];
  if (events.length > most.sentEvents)
    throw new Problem('too_large', `A delivery may have ${most.sentEvents} events.`);
  return record(c, events, body);
}

/** Takes exposures that an application reports itself, by name. */
export async function answerCustomExposures(c: Context<Door>) {
  const body = await objectIn(c);
  return record(c, eventsOf(body, c.get('snapshot')), body);
}
