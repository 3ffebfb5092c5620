/** Client keys are public, so work is limited. Excess data is left out: SDKs resend a rejected delivery. */
export const limits = {
  /** Events of a delivery. Rejecting it would lose all events after the SDK's last retry. */
  events: 1000,
  /** Events of a request. More are rejected: no SDK sends that many. */
  sentEvents: 5000,
  /** Rows written by a delivery: 1,000 events of a user with five IDs. */
  rows: 8000,
  /** Recorded IDs of a user, each of at most 256 characters. */
  ids: 20,
  secondaryExposures: 100,
  metadataKeys: 100,
  /** Characters of the metadata of an event, as JSON. */
  metadata: 8192,
  /** Characters of a stored event, as JSON. */
  event: 32_768,
  /** Names in the checks without exposure of a delivery. Each writes a row. */
  checks: 1000,
};

type BodyPart = 'events' | 'exposures' | 'ids' | 'secondaryExposures' | 'metadata' | 'checks';

export class LeftOut {
  readonly #counts = new Map<BodyPart, number>();

  add(part: BodyPart, count = 1): void {
    if (count > 0) this.#counts.set(part, (this.#counts.get(part) ?? 0) + count);
  }

  /** Undefined if nothing was left out. */
  get counts(): Record<string, number> | undefined {
    return this.#counts.size > 0 ? Object.fromEntries(this.#counts) : undefined;
  }
}
