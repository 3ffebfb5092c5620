import type { Context } from 'hono';
import * as z from 'zod';
import { sumOf } from '../../base/numbers.ts';
import { minuteLength } from '../../base/time.ts';
import { isObject, type ReadonlyRecord } from '../../base/value_types.ts';
import { storeInParts } from '../../data/events/delivering.ts';
import type { RecordedEvent } from '../../data/events/recording.ts';
import { withoutContradicted } from '../../data/exposures/contradictions.ts';
import {
  exposureKey,
  recordChecks,
  recordExposures,
  recordRejectedReports,
} from '../../data/exposures/recording.ts';
import type { Check, Exposure } from '../../data/exposures/table.ts';
import { isMissing, timeOf } from '../../engine/evaluation/readings.ts';
import type { GateCheck } from '../../flags/gate_checks/table.ts';
import { countRowsWritten } from '../../platform/http/rate_limit.ts';
import { openDatabase } from '../../platform/store/sql/database.ts';
import type { Statement } from '../../platform/store/sql/statement.ts';
import { type Caller, switchesOf } from '../serving/caller.ts';
import { checksOfEvents } from '../serving/checks.ts';
import type { ClientApi } from '../serving/client_api.ts';
import { addChecks } from '../serving/count.ts';
import type { ExposureEvent } from '../serving/exposure_events.ts';
import { gateChecksOf } from '../serving/gate_checks.ts';
import { type Report, reportsOf } from '../serving/reports.ts';
import { LeftOut, limits } from './bounds.ts';
import {
  checksIn,
  type DeliveryReading,
  eventIn,
  exposureEventsIn,
  parseEvent,
  type SDKEvent,
} from './events.ts';
import { recordedUser } from './recorded.ts';
import { objectOrEmpty } from './request_context.ts';

const delivery = z.object({ user: objectOrEmpty, statsigMetadata: objectOrEmpty });

type SDKDelivery = z.infer<typeof delivery>;

interface EventParts extends Report {
  readonly checks: Check[];
  readonly gateChecks: GateCheck[];
  readonly events: RecordedEvent[];
}

/** In whole minutes, because a slow request does not mean a wrong clock. */
function lagOf(c: Context<ClientApi>, body: ReadonlyRecord, now: number): number {
  // Most SDKs send the header, beacons and the current web SDK `t`, beacons of older web SDKs `clientTime`.
  const given = c.req.header('STATSIG-CLIENT-TIME') ?? c.req.query('t') ?? body.clientTime;
  const sent = timeOf(given);
  return sent === undefined ? 0 : Math.round((now - sent) / minuteLength) * minuteLength;
}

/** Rows of an upsert into a table of counts, as D1 counts them. */
const rowsOfCount = 3;

function sharedRowsOf({
  exposureEvents,
  exposures,
  leftOut,
  checks,
  gateChecks,
  events,
}: EventParts): Map<string, number> {
  return new Map([
    ...exposures.flatMap((exposure): [string, number][] => [
      [`exposure ${exposureKey(exposure)}`, 1],
      [
        `units ${JSON.stringify([exposure.kind, exposure.id, exposure.start, exposure.group])}`,
        rowsOfCount,
      ],
    ]),
    ...leftOut.map(({ kind, id, start }): [string, number] => [
      `left out ${JSON.stringify([kind, id, start])}`,
      1,
    ]),
    ...exposureEvents.map(({ list, id }): [string, number] => [`check ${list} ${id}`, 1]),
    ...checks.map(({ kind, id }): [string, number] => [`checks ${kind} ${id}`, 1]),
    ...gateChecks.map(({ gateID, ruleID }): [string, number] => [`rule ${gateID} ${ruleID}`, 1]),
    ...events.map(({ name }): [string, number] => [`event ${name}`, rowsOfCount]),
  ]);
}

/** Rows of an event itself: the event, its two indexes, its identity, and one for each unit ID. */
const rowsOfEvent = ({ userID, unitIDs, identity }: RecordedEvent) =>
  3 + (identity === null ? 0 : 1) + (userID ? 1 : 0) + Object.keys(unitIDs).length;

function exposuresIn(exposureEvents: readonly ExposureEvent[], reading: DeliveryReading): Report {
  const { snapshot, caller, now, leftOut } = reading;
  const report = reportsOf(exposureEvents, snapshot, caller, now);
  leftOut.add('exposures', 'unknown', report.unknown);
  if (!switchesOf(caller).exposures) {
    leftOut.add('exposures', 'switched_off', report.exposures.length + report.leftOut.length);
    return { ...report, exposures: [], leftOut: [] };
  }
  leftOut.add('exposures', 'not_credible', report.leftOut.length);
  return report;
}

