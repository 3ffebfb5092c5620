import type { Context } from 'hono';
import { countRowsWritten } from '../http/rate_limit.ts';
import { exposureKey, recordChecks, recordExposures } from '../resources/exposures/recording.ts';
import type { Check, Exposure } from '../resources/exposures/table.ts';
import { dayLength, hourLength } from '../shared/durations.ts';
import { type Database, openDatabase } from '../store/sql/database.ts';
import type { ClientApi } from './client_api.ts';
import { checkedEntity, type ExposureEvent, exposuresOf } from './exposure_events.ts';
import type { Snapshot } from './snapshot.ts';

/** Milliseconds between writes. The first checks are written sooner than later ones. */
const waitMilliseconds = { exposures: 2000, firstChecks: 25_000, checks: 300_000 };

/** Exposures: how many trigger an immediate write, and how many written ones are remembered to skip repeats. */
const maxExposures = { pending: 500, remembered: 50_000 };

/** Rows that are not written yet. An evicted isolate loses them. */
const pending = {
  exposures: new Map<string, Exposure>(),
  checks: new Map<string, Check>(),
  written: new Set<string>(),
  exposuresDue: 0,
  /** Until then, no number of pending exposures triggers an immediate write, because a write has failed. */
  exposuresHeldUntil: 0,
  checksDue: 0,
};

/** Clears all pending rows, for tests. */
export function forgetCounts(): void {
  for (const rowsByKey of [pending.exposures, pending.checks, pending.written, ...allTimes])
    rowsByKey.clear();
  pending.exposuresDue = 0;
  pending.exposuresHeldUntil = 0;
  pending.checksDue = 0;
}

const laterOf = (one?: number | null, other?: number | null): number | null =>
  Math.max(one ?? 0, other ?? 0) || null;

function addCheck(checks: Map<string, Check>, added: Check): void {
  const key = JSON.stringify([added.kind, added.id, added.hour]);
  const known = checks.get(key);
  checks.set(key, {
    ...added,
    count: (known?.count ?? 0) + added.count,
    lastTrue: laterOf(added.lastTrue, known?.lastTrue),
    lastFalse: laterOf(added.lastFalse, known?.lastFalse),
  });
}

/** Returns checks of one entity in the hour of `now`. */
export const checkOf = (
  entity: { kind: string; id: string },
  count: number,
  now: number,
  passes?: boolean,
): Check => ({
  ...entity,
  hour: Math.floor(now / hourLength),
  count,
  previous: 0,
  lastTrue: passes === true ? now : null,
  lastFalse: passes === false ? now : null,
});

const checksBy = (
  exposureEvents: readonly ExposureEvent[],
  count: number,
  snapshot: Snapshot,
  now: number,
): Check[] =>
  exposureEvents.flatMap(({ list, id, passes }) => {
    const entity = checkedEntity(list, id, snapshot);
    return entity ? [checkOf(entity, count, now, passes)] : [];
  });

/** Returns the checks of exposure events and further checks, one row for each entity and hour. */
export function checksOf(
  exposureEvents: readonly ExposureEvent[],
  snapshot: Snapshot,
  now: number,
  further: readonly Check[] = [],
): Check[] {
  const checks = new Map<string, Check>();
  const counted = exposureEvents.filter(({ isCheck }) => isCheck);
  for (const check of [...further, ...checksBy(counted, 1, snapshot, now)]) addCheck(checks, check);
  return [...checks.values()];
}

/** If the write fails, the rows become pending again. */
async function write<Row>(
  db: Database,
  rowsByKey: Map<string, Row>,
  statementsOf: (rows: Row[]) => ReturnType<typeof recordChecks>,
  add: (key: string, row: Row) => void,
): Promise<Row[]> {
  const taken = [...rowsByKey];
  rowsByKey.clear();
  const rows = taken.map(([, row]) => row);
  try {
    if (rows.length > 0) await db.batch(...statementsOf(rows));
    return rows;
  } catch (error) {
    for (const [key, row] of taken) add(key, row);
    console.error(JSON.stringify({ message: 'counts were not written', error: String(error) }));
    return [];
  }
}

async function writeExposures(db: Database): Promise<void> {
  const { exposures, written } = pending;
  const rows = await write(db, exposures, recordExposures, (key, row) => {
    pending.exposuresHeldUntil = Date.now() + waitMilliseconds.exposures;
    if (!exposures.has(key) && exposures.size < maxExposures.remembered) exposures.set(key, row);
  });
  if (written.size + rows.length > maxExposures.remembered) written.clear();
  for (const row of rows) written.add(exposureKey(row));
}

