import * as z from 'zod';
import { lastOfEach } from '../../base/distinct.ts';
import { isStep } from '../../base/ids.ts';
import { type JSONObject, parseJSON } from '../../base/json.ts';
import type { ReadonlyRecord } from '../../base/value_types.ts';
import { isObject } from '../../base/value_types.ts';
import type { DeliveredEvent } from '../../data/events/delivering.ts';
import { textOfValue, timeOf } from '../../engine/evaluation/readings.ts';
import type { EvaluatedUser } from '../../engine/evaluation/user.ts';
import type { Caller } from '../serving/caller.ts';
import { checkOf } from '../serving/checks.ts';
import { checkedEntity, type ExposureEvent } from '../serving/exposure_events.ts';
import { isEvaluable } from '../serving/reports.ts';
import type { Snapshot } from '../serving/snapshot.ts';
import { type LeftOut, limits } from './bounds.ts';
import { unitIDsOf, userIDOf } from './recorded.ts';

/** Most SDKs send it as text. */
const booleanText = z.union([z.string(), z.boolean().transform(String)]);

const text = z.string().optional().catch(undefined);
const flag = booleanText.optional().catch(undefined);

/** An object that may be missing; values of other types count as missing. */
const optionalObject = z.custom<ReadonlyRecord>(isObject).optional().catch(undefined);

/** An event of an SDK. Invalid properties count as missing, but `eventName` is required. */
export const sdkEvent = z.object({
  eventName: z.string().min(1),
  user: optionalObject,
  value: z.unknown().optional(),
  metadata: z.custom<JSONObject>(isObject).catch({}),
  time: z.unknown().optional(),
  secondaryExposures: z.array(z.unknown()).catch([]),
  statsigMetadata: optionalObject,
});

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

/** Epoch milliseconds by our clock. A time beyond `maxAhead` becomes now, and does not count as the event's own. */
function momentOf({ time }: SDKEvent, { now, lag }: DeliveryReading) {
  const reported = timeOf(time);
  const corrected = reported === undefined ? undefined : Math.floor(reported + lag);
  const isTimed = corrected !== undefined && corrected >= 0 && corrected <= now + maxAhead;
  return { time: isTimed ? corrected : now, isTimed };
}

/** Deduplicates by gate, because each gate may need a hash. */
function secondariesOf(
  reported: readonly unknown[],
  snapshot: Snapshot,
): ExposureEvent['secondary'] {
  const found = reported.flatMap((one) => secondary.safeParse(one).data ?? []);
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
  if (name === undefined) return [];
  const passes = {
    gate: metadata.gateValue === 'true',
    config: metadata.rulePassed === 'true',
    layer: true,
  };
  const { secondaryExposures } = event;
  leftOut.add('secondaryExposures', secondaryExposures.length - limits.secondaryExposures);
  const own: ExposureEvent = {
    list,
    id: snapshot.nameOf(name),
    ruleID,
    passes: passes[list],
    secondary: secondariesOf(secondaryExposures.slice(0, limits.secondaryExposures), snapshot),
    user,
    sdkType: textOfValue(sdkType),
    time: momentOf(event, reading).time,
    isCheck: true,
  };
  const isSet = list === 'layer' && metadata.isExplicitParameter === 'true';
  if (!isSet || !metadata.allocatedExperiment) return [own];
  const id = snapshot.nameOf(metadata.allocatedExperiment);
  return [own, { ...own, list: 'config', id, secondary: [], isCheck: false }];
}

function reportedChecks({ eventName, metadata }: SDKEvent): ReadonlyRecord {
  if (eventName !== 'statsig::non_exposed_checks') return {};
  const reported = Object.hasOwn(metadata, 'checks') ? metadata.checks : undefined;
  const checks = typeof reported === 'string' ? parseJSON(reported) : reported;
  return isObject(checks) ? checks : {};
}

/** Returns the checks without exposure of an event, for at most `room` names. */
export function checksIn(
  event: SDKEvent,
  { snapshot, caller, now, leftOut }: DeliveryReading,
  room: number,
) {
  const project = snapshot.project(caller);
  const checks = reportedChecks(event);
  const names = Object.keys(checks);
  leftOut.add('checks', names.length - room);
  return names.slice(0, room).map((name) => {
    const { data: given } = checkCount.safeParse(checks[name]);
    if (given === undefined) return undefined;
    const count = caller.type === 'CLIENT' ? Math.min(given, maxClientChecks) : given;
    leftOut.add('checks', given - count);
    const id = snapshot.nameOf(name);
    const entity = (['gate', 'config', 'layer'] as const)
      .map((list) =>
        isEvaluable({ list, id }, project) ? checkedEntity(list, id, snapshot) : undefined,
      )
      .find((found) => found);
    return entity && checkOf(entity, count, now);
  });
}

const maxNameCharacters = 200;

const jsonLength = (value: unknown) => JSON.stringify(value).length;

function keptMetadata({ metadata }: SDKEvent, leftOut: LeftOut): JSONObject {
  const all = Object.entries(metadata);
  let size = 2;
  const kept = all.slice(0, limits.metadataKeys).filter(([name, value]) => {
    const own = jsonLength(name) + jsonLength(value) + 2; // the colon and the comma
    const fits = size + own <= limits.metadata + 1; // no comma follows the last
    if (fits) size += own;
    return fits;
  });
  leftOut.add('metadata', all.length - kept.length);
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the event to store; empty for events of the SDK itself, and those too large or with an unusable name. */
export function eventIn(
  reported: SDKEvent,
  user: EvaluatedUser,
  sdkType: unknown,
  reading: DeliveryReading,
): DeliveredEvent[] {
  const { eventName, value, metadata } = reported;
  const { leftOut, snapshot } = reading;
  if (eventName.startsWith('statsig::') || isStep(eventName)) return [];
  const own = {
    name: eventName.slice(0, maxNameCharacters).toWellFormed(),
    value: textOfValue(value) ?? '',
  };
  if (jsonLength([own, metadata]) > limits.event) {
    leftOut.add('events');
    return [];
  }
  const { time: timestamp, isTimed } = momentOf(reported, reading);
  return [
    {
      ...own,
      timestamp,
      isTimed,
      source: textOfValue(sdkType)?.slice(0, maxNameCharacters).toWellFormed() ?? '',
      userID: userIDOf(user),
      metadata: keptMetadata(reported, leftOut),
      unitIDs: unitIDsOf(user, snapshot),
    },
  ];
}
