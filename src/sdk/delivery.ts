import type { Context } from 'hono';
import * as z from 'zod';
import { timeOf } from '../evaluation/readings.ts';
import type { Values } from '../evaluation/spec.ts';
import { countRowsWritten } from '../http/rate_limit.ts';
import { type DeliveredEvent, storeInParts } from '../resources/events/delivering.ts';
import {
  keyOf,
  recordChecks,
  recordExposures,
  recordLeftOut,
} from '../resources/exposures/recording.ts';
import type { Check } from '../resources/exposures/table.ts';
import type { Caller } from '../serving/caller.ts';
import { checksOf } from '../serving/count.ts';
import type { Door } from '../serving/door.ts';
import { type Reported, reportsOf } from '../serving/reports.ts';
import { sumOf } from '../shared/numbers.ts';
import { openDatabase } from '../store/sql/database.ts';
import type { Statement } from '../store/sql/statement.ts';
import { object } from './asked.ts';
import { LeftOut, most } from './bounds.ts';
import { checksIn, eventIn, type Reading, type SDKEvent, sdkEvent, sightingsIn } from './events.ts';
import { recordedUser } from './recorded.ts';

/** What the events of a delivery share, unless they have their own. */
const delivery = z.object({ user: object, statsigMetadata: object });

type Delivery = z.infer<typeof delivery>;

/** What is read of one event of a delivery. */
interface Parts extends Reported {
  readonly checks: Check[];
  readonly events: DeliveredEvent[];
}

const minute = 60_000;

/**
 * By how many milliseconds the clock of a sender is behind ours, in whole minutes: the network delays each attempt of a
 * delivery differently, and an event must get the same time from all of them to be recognized.
 */
function lagOf(c: Context<Door>, body: Values, now: number): number {
  // A header of most SDKs; `t` of beacons and of today's SDK for pages; `clientTime` of beacons of yesterday's.
  const given = c.req.header('STATSIG-CLIENT-TIME') ?? c.req.query('t') ?? body.clientTime;
  const sent = timeOf(given);
  return sent === undefined ? 0 : Math.round((now - sent) / minute) * minute;
}

/** Rows that a count of what is alike writes: an upsert of groups is three to D1. */
const rowsOfCount = 3;

/** The rows that an event may share with others of its delivery: a name for each, and how many rows that stands for. */
function sharedRowsOf({
  sightings,
  exposures,
  leftOut,
  checks,
  events,
}: Parts): Map<string, number> {
  return new Map([
    ...exposures.flatMap((exposure): [string, number][] => [
      [`exposure ${keyOf(exposure)}`, 1],
      [
        `units ${JSON.stringify([exposure.kind, exposure.id, exposure.start, exposure.group])}`,
        rowsOfCount,
      ],
    ]),
    ...leftOut.map(({ kind, id, start }): [string, number] => [
      `left out ${JSON.stringify([kind, id, start])}`,
      1,
    ]),
    ...sightings.map(({ list, id }): [string, number] => [`check ${list} ${id}`, 1]),
    ...checks.map(({ kind, id }): [string, number] => [`checks ${kind} ${id}`, 1]),
    ...events.map(({ name }): [string, number] => [`event ${name}`, rowsOfCount]),
  ]);
}

/** Rows of an event alone: its own and those of its two indexes, and one for each unit. */
const rowsOfEvent = ({ userID, unitIDs }: DeliveredEvent) =>
  3 + (userID ? 1 : 0) + Object.keys(unitIDs).length;

/** What is read of one event. `room` is how many names of checks the delivery may still have. */
function partsOf(event: SDKEvent, body: Delivery, reading: Reading, room: number) {
  const { stableID, sdkType } = event.statsigMetadata ?? {};
  const given = recordedUser(event.user ?? body.user, stableID ?? body.statsigMetadata.stableID);
  reading.leftOut.add('ids', given.leftOut);
  const { snapshot, caller, now } = reading;
  const reported = reportsOf(sightingsIn(event, given.user, reading), snapshot, caller, now);
  reading.leftOut.add('exposures', reported.leftOut.length);
  const named = checksIn(event, reading, room);
  const parts: Parts = {
    ...reported,
    checks: named.flatMap((check) => check ?? []),
    events: eventIn(event, given.user, sdkType ?? body.statsigMetadata.sdkType, reading),
  };
  return { parts, room: room - named.length };
}

