import * as z from 'zod';
import { textOf } from '../evaluation/readings.ts';
import type { Project } from '../evaluation/spec.ts';
import { sdkUser } from '../evaluation/user.ts';
import type { Event } from '../resources/events/schema.ts';
import { checkOf } from '../serving/count.ts';
import { isOpen } from '../serving/reports.ts';
import { checkedUnder, type Sighting } from '../serving/sightings.ts';
import type { Snapshot } from '../serving/snapshot.ts';
import { isStep } from '../shared/ids.ts';
import { anyObject, parsed } from '../shared/json.ts';
import { byteLength, maxEntity } from '../store/rows.ts';
import { object } from './asked.ts';

/** Whether something is so, which SDKs say as text, and others as it is. */
const said = z.union([z.string(), z.boolean().transform(String)]);

const text = z.string().optional().catch(undefined);
const flag = said.optional().catch(undefined);

/** An event as SDKs send it; what does not fit of it counts as absent, but for its name. */
export const sdkEvent = z.object({
  eventName: z.string().min(1),
  user: object,
  value: z.unknown().optional(),
  metadata: anyObject.catch({}),
  time: z.number().min(0).transform(Math.floor).nullable().catch(null),
  secondaryExposures: z.array(z.unknown()).catch([]),
  statsigMetadata: object,
});

type SDKEvent = z.infer<typeof sdkEvent>;

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

/** Names of what was checked without being exposed, and how often. */
const counts = z.record(z.string(), z.unknown());
const times = z.int().min(1).max(1_000_000);

/** What an SDK says of itself, of which the stable id is a unit of its user. */
export interface Sender {
  readonly stableID?: unknown;
  readonly sdkType?: unknown;
}

/** The time of an event, in epoch milliseconds: never later than now, whatever the clock of a phone says. */
const timeOf = ({ time }: SDKEvent, now: number) => Math.min(time ?? now, now);

/** A gate that was asked on the way, by its plain name. */
function secondaryIn(given: unknown, snapshot: Snapshot) {
  const { data } = secondary.safeParse(given);
  return data ? [{ ...data, gate: snapshot.nameOf(data.gate) }] : [];
}

/** What was seen by a user, as an event of exposure says it; of a layer, the experiment too that set the parameter. */
export function sightingsIn(
  event: SDKEvent,
  { stableID }: Sender,
  snapshot: Snapshot,
  now: number,
): Sighting[] {
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
  const own: Sighting = {
    list,
    id: snapshot.nameOf(name),
    ruleID,
    passes: passes[list],
    secondary: event.secondaryExposures.flatMap((given) => secondaryIn(given, snapshot)),
    user: sdkUser(event.user, undefined, stableID),
    time: timeOf(event, now),
    isCheck: true,
  };
  const isSet = list === 'layer' && told.isExplicitParameter === 'true';
  if (!isSet || !told.allocatedExperiment) return [own];
  const id = snapshot.nameOf(told.allocatedExperiment);
  return [own, { ...own, list: 'config', id, secondary: [], isCheck: false }];
}

/** Returns the checks without exposure that an event reports, of the names that its key may evaluate. */
export function checksIn(
  { eventName, metadata }: SDKEvent,
  snapshot: Snapshot,
  project: Project,
  now: number,
) {
  if (eventName !== 'statsig::non_exposed_checks') return [];
  const given = Object.hasOwn(metadata, 'checks') ? metadata.checks : {};
  const { data = {} } = counts.safeParse(typeof given === 'string' ? parsed(given) : given);
  return Object.entries(data).flatMap(([name, often]) => {
    const { data: count } = times.safeParse(often);
    if (count === undefined) return [];
    const id = snapshot.nameOf(name);
    const entity = (['gate', 'config', 'layer'] as const)
      .map((list) => (isOpen({ list, id }, project) ? checkedUnder(list, id, snapshot) : undefined))
      .find((found) => found);
    return entity ? [checkOf(entity, count, now)] : [];
  });
}

/** How long the name of an event may be. */
const longestName = 200;

/**
 * The event that an app logs, as it is stored; none for what the SDK says of itself, where it is too large for a row, or
 * where no path has its name.
 */
export function eventIn(given: SDKEvent, { stableID, sdkType }: Sender, now: number): Event[] {
  const { eventName, value, metadata } = given;
  if (eventName.startsWith('statsig::') || isStep(eventName)) return [];
  const user = sdkUser(given.user, undefined, stableID);
  const ids = Object.entries(user.customIDs).map(([type, id]) => [type, textOf(id) ?? '']);
  const event = {
    timestamp: timeOf(given, now),
    name: eventName.slice(0, longestName).toWellFormed(),
    source: textOf(sdkType) ?? '',
    value: textOf(value) ?? '',
    userID: textOf(user.fields.userID) ?? '',
    metadata,
    unitIDs: Object.fromEntries(ids.filter(([, id]) => id !== '')),
  };
  return byteLength(JSON.stringify(event)) < maxEntity ? [event] : [];
}