async function writeChecks(db: Database): Promise<void> {
  // The random part spreads the writes of isolates that started together.
  pending.checksDue = Date.now() + waitMilliseconds.checks * (0.8 + 0.4 * Math.random());
  await write(db, pending.checks, recordChecks, (_, row) => addCheck(pending.checks, row));
}

function runLater(
  c: Context<ClientApi>,
  milliseconds: number,
  work: (db: Database) => Promise<void>,
) {
  const wait = milliseconds > 0 ? scheduler.wait(milliseconds) : Promise.resolve();
  c.executionCtx.waitUntil(wait.then(() => work(openDatabase(c.env.DB, 'first-primary'))));
}

function newExposures(rows: readonly Exposure[]): [string, Exposure][] {
  const keyed = rows.map((row): [string, Exposure] => [exposureKey(row), row]);
  return keyed.filter(([key]) => !pending.written.has(key) && !pending.exposures.has(key));
}

/** Client keys are public and their unit IDs can be invented, so the rows that an address may write are limited. */
function addWithinLimit(c: Context<ClientApi>, rows: readonly Exposure[], now: number): void {
  const { ROWS } = c.env;
  const added = newExposures(rows).length;
  const add = () => addExposures(c, rows, now);
  if (!ROWS || added === 0 || c.get('caller').type !== 'CLIENT') {
    add();
    return;
  }
  const counted = countRowsWritten(ROWS, c.req.header('CF-Connecting-IP') ?? '', added);
  c.executionCtx.waitUntil(counted.then(add, () => undefined)); // if over the limit, the exposures are dropped; the response succeeds
}

function addExposures(c: Context<ClientApi>, rows: readonly Exposure[], now: number): void {
  const { exposures } = pending;
  for (const [key, row] of newExposures(rows)) exposures.set(key, row);
  if (exposures.size >= maxExposures.pending && now >= pending.exposuresHeldUntil)
    runLater(c, 0, writeExposures);
  else if (exposures.size > 0 && now >= pending.exposuresDue) {
    pending.exposuresDue = now + waitMilliseconds.exposures;
    runLater(c, waitMilliseconds.exposures, writeExposures);
  }
}

function addChecks(c: Context<ClientApi>, rows: readonly Check[], now: number): void {
  for (const row of rows) addCheck(pending.checks, row);
  if (pending.checks.size === 0 || now < pending.checksDue) return;
  const wait = pending.checksDue === 0 ? waitMilliseconds.firstChecks : 0;
  pending.checksDue = now + waitMilliseconds.checks;
  runLater(c, wait, writeChecks);
}

/** Counts an evaluation after the response. See docs/contract/evaluation.md#9-exposures-and-checks. */
export function count(c: Context<ClientApi>, exposureEvents: readonly ExposureEvent[]): void {
  const [snapshot, now] = [c.get('snapshot'), Date.now()];
  addWithinLimit(
    c,
    exposureEvents.flatMap((exposureEvent) => exposuresOf(exposureEvent, snapshot)),
    now,
  );
  addChecks(c, checksOf(exposureEvents, snapshot, now), now);
}

type TimesByID = Map<string, number>;

/** When each flag was last recorded as evaluated to a result; once a day is enough. */
const aliveTimes = {
  gate: { passing: new Map(), failing: new Map() },
  config: { passing: new Map(), failing: new Map() },
  layer: { passing: new Map(), failing: new Map() },
} as const satisfies Record<ExposureEvent['list'], Record<'passing' | 'failing', TimesByID>>;

const allTimes = Object.values(aliveTimes).flatMap(({ passing, failing }) => [passing, failing]);

function isNewlyAlive({ list, id, passes }: ExposureEvent, now: number): boolean {
  const times: TimesByID = aliveTimes[list][passes ? 'passing' : 'failing'];
  if (now - (times.get(id) ?? 0) < dayLength) return false;
  times.set(id, now);
  return true;
}

/** Records with 0 checks that flags were evaluated in bulk, which is neither a check nor an exposure. */
export function recordAlive(c: Context<ClientApi>, exposureEvents: readonly ExposureEvent[]): void {
  const [snapshot, now] = [c.get('snapshot'), Date.now()];
  const added = exposureEvents.filter((exposureEvent) => isNewlyAlive(exposureEvent, now));
  addChecks(c, checksBy(added, 0, snapshot, now), now);
}