/** What of a delivery is recorded within its bounds, event by event, and at most how many rows that writes. */
function recordedOf(given: readonly unknown[], body: Delivery, reading: Reading) {
  const { leftOut } = reading;
  const events = given.slice(0, most.events);
  leftOut.add('events', given.length - events.length);
  const recorded: Parts[] = [];
  const written = new Set<string>();
  let [rows, room] = [0, most.checks];
  for (const [index, one] of events.entries()) {
    const { data: event } = sdkEvent.safeParse(one);
    if (!event) continue;
    const read = partsOf(event, body, reading, room);
    const shared = [...sharedRowsOf(read.parts)].filter(([name]) => !written.has(name));
    const cost = sumOf([
      ...read.parts.events.map(rowsOfEvent),
      ...shared.map(([, count]) => count),
    ]);
    if (rows + cost > most.rows) {
      leftOut.add('events', events.length - index);
      break; // what follows is not even read
    }
    rows += cost;
    room = read.room;
    for (const [name] of shared) written.add(name);
    recorded.push(read.parts);
  }
  return { recorded, rows };
}

/** The statements that record what a delivery says of exposures and checks. */
function countsOf(recorded: readonly Parts[], { snapshot, now }: Reading): Statement[] {
  const checks = recorded.flatMap((parts) => parts.checks);
  const sightings = recorded.flatMap((parts) => parts.sightings);
  return [
    ...recordExposures(recorded.flatMap((parts) => parts.exposures)),
    ...recordLeftOut(recorded.flatMap((parts) => parts.leftOut)),
    ...recordChecks(checksOf(sightings, snapshot, now, checks)),
  ];
}

/**
 * The deliveries that events come to. A client's are one; a server is trusted, so that what it sends at once is as many as
 * it takes: statsig-node-core has 2,000 events in a request, and drops all of a refused one.
 */
const deliveriesOf = (given: readonly unknown[], { type }: Caller) =>
  type === 'CLIENT'
    ? [given]
    : Array.from({ length: Math.ceil(given.length / most.events) }, (_, index) =>
        given.slice(index * most.events, (index + 1) * most.events),
      );

/** What is written of a request, delivery by delivery, and what is left out of it. */
interface Plan {
  readonly deliveries: readonly Delivered[];
  readonly leftOut: LeftOut;
}

interface Delivered {
  readonly events: readonly DeliveredEvent[];
  /** The statements of exposures and checks. */
  readonly counts: readonly Statement[];
  /** At most how many rows it writes. */
  readonly rows: number;
}

/**
 * Reads the events of a request.
 * @param given the events; the rest of the body is what they share
 */
export function planOf(c: Context<Door>, given: readonly unknown[], body: Values): Plan {
  const [snapshot, caller] = [c.get('snapshot'), c.get('caller')];
  const [now, leftOut] = [Date.now(), new LeftOut()];
  const reading = { snapshot, caller, now, lag: lagOf(c, body, now), leftOut };
  const shared = delivery.parse(body);
  const deliveries = deliveriesOf(given, caller).map((events) => {
    const { recorded, rows } = recordedOf(events, shared, reading);
    const own = recorded.flatMap((parts) => parts.events);
    return { events: own, counts: countsOf(recorded, reading), rows };
  });
  return { deliveries, leftOut };
}

/**
 * Writes what was read of a request, and responds then: an SDK sends anything but a 2xx again. Sent again, whole or merged
 * into another delivery, events with a time and exposures count once; checks count again, as nothing is kept to recognize
 * them by.
 * @throws Problem 429 if the address of a client has no rows left
 */
export async function write(c: Context<Door>, { deliveries, leftOut }: Plan) {
  const { meter } = c.get('db'); // so that Server-Timing has what is written here
  const db = openDatabase(c.env.DB, 'first-primary', meter);
  for (const { events, counts, rows } of deliveries) {
    if (c.env.ROWS && c.get('caller').type === 'CLIENT')
      await countRowsWritten(c.env.ROWS, c.req.header('CF-Connecting-IP') ?? '', rows);
    await storeInParts(db, events, counts);
  }
  return c.json({ success: true, leftOut: leftOut.counts }, 202);
}
