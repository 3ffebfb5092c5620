import { createHash } from 'node:crypto';
import type { Sender } from '../exposures/senders.ts';

/** 96 bits: no one finds a text with a given hash, and a billion events have no two equal ones by chance. */
const hashCharacters = 16;

/** Returns a hash of JSON, in which the order of the properties of `said` counts. */
export const digest = (said: unknown): string =>
  createHash('sha256').update(JSON.stringify(said)).digest('base64url').slice(0, hashCharacters);

/** Returns the properties of an object, sorted by name, because senders order them differently. */
export const inOneOrder = (object: object): [string, unknown][] =>
  Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));

interface Said {
  readonly eventID: string | null;
  readonly name: unknown;
  readonly units: unknown;
  /** As the sender wrote it; undefined for an event without a time. */
  readonly time: unknown;
  readonly value: unknown;
  readonly metadata: object;
}

/**
 * Returns what identifies an event: the kind of its sender with its own ID, or else with all that the sender said. Null
 * if the event has neither an ID nor a time, so that it is always new.
 */
export function eventIdentity(
  sender: Sender,
  { eventID, name, units, time, value, metadata }: Said,
): string | null {
  if (eventID !== null) return digest([sender, eventID]);
  if (time === undefined) return null;
  return digest([sender, name, units, time, value, inOneOrder(metadata)]);
}
