import * as z from 'zod';
import { textOf, timeOf } from '../evaluation/readings.ts';
import type { Values } from '../evaluation/spec.ts';
import type { User } from '../evaluation/user.ts';
import type { DeliveredEvent } from '../resources/events/delivering.ts';
import type { Caller } from '../serving/caller.ts';
import { checkOf } from '../serving/count.ts';
import { isOpen } from '../serving/reports.ts';
import { checkedUnder, type Sighting } from '../serving/sightings.ts';
import type { Snapshot } from '../serving/snapshot.ts';
import { lastOfEach } from '../shared/distinct.ts';
import { isStep } from '../shared/ids.ts';
import { type JSONObject, parsed } from '../shared/json.ts';
import { isObject } from '../shared/value_types.ts';
import { type LeftOut, most } from './bounds.ts';
import { unitIDsOf, userIDOf } from './recorded.ts';

/** Whether something is so, which SDKs say as text, and others as it is. */
const said = z.union([z.string(), z.boolean().transform(String)]);

const text = z.string().optional().catch(undefined);
const flag = said.optional().catch(undefined);

/** An object that may be missing; null and other types count as missing. */
const maybeObject = z.custom<Values>(isObject).optional().catch(undefined);

/** An event as SDKs send it; what does not fit of it counts as absent, but for its name. */
export const sdkEvent = z.object({
  eventName: z.string().min(1),
  user: maybeObject,
  value: z.unknown().optional(),
  metadata: z.custom<JSONObject>(isObject).catch({}),
  time: z.unknown().optional(),
  secondaryExposures: z.array(z.unknown()).catch([]),
  statsigMetadata: maybeObject,
});

export type SDKEvent = z.infer<typeof sdkEvent>;

/** What an event is read with: the project, the moment, and what is left out of the delivery so far. */
export interface Reading {
  readonly snapshot: Snapshot;
  readonly caller: Caller;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Milliseconds by which the sender's clock is behind; negative if it is ahead. */
  readonly lag: number;
  readonly leftOut: LeftOut;
}

const secondary = z.object({ gate: z.string(), gateValue: said, ruleID: z.string() });

/** The events of exposure, by what they are of. */
const exposureEvents = new Map<string, Sighting['list']>([
  ['statsig::gate_exposure', 'gate'],
  ['statsig::config_exposure', 'config'],
  ['statsig::layer_exposure', 'layer'],
]);

/** What they say, each a part of it. */
const exposure = z.object({
  gate: text,
  gateValue: flag,
  config: text,
  rulePassed: flag,
  ruleID: text,
  allocatedExperiment: text,
  isExplicitParameter: flag,
});

const times = z.int().min(1).max(1_000_000);

/** How far ahead of our clock a corrected time may be, in milliseconds: the correction is by whole minutes. */
const maxAhead = 30_000;

/**
 * Returns the time of an event in epoch milliseconds by our clock, and whether the event carries it. A time further in
 * the future does not count as carried, and becomes now.
 */
function momentOf({ time }: SDKEvent, { now, lag }: Reading) {
  const given = timeOf(time);
  const corrected = given === undefined ? undefined : Math.floor(given + lag);
  const isTimed = corrected !== undefined && corrected >= 0 && corrected <= now + maxAhead;
  return { time: isTimed ? corrected : now, isTimed };
}

/** The gates that were asked on the way, each once by its plain name: every one of them may take a draw. */
function secondariesOf(given: readonly unknown[], snapshot: Snapshot): Sighting['secondary'] {
  const found = given.flatMap((one) => secondary.safeParse(one).data ?? []);
  return lastOfEach(found, ({ gate }) => gate).map((one) => ({
    ...one,
    gate: snapshot.nameOf(one.gate),
  }));
}

