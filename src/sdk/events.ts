import * as z from 'zod';
import { textOf } from '../evaluation/readings.ts';
import type { Values } from '../evaluation/spec.ts';
import { sdkUser } from '../evaluation/user.ts';
import type { Event } from '../resources/events/schema.ts';
import { checkOf } from '../serving/count.ts';
import { checkedUnder, type Sighting } from '../serving/sightings.ts';
import type { Snapshot } from '../serving/snapshot.ts';
import { isStep } from '../shared/ids.ts';
import { anyObject, parsed } from '../shared/json.ts';
import { byteLength, maxEntity } from '../store/rows.ts';
import { object } from './asked.ts';

const text = z.string().catch('');

/** Whether something is so, which SDKs say as text, and others as it is. */
const said = z.union([z.string(), z.boolean().transform(String)]);
const flag = said.catch('');

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

const gateExposure = z.object({ gate: z.string(), gateValue: flag, ruleID: text });
const configExposure = z.object({ config: z.string(), ruleID: text, rulePassed: flag });
const layerExposure = z.object({
  config: z.string(),
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

/** What was seen by a user, as one of the three events of exposure says it. */
export function sightingsIn(
  event: SDKEvent,
  { stableID }: Sender,
  snapshot: Snapshot,
  now: number,
): Sighting[] {
  const { eventName, metadata } = event;
  const common = {
    user: sdkUser(event.user, undefined, stableID),
    time: timeOf(event, now),
    secondary: event.secondaryExposures.flatMap((given) => secondaryIn(given, snapshot)),
    isCheck: true,
  };
  if (eventName === 'statsig::gate_exposure') {
    const { data } = gateExposure.safeParse(metadata);
    if (!data) return [];
    const { gate, ruleID } = data;
    const id = snapshot.nameOf(gate);
    return [{ ...common, list: 'gate', id, ruleID, passes: data.gateValue === 'true' }];
  }
  if (eventName === 'statsig::config_exposure') {
    const { data } = configExposure.safeParse(metadata);
    if (!data) return [];
    const { config, ruleID } = data;
    const id = snapshot.nameOf(config);
    return [{ ...common, list: 'config', id, ruleID, passes: data.rulePassed === 'true' }];
  }
  return eventName === 'statsig::layer_exposure' ? ofLayer(metadata, common, snapshot) : [];
}

function ofLayer(
  metadata: Values,
  common: Pick<Sighting, 'user' | 'time' | 'secondary' | 'isCheck'>,
  snapshot: Snapshot,
): Sighting[] {
  const { data } = layerExposure.safeParse(metadata);
  if (!data) return [];
  const { config, ruleID, allocatedExperiment, isExplicitParameter } = data;
  const id = snapshot.nameOf(config);
  const own: Sighting = { ...common, list: 'layer', id, ruleID, passes: true };
  if (isExplicitParameter !== 'true' || allocatedExperiment === '') return [own];
  const experiment = snapshot.nameOf(allocatedExperiment);
  return [own, { ...own, list: 'config', id: experiment, secondary: [], isCheck: false }];
}

/** What an event of checks without exposure counts, under the names that there are. */
export function checksIn({ eventName, metadata }: SDKEvent, snapshot: Snapshot, now: number) {
  if (eventName !== 'statsig::non_exposed_checks') return [];
  const given = Object.hasOwn(metadata, 'checks') ? metadata.checks : {};
  const { data = {} } = counts.safeParse(typeof given === 'string' ? parsed(given) : given);
  return Object.entries(data).flatMap(([name, often]) => {
    const { data: count } = times.safeParse(often);
    if (count === undefined) return [];
    const id = snapshot.nameOf(name);
    const entity = (['gate', 'config', 'layer'] as const)
      .map((list) => checkedUnder(list, id, snapshot))
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
