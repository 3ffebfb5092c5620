import type { Context } from 'hono';
import type { Values } from '../evaluation/spec.ts';
import { Problem } from '../problem.ts';
import type { Door } from '../serving/door.ts';
import { bytesIn, objectOf } from './body.ts';
import { most } from './bounds.ts';
import { eventsOf } from './custom_exposures.ts';
import { planOf, write } from './delivery.ts';

function eventsIn({ events }: Values): readonly unknown[] {
  if (!Array.isArray(events)) return [];
  if (events.length <= most.sentEvents) return events;
  throw new Problem('too_large', `A delivery may have ${most.sentEvents} events.`);
}

/** Answers a delivery by its events; the body itself is gone before anything is waited for. */
const answerBy =
  (read: (body: Values, c: Context<Door>) => readonly unknown[]) => async (c: Context<Door>) => {
    const bytes = await bytesIn(c);
    const plan = () => {
      const body = objectOf(c, bytes);
      return planOf(c, read(body, c), body);
    };
    return write(c, plan());
  };

/** Takes the events of an SDK. What does not fit of them is passed over: a refusal would lose the others too. */
export const answerLog = answerBy(eventsIn);

/** Takes exposures that an application reports itself, by name. */
export const answerCustomExposures = answerBy((body, c) => eventsOf(body, c.get('snapshot')));