/** What was seen by a user, as an event of exposure says it; of a layer, the experiment too that set the parameter. */
export function sightingsIn(event: SDKEvent, user: User, reading: Reading): Sighting[] {
  const { snapshot, leftOut } = reading;
  const list = exposureEvents.get(event.eventName);
  if (!list) return [];
  const { gate, config, ruleID = '', ...told } = exposure.parse(event.metadata);
  const name = list === 'gate' ? gate : config;
  if (name === undefined) return [];
  const passes = {
    gate: told.gateValue === 'true',
    config: told.rulePassed === 'true',
    layer: true,
  };
  const { secondaryExposures } = event;
  leftOut.add('secondaryExposures', secondaryExposures.length - most.secondaryExposures);
  const own: Sighting = {
    list,
    id: snapshot.nameOf(name),
    ruleID,
    passes: passes[list],
    secondary: secondariesOf(secondaryExposures.slice(0, most.secondaryExposures), snapshot),
    user,
    time: momentOf(event, reading).time,
    isCheck: true,
  };
  const isSet = list === 'layer' && told.isExplicitParameter === 'true';
  if (!isSet || !told.allocatedExperiment) return [own];
  const id = snapshot.nameOf(told.allocatedExperiment);
  return [own, { ...own, list: 'config', id, secondary: [], isCheck: false }];
}

/** The object of checks without exposure in an event, which some SDKs send as text. */
function checksOf({ eventName, metadata }: SDKEvent): Values {
  if (eventName !== 'statsig::non_exposed_checks') return {};
  const given = Object.hasOwn(metadata, 'checks') ? metadata.checks : undefined;
  const checks = typeof given === 'string' ? parsed(given) : given;
  return isObject(checks) ? checks : {};
}

/**
 * Returns the checks without exposure that an event reports, of the names that its key may evaluate.
 * @param room how many names are still read in this delivery
 */
export function checksIn(
  event: SDKEvent,
  { snapshot, caller, now, leftOut }: Reading,
  room: number,
) {
  const project = snapshot.project(caller);
  const checks = checksOf(event);
  const names = Object.keys(checks);
  leftOut.add('checks', names.length - room);
  return names.slice(0, room).map((name) => {
    const { data: count } = times.safeParse(checks[name]);
    if (count === undefined) return undefined;
    const id = snapshot.nameOf(name);
    const entity = (['gate', 'config', 'layer'] as const)
      .map((list) => (isOpen({ list, id }, project) ? checkedUnder(list, id, snapshot) : undefined))
      .find((found) => found);
    return entity && checkOf(entity, count, now);
  });
}

/** How long the name of an event may be. */
const longestName = 200;

const sizeOf = (value: unknown) => JSON.stringify(value).length;

/** The metadata of an event as it is stored: sorted by name, and its first properties that keep within the bounds. */
function metadataOf({ metadata }: SDKEvent, leftOut: LeftOut): JSONObject {
  const all = Object.entries(metadata);
  let size = 2;
  const kept = all.slice(0, most.metadataKeys).filter(([name, value]) => {
    const own = sizeOf(name) + sizeOf(value) + 2; // with its colon and comma
    const fits = size + own <= most.metadata + 1; // no comma follows the last
    if (fits) size += own;
    return fits;
  });
  leftOut.add('metadata', all.length - kept.length);
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The event that an app logs, as it is stored; none for what the SDK says of itself, if it is too large, or if no path has
 * its name.
 */
export function eventIn(
  given: SDKEvent,
  user: User,
  sdkType: unknown,
  reading: Reading,
): DeliveredEvent[] {
  const { eventName, value, metadata } = given;
  const { leftOut, snapshot } = reading;
  if (eventName.startsWith('statsig::') || isStep(eventName)) return [];
  const own = { name: eventName.slice(0, longestName).toWellFormed(), value: textOf(value) ?? '' };
  if (sizeOf([own, metadata]) > most.event) {
    leftOut.add('events');
    return [];
  }
  const { time: timestamp, isTimed } = momentOf(given, reading);
  return [
    {
      ...own,
      timestamp,
      isTimed,
      source: textOf(sdkType)?.slice(0, longestName).toWellFormed() ?? '',
      userID: userIDOf(user),
      metadata: metadataOf(given, leftOut),
      unitIDs: unitIDsOf(user, snapshot),
    },
  ];
}
