import type { Context } from 'hono';
import { countRowsWritten } from '../http/rate_limit.ts';
import { keyOf, recordChecks, recordExposures } from '../resources/exposures/recording.ts';
import type { Check, Exposure } from '../resources/exposures/table.ts';
import { dayLength, hourLength } from '../shared/durations.ts';
import { type Database, openDatabase } from '../store/sql/database.ts';
import type { Door } from './door.ts';
import { checkedUnder, exposuresOf, type Sighting } from './sightings.ts';
import type { Snapshot } from './snapshot.ts';

/** In milliseconds: how long exposures wait, and checks, at first and from then on. */
const waits = { exposures: 2000, firstChecks: 25_000, checks: 300_000 };

/** How many exposures may wait before they are written at once, and how many written ones are remembered. */
const most = { waiting: 500, remembered: 50_000 };

/** What waits to be written, in this isolate. What is lost with it comes again with its users. */
const waiting = {
  exposures: new Map<string, Exposure>(),
  checks: new Map<string, Check>(),
  written: new Set<string>(),
  /** When exposures that wait are written. */
  exposuresDue: 0,
  /** Until when they are not written at once, however many wait: the database has just failed. */
  exposuresHeld: 0,
  /** When checks are written next; 0 before the first. */
  checksDue: 0,
};

/** Forgets all that waits, as an isolate that has just begun. */
export function forgetCounts(): void {
  for (const held of [waiting.exposures, waiting.checks, waiting.written, noted]) held.clear();
  waiting.exposuresDue = 0;
  waiting.exposuresHeld = 0;
  waiting.checksDue = 0;
}

/** The later of two times, either of which may be none. */
const later = (one?: number | null, other?: number | null): number | null =>
  Math.max(one ?? 0, other ?? 0) || null;

/** Adds a check to others of the same entity and hour, in whatever order they come. */
function addCheck(checks: Map<string, Check>, added: Check): void {
  const key = JSON.stringify([added.kind, added.id, added.hour]);
  const known = checks.get(key);
  checks.set(key, {
    ...added,
    count: (known?.count ?? 0) + added.count,
    lastTrue: later(added.lastTrue, known?.lastTrue),
    lastFalse: later(added.lastFalse, known?.lastFalse),
  });
}

/** A number of checks of an entity. */
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

/** So many checks of what each of some sightings is of. */
const checksBy = (
  sightings: readonly Sighting[],
  count: number,
  snapshot: Snapshot,
  now: number,
): Check[] =>
  sightings.flatMap(({ list, id, passes }) => {
    const entity = checkedUnder(list, id, snapshot);
    return entity ? [checkOf(entity, count, now, passes)] : [];
  });

/** The checks that sightings come to, and further ones, those of one entity together. */
export function checksOf(
  sightings: readonly Sighting[],
  snapshot: Snapshot,
  now: number,
  further: readonly Check[] = [],
): Check[] {
  const checks = new Map<string, Check>();
  const own = sightings.filter(({ isCheck }) => isCheck);
  for (const check of [...further, ...checksBy(own, 1, snapshot, now)]) addCheck(checks, check);
  return [...checks.values()];
}

/** Writes what waits; where that fails, it waits on. */
async function write<Row>(
  db: Database,
  held: Map<string, Row>,
  statementsOf: (rows: Row[]) => ReturnType<typeof recordChecks>,
  add: (key: string, row: Row) => void,
): Promise<Row[]> {
  const taken = [...held];
  held.clear();
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
  const { exposures, written } = waiting;
  const rows = await write(db, exposures, recordExposures, (key, row) => {
    waiting.exposuresHeld = Date.now() + waits.exposures;
    if (!exposures.has(key) && exposures.size < most.remembered) exposures.set(key, row);
  });
  if (written.size + rows.length > most.remembered) written.clear();
  for (const row of rows) written.add(keyOf(row));
}

async function writeChecks(db: Database): Promise<void> {
  // Isolates that began together do not write together.
  waiting.checksDue = Date.now() + waits.checks * (0.8 + 0.4 * Math.random());
  await write(db, waiting.checks, recordChecks, (_, row) => addCheck(waiting.checks, row));
}

/** Lets something be written behind the answer, after a while; with a session of its own. */
function after(c: Context<Door>, milliseconds: number, work: (db: Database) => Promise<void>) {
  const wait = milliseconds > 0 ? scheduler.wait(milliseconds) : Promise.resolve();
  c.executionCtx.waitUntil(wait.then(() => work(openDatabase(c.env.DB, 'first-primary'))));
}

/** Those exposures that neither wait nor were written. */
function newExposures(rows: readonly Exposure[]): [string, Exposure][] {
  const keyed = rows.map((row): [string, Exposure] => [keyOf(row), row]);
  return keyed.filter(([key]) => !waiting.written.has(key) && !waiting.exposures.has(key));
}

/** Holds exposures; those of a client only within the rows that its address may write, as ids cost it nothing. */
function holdWithinLimit(c: Context<Door>, rows: readonly Exposure[], now: number): void {
  const { ROWS } = c.env;
  const fresh = newExposures(rows).length;
  const hold = () => holdExposures(c, rows, now);
  if (!ROWS || fresh === 0 || c.get('caller').type !== 'CLIENT') {
    hold();
    return;
  }
  const counted = countRowsWritten(ROWS, c.req.header('CF-Connecting-IP') ?? '', fresh);
  c.executionCtx.waitUntil(counted.then(hold, () => undefined)); // the answer itself is not refused
}

function holdExposures(c: Context<Door>, rows: readonly Exposure[], now: number): void {
  const { exposures } = waiting;
  for (const [key, row] of newExposures(rows)) exposures.set(key, row);
  if (exposures.size >= most.waiting && now >= waiting.exposuresHeld) after(c, 0, writeExposures);
  else if (exposures.size > 0 && now >= waiting.exposuresDue) {
    waiting.exposuresDue = now + waits.exposures;
    after(c, waits.exposures, writeExposures);
  }
}

function holdChecks(c: Context<Door>, rows: readonly Check[], now: number): void {
  for (const row of rows) addCheck(waiting.checks, row);
  if (waiting.checks.size === 0 || now < waiting.checksDue) return;
  const wait = waiting.checksDue === 0 ? waits.firstChecks : 0;
  waiting.checksDue = now + waits.checks;
  after(c, wait, writeChecks);
}

/**
 * Counts what an answer shows to its user: exposures are written within two seconds, checks
 * within some minutes, both behind answers. See docs/contract/evaluation.md#9-exposures-and-checks.
 */
export function count(c: Context<Door>, sightings: readonly Sighting[]): void {
  const [snapshot, now] = [c.get('snapshot'), Date.now()];
  holdWithinLimit(
    c,
    sightings.flatMap((sighting) => exposuresOf(sighting, snapshot)),
    now,
  );
  holdChecks(c, checksOf(sightings, snapshot, now), now);
}

/** When an entity was last noted as alive, by its answer; once a day is enough. */
const noted = new Map<string, number>();

/** Notes that flags which were fetched together are alive, and with which answer; being fetched is no exposure. */
export function noteAlive(c: Context<Door>, sightings: readonly Sighting[]): void {
  const [snapshot, now] = [c.get('snapshot'), Date.now()];
  const fresh = sightings.filter(({ list, id, passes }) => {
    const key = `${list} ${id} ${passes}`;
    if (now - (noted.get(key) ?? 0) < dayLength) return false;
    noted.set(key, now);
    return true;
  });
  holdChecks(c, checksBy(fresh, 0, snapshot, now), now);
}
