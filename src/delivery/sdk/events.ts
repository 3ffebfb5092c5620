import * as z from 'zod';
import { lastOfEach } from '../../base/distinct.ts';
import { codePoints } from '../../base/fields.ts';
import { isStep } from '../../base/ids.ts';
import { type JSONObject, parseJSON } from '../../base/json.ts';
import type { ReadonlyRecord } from '../../base/value_types.ts';
import { isObject } from '../../base/value_types.ts';
import { eventIdentity } from '../../data/events/identity.ts';
import type { RecordedEvent } from '../../data/events/recording.ts';
import { maxEventIDCharacters } from '../../data/events/schema.ts';
import { isMissing, textOfValue, timeOf } from '../../engine/evaluation/readings.ts';
import type { EvaluatedUser } from '../../engine/evaluation/user.ts';
import { type Caller, senderOf, switchesOf } from '../serving/caller.ts';
import { checkOf } from '../serving/checks.ts';
import { checkedEntity, type ExposureEvent } from '../serving/exposure_events.ts';
import { isEvaluable } from '../serving/reports.ts';
import type { Snapshot } from '../serving/snapshot.ts';
import { type LeftOut, limits } from './bounds.ts';
import { type Recorded, unitIDsOf, userIDOf } from './recorded.ts';

/** Most SDKs send it as text. */
const booleanText = z.union([z.string(), z.boolean().transform(String)]);

const text = z.string().optional().catch(undefined);
const flag = booleanText.optional().catch(undefined);

/** An object that may be missing; values of other types count as missing. */
const optionalObject = z.custom<ReadonlyRecord>(isObject).optional().catch(undefined);

/** An event of an SDK. Invalid properties count as missing, but `eventName` is required. */
const sdkEvent = z.object({
  eventName: z.string().min(1),
  eventID: z.unknown().optional(),
  user: optionalObject,
  value: z.unknown().optional(),
  metadata: z.custom<JSONObject>(isObject).catch({}),
  time: z.unknown().optional(),
  secondaryExposures: z.array(z.unknown()).catch([]),
  statsigMetadata: optionalObject,
});

const isUnreadable = (value: unknown, isReadable: (value: unknown) => boolean) =>
  !isMissing(value) && !isReadable(value);

/** Returns an event, and counts properties that cannot be read; undefined for a value of another form. */
export function parseEvent(given: unknown, leftOut: LeftOut): SDKEvent | undefined {
  const { data: event } = sdkEvent.safeParse(given);
  if (!event || !isObject(given)) {
    leftOut.add('events', 'unreadable');
    return undefined;
  }
  const { user, metadata, secondaryExposures } = given;
  if (isUnreadable(user, isObject)) leftOut.add('users', 'unreadable');
  if (isUnreadable(metadata, isObject)) leftOut.add('metadata', 'unreadable');
  if (isUnreadable(secondaryExposures, Array.isArray))
    leftOut.add('secondaryExposures', 'unreadable');
  return event;
}

export type SDKEvent = z.infer<typeof sdkEvent>;

export interface DeliveryReading {
  readonly snapshot: Snapshot;
  readonly caller: Caller;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Milliseconds by which the sender's clock is behind; negative if it is ahead. */
  readonly lag: number;
  readonly leftOut: LeftOut;
}

const secondary = z.object({ gate: z.string(), gateValue: booleanText, ruleID: z.string() });

const listsByEventName = new Map<string, ExposureEvent['list']>([
  ['statsig::gate_exposure', 'gate'],
  ['statsig::config_exposure', 'config'],
  ['statsig::layer_exposure', 'layer'],
]);

const exposureMetadata = z.object({
  gate: text,
  gateValue: flag,
  config: text,
  rulePassed: flag,
  ruleID: text,
  allocatedExperiment: text,
  isExplicitParameter: flag,
});

const checkCount = z.int().min(1).max(1_000_000);

/** Checks of a name in a delivery of a client key, which is public. */
const maxClientChecks = 10_000;

