/**
 * What one delivery of events may hold. A client key is in every page, so these bounds limit the work and the rows that
 * anyone can cause. What exceeds a bound is left out and counted in the response, because SDKs send a refused delivery again.
 */
export const most = {
  /** Events of a delivery. The rest is left out: a refusal would lose all of them, after every retry of the SDK. */
  events: 1000,
  /** Events of a request, above which it is refused: no SDK sends that many. */
  sentEvents: 5000,
  /** Rows that a delivery writes: as many as 1,000 events of a user with five ids. */
  rows: 8000,
  /** IDs of a user that are recorded, each of at most 256 characters. */
  ids: 20,
  /** Gates that an exposure reports as evaluated on the way. */
  secondaryExposures: 100,
  /** Properties in the metadata of an event. */
  metadataKeys: 100,
  /** Characters of the metadata of an event, as JSON. */
  metadata: 8192,
  /** Characters of an event as it is stored, as JSON. */
  event: 32_768,
  /** Names in the checks without exposure of a delivery: each takes a row. */
  checks: 1000,
};

/** What of a delivery can be left out: whole events, or parts of one. */
type Part = 'events' | 'exposures' | 'ids' | 'secondaryExposures' | 'metadata' | 'checks';

/** Counts what is left out of a delivery. */
export class LeftOut {
  readonly #counts = new Map<Part, number>();

  add(part: Part, count = 1): void {
    if (count > 0) this.#counts.set(part, (this.#counts.get(part) ?? 0) + count);
  }

  /** The counts for the response; undefined if nothing was left out. */
  get counts(): Record<string, number> | undefined {
    return this.#counts.size > 0 ? Object.fromEntries(this.#counts) : undefined;
  }
}