function eventParts(event: SDKEvent, body: SDKDelivery, reading: DeliveryReading, room: number) {
  const { stableID, sdkType = body.statsigMetadata.sdkType } = event.statsigMetadata ?? {};
  const given = recordedUser(event.user ?? body.user, stableID ?? body.statsigMetadata.stableID);
  const { snapshot, now, leftOut } = reading;
  leftOut.add('ids', 'too_many', given.leftOut.too_many);
  leftOut.add('ids', 'too_long', given.leftOut.too_long);
  leftOut.add('ids', 'unreadable', given.leftOut.unreadable);
  const reported = exposuresIn(exposureEventsIn(event, given.user, sdkType, reading), reading);
  const named = checksIn(event, reading, room);
  const checks = named.flatMap((check) => check ?? []);
  const parts: EventParts = {
    ...reported,
    checks,
    gateChecks: gateChecksOf(reported.exposureEvents, snapshot, now, checks),
    events: eventIn(event, given, sdkType, reading),
  };
  return { parts, room: room - named.length };
}

function recordedOf(given: readonly unknown[], body: SDKDelivery, reading: DeliveryReading) {
  const { leftOut } = reading;
  const events = given.slice(0, limits.events);
  leftOut.add('events', 'too_many', given.length - events.length);
  const recorded: EventParts[] = [];
  const written = new Set<string>();
  let [rows, room] = [0, limits.checks];
  for (const [index, one] of events.entries()) {
    const event = parseEvent(one, leftOut);
    if (!event) continue;
    const read = eventParts(event, body, reading, room);
    const shared = [...sharedRowsOf(read.parts)].filter(([name]) => !written.has(name));
    const cost = sumOf([
      ...read.parts.events.map(rowsOfEvent),
      ...shared.map(([, count]) => count),
    ]);
    if (rows + cost > limits.rows) {
      leftOut.add('events', 'too_many_rows', events.length - index);
      break; // later events are not parsed
    }
    rows += cost;
    room = read.room;
    for (const [name] of shared) written.add(name);
    recorded.push(read.parts);
  }
  return { recorded, rows };
}

function checkStatements(
  recorded: readonly EventParts[],
  { snapshot, now }: DeliveryReading,
): Statement[] {
  const checks = recorded.flatMap((parts) => parts.checks);
  const exposureEvents = recorded.flatMap((parts) => parts.exposureEvents);
  return recordChecks(checksOfEvents(exposureEvents, snapshot, now, checks));
}

/** Servers send more than one delivery: statsig-node-core sends 2,000 events, and drops them if rejected. */
const deliveriesOf = (given: readonly unknown[], { type }: Caller) =>
  type === 'CLIENT'
    ? [given]
    : Array.from({ length: Math.ceil(given.length / limits.events) }, (_, index) =>
        given.slice(index * limits.events, (index + 1) * limits.events),
      );

interface DeliveryPlan {
  readonly deliveries: readonly Delivered[];
  readonly leftOut: LeftOut;
}

interface Delivered {
  readonly events: readonly RecordedEvent[];
  readonly exposures: readonly Exposure[];
  readonly rejected: readonly Exposure[];
  readonly checks: readonly Statement[];
  /** Checks by rule, written later together with those of other requests. */
  readonly gateChecks: readonly GateCheck[];
  /** The maximum number of rows written. */
  readonly rows: number;
}

/** Parses the events of a request into deliveries. `body` contains the values that they share. */
export function planOfDelivery(
  c: Context<ClientApi>,
  given: readonly unknown[],
  body: ReadonlyRecord,
): DeliveryPlan {
  const [snapshot, caller] = [c.get('snapshot'), c.get('caller')];
  const [now, leftOut] = [Date.now(), new LeftOut()];
  const reading = { snapshot, caller, now, lag: lagOf(c, body, now), leftOut };
  const shared = delivery.parse(body);
  if (!isMissing(body.user) && !isObject(body.user)) leftOut.add('users', 'unreadable');
  const deliveries = deliveriesOf(given, caller).map((events) => {
    const { recorded, rows } = recordedOf(events, shared, reading);
    return {
      events: recorded.flatMap((parts) => parts.events),
      exposures: recorded.flatMap((parts) => parts.exposures),
      rejected: recorded.flatMap((parts) => parts.leftOut),
      checks: checkStatements(recorded, reading),
      gateChecks: recorded.flatMap((parts) => parts.gateChecks),
      rows,
    };
  });
  return { deliveries, leftOut };
}

/**
 * Stores deliveries before the response, because SDKs resend failed requests. Exposures and events with a time count
 * once, checks count again. `@throws Problem` 429 if the rows of a client's address are used up.
 */
export async function storeDeliveries(
  c: Context<ClientApi>,
  { deliveries, leftOut }: DeliveryPlan,
) {
  const { meter } = c.get('db'); // adds these statements to Server-Timing
  const db = openDatabase(c.env.DB, 'first-primary', meter);
  for (const { events, exposures, rejected, checks, gateChecks, rows } of deliveries) {
    if (c.env.ROWS && c.get('caller').type === 'CLIENT')
      await countRowsWritten(c.env.ROWS, c, rows);
    const { kept, contradicted } = await withoutContradicted(db.read, exposures);
    leftOut.add('exposures', 'of_server', contradicted.length);
    await storeInParts(db, events, [
      ...recordExposures(kept),
      ...recordRejectedReports([...rejected, ...contradicted]),
      ...checks,
    ]);
    addChecks(c, [], gateChecks, Date.now());
  }
  return c.json({ success: true, leftOut: leftOut.counts }, 202);
}