/** How far ahead of our clock a corrected time may be, in milliseconds: the correction is by whole minutes. */
const maxAhead = 30_000;

/** Epoch milliseconds by our clock. A time beyond `maxAhead` becomes now. */
function momentOf({ time }: SDKEvent, { now, lag, leftOut }: DeliveryReading): number {
  const reported = timeOf(time);
  if (reported === undefined) {
    leftOut.add('times', 'unreadable', isMissing(time) ? 0 : 1);
    return now;
  }
  const corrected = Math.floor(reported + lag);
  if (corrected >= 0 && corrected <= now + maxAhead) return corrected;
  leftOut.add('times', 'out_of_range');
  return now;
}

/** Deduplicates by gate, because each gate may need a hash. */
function secondariesOf(
  { secondaryExposures }: SDKEvent,
  { snapshot, leftOut }: DeliveryReading,
): ExposureEvent['secondary'] {
  const reported = secondaryExposures.slice(0, limits.secondaryExposures);
  const found = reported.flatMap((one) => secondary.safeParse(one).data ?? []);
  leftOut.add('secondaryExposures', 'too_many', secondaryExposures.length - reported.length);
  leftOut.add('secondaryExposures', 'unreadable', reported.length - found.length);
  return lastOfEach(found, ({ gate }) => gate).map((one) => ({
    ...one,
    gate: snapshot.nameOf(one.gate),
  }));
}

/** Returns the exposure events of an SDK event; for a layer also one of the experiment that set the parameter. */
export function exposureEventsIn(
  event: SDKEvent,
  user: EvaluatedUser,
  sdkType: unknown,
  reading: DeliveryReading,
): ExposureEvent[] {
  const { snapshot, leftOut } = reading;
  const list = listsByEventName.get(event.eventName);
  if (!list) return [];
  const { gate, config, ruleID = '', ...metadata } = exposureMetadata.parse(event.metadata);
  const name = list === 'gate' ? gate : config;
  if (name === undefined) {
    leftOut.add('exposures', 'unreadable');
    return [];
  }
  const passes = {
    gate: metadata.gateValue === 'true',
    config: metadata.rulePassed === 'true',
    layer: true,
  };
  const own: ExposureEvent = {
    list,
    id: snapshot.nameOf(name),
    ruleID,
    passes: passes[list],
    secondary: secondariesOf(event, reading),
    user,
    sender: senderOf(reading.caller),
    sdkType: textOfValue(sdkType),
    time: momentOf(event, reading),
    isCheck: true,
  };
  const isSet = list === 'layer' && metadata.isExplicitParameter === 'true';
  if (!isSet || !metadata.allocatedExperiment) return [own];
  const id = snapshot.nameOf(metadata.allocatedExperiment);
  return [own, { ...own, list: 'config', id, secondary: [], isCheck: false }];
}

function reportedChecks({ eventName, metadata }: SDKEvent, leftOut: LeftOut): ReadonlyRecord {
  if (eventName !== 'statsig::non_exposed_checks') return {};
  const reported = Object.hasOwn(metadata, 'checks') ? metadata.checks : undefined;
  const checks = typeof reported === 'string' ? parseJSON(reported) : reported;
  if (isObject(checks)) return checks;
  leftOut.add('checks', 'unreadable');
  return {};
}

/** Returns the checks without exposure of an event, for at most `room` names. */
export function checksIn(
  event: SDKEvent,
  { snapshot, caller, now, leftOut }: DeliveryReading,
  room: number,
) {
  const project = snapshot.project(caller);
  const checks = reportedChecks(event, leftOut);
  const names = Object.keys(checks);
  leftOut.add('checks', 'too_many', names.length - room);
  return names.slice(0, room).map((name) => {
    const { data: given } = checkCount.safeParse(checks[name]);
    if (given === undefined) {
      leftOut.add('checks', 'unreadable');
      return undefined;
    }
    const count = caller.type === 'CLIENT' ? Math.min(given, maxClientChecks) : given;
    leftOut.add('checks', 'too_large', given - count);
    const id = snapshot.nameOf(name);
    const entity = (['gate', 'config', 'layer'] as const)
      .map((list) =>
        isEvaluable({ list, id }, project) ? checkedEntity(list, id, snapshot) : undefined,
      )
      .find((found) => found);
    if (entity) return checkOf(entity, count, now);
    leftOut.add('checks', 'unknown');
    return undefined;
  });
}

