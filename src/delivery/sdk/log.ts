import type { Context } from 'hono';
import { Problem } from '../../base/problem.ts';
import type { ReadonlyRecord } from '../../base/value_types.ts';
import { isMissing } from '../../engine/evaluation/readings.ts';
import { requireRowsLeft } from '../../platform/http/rate_limit.ts';
import type { ClientApi } from '../serving/client_api.ts';
import { bodyObject, readBodyBytes } from './body.ts';
import { limits } from './bounds.ts';
import { customExposureEvents } from './custom_exposures.ts';
import { planOfDelivery, storeDeliveries } from './delivery.ts';

function eventsIn({ events }: ReadonlyRecord): readonly unknown[] {
  if (isMissing(events)) return [];
  if (!Array.isArray(events)) return [undefined]; // counted as one that cannot be read
  if (events.length <= limits.sentEvents) return events;
  throw new Problem(
    'too_large',
    `The request has too many events: it must have at most ${limits.sentEvents}.`,
  );
}

/** Parses and plans without awaiting in between: the parsed body is out of memory before the first write. */
const receiveWith =
  (read: (body: ReadonlyRecord, c: Context<ClientApi>) => readonly unknown[]) =>
  async (c: Context<ClientApi>) => {
    const { ROWS } = c.env;
    if (ROWS && c.get('caller').type === 'CLIENT') await requireRowsLeft(ROWS, c);
    const bytes = await readBodyBytes(c);
    const plan = () => {
      const body = bodyObject(c, bytes);
      return planOfDelivery(c, read(body, c), body);
    };
    return storeDeliveries(c, plan());
  };

/** Stores the events of an SDK. Invalid parts are ignored, because a rejection would lose the others too. */
export const receiveEvents = receiveWith(eventsIn);

/** Stores the exposures that an application reports by name. */
export const receiveCustomExposures = receiveWith((body, c) =>
  customExposureEvents(body, c.get('snapshot')),
);
