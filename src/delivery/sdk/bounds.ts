/** Client keys are public, so work is limited. Excess data is left out: SDKs resend a rejected delivery. */
export const limits = {
  /** Events of a delivery. Rejecting it would lose all events after the SDK's last retry. */
  events: 1000,
  /** Events of a request. More are rejected: no SDK sends that many. */
  sentEvents: 5000,
  /** Rows written by a delivery: 1,000 events of a user with four IDs. */
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

/** The reasons for which the database lacks a part of a delivery, or holds a shorter one. */
interface LeftOutReasons {
  events:
    | 'too_many'
    | 'too_many_rows'
    | 'too_large'
    | 'unreadable'
    | 'unusable_name'
    | 'switched_off';
  eventIDs: 'unreadable';
  times: 'unreadable' | 'out_of_range';
  values: 'unreadable';
  metadata: 'too_many' | 'too_large' | 'unreadable';
  sources: 'too_long';
  users: 'unreadable';
  ids: 'too_many' | 'too_long' | 'unreadable' | 'unknown_type' | 'second_of_type';
  exposures: 'unreadable' | 'unknown' | 'not_credible' | 'of_server' | 'switched_off';
  secondaryExposures: 'too_many' | 'unreadable';
  checks: 'too_many' | 'too_large' | 'unreadable' | 'unknown';
}

type LeftOutCounts = Record<string, Record<string, number>>;

/** LeftOutCounts what a delivery leaves out, by part and reason. */
export class LeftOut {
  readonly #counts: LeftOutCounts = {};

  add<Part extends keyof LeftOutReasons>(
    part: Part,
    reason: LeftOutReasons[Part],
    count = 1,
  ): void {
    if (count <= 0) return;
    const ofPart = this.#counts[part] ?? {};
    this.#counts[part] = { ...ofPart, [reason]: (ofPart[reason] ?? 0) + count };
  }

  /** Undefined if nothing was left out. */
  get counts(): LeftOutCounts | undefined {
    return Object.keys(this.#counts).length > 0 ? this.#counts : undefined;
  }
}