const maxNameCharacters = 200;

const jsonLength = (value: unknown) => JSON.stringify(value).length;

function keptMetadata({ metadata }: SDKEvent, leftOut: LeftOut): JSONObject {
  const all = Object.entries(metadata);
  const first = all.slice(0, limits.metadataKeys);
  let size = 2;
  const kept = first.filter(([name, value]) => {
    const own = jsonLength(name) + jsonLength(value) + 2; // the colon and the comma
    const fits = size + own <= limits.metadata + 1; // no comma follows the last
    if (fits) size += own;
    return fits;
  });
  leftOut.add('metadata', 'too_many', all.length - first.length);
  leftOut.add('metadata', 'too_large', first.length - kept.length);
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function eventIDOf({ eventID }: SDKEvent, leftOut: LeftOut): string | null {
  if (eventID === undefined || eventID === null) return null;
  const isUsable =
    typeof eventID === 'string' && eventID !== '' && eventID.length <= maxEventIDCharacters;
  if (isUsable) return eventID;
  leftOut.add('eventIDs', 'unreadable');
  return null;
}

function storedValue({ value }: SDKEvent, leftOut: LeftOut): string {
  const text = textOfValue(value);
  if (text === undefined && !isMissing(value)) leftOut.add('values', 'unreadable');
  return text ?? '';
}

const isTooLong = (name: string) =>
  name.length > 2 * maxNameCharacters || codePoints(name) > maxNameCharacters;

/** Empty if it is too long, because two that were cut could be equal. */
function storedSource(sdkType: unknown, leftOut: LeftOut): string {
  const source = textOfValue(sdkType) ?? '';
  if (!isTooLong(source)) return source.toWellFormed();
  leftOut.add('sources', 'too_long');
  return '';
}

/** Why an event is not stored. */
function refusalOf({ eventName, value, metadata }: SDKEvent, { caller }: DeliveryReading) {
  if (!switchesOf(caller).events) return 'switched_off';
  if (isStep(eventName) || isTooLong(eventName)) return 'unusable_name';
  return jsonLength([eventName, textOfValue(value), metadata]) > limits.event
    ? 'too_large'
    : undefined;
}

/** Returns the event to store; empty for events of the SDK itself, and those that cannot be stored. */
export function eventIn(
  reported: SDKEvent,
  { user, units }: Recorded,
  sdkType: unknown,
  reading: DeliveryReading,
): RecordedEvent[] {
  const { eventName: name, value, metadata } = reported;
  const { leftOut, snapshot, caller } = reading;
  if (name.startsWith('statsig::')) return [];
  const refusal = refusalOf(reported, reading);
  if (refusal) {
    leftOut.add('events', refusal);
    return [];
  }
  const eventID = eventIDOf(reported, leftOut);
  const time = timeOf(reported.time) === undefined ? undefined : reported.time;
  const sender = senderOf(caller);
  return [
    {
      name: name.toWellFormed(),
      value: storedValue(reported, leftOut),
      timestamp: momentOf(reported, reading),
      source: storedSource(sdkType, leftOut),
      userID: userIDOf(user),
      metadata: keptMetadata(reported, leftOut),
      unitIDs: unitIDsOf(user, snapshot, leftOut),
      sender,
      eventID,
      // Uses the properties as sent, because corrections differ between two deliveries of one event.
      identity: eventIdentity(sender, { eventID, name, units, time, value, metadata }),
    },
  ];
}
