import type { Context } from 'hono';
import { dayLength } from '../../base/time.ts';
import { withoutContradicted } from '../../data/exposures/contradictions.ts';
import {
  exposureKey,
  recordChecks,
  recordExposures,
  recordRejectedReports,
} from '../../data/exposures/recording.ts';
import type { Check, Exposure } from '../../data/exposures/table.ts';
import { addGateCheck, recordGateChecks } from '../../flags/gate_checks/recording.ts';
import type { GateCheck } from '../../flags/gate_checks/table.ts';
import { countRowsWritten } from '../../platform/http/rate_limit.ts';
import { type Database, openDatabase } from '../../platform/store/sql/database.ts';
import type { Statement } from '../../platform/store/sql/statement.ts';
import { switchesOf } from './caller.ts';
import { addCheck, checksBy, checksOfEvents } from './checks.ts';
import type { ClientApi } from './client_api.ts';
import { candidateExposures, type ExposureEvent } from './exposure_events.ts';
import { gateChecksOf } from './gate_checks.ts';

/**
 * Milliseconds between writes. The first checks are written sooner than later ones. Checks by rule join every third
 * batch of checks, because they have several rows a gate.
 */
const waitMilliseconds = {
  exposures: 2000,
  firstChecks: 25_000,
  checks: 300_000,
  gateChecks: 900_000,
};

/** Exposures: how many trigger an immediate write, and how many written ones are remembered to skip repeats. */
const maxExposures = { pending: 500, remembered: 50_000 };

/** Rows that are not written yet. An evicted isolate loses them. */
const pending = {
  exposures: new Map<string, Exposure>(),
  checks: new Map<string, Check>(),
  gateChecks: new Map<string, GateCheck>(),
  written: new Set<string>(),
  exposuresDue: 0,
  /** Until then, no number of pending exposures triggers an immediate write, because a write has failed. */
  exposuresHeldUntil: 0,
  checksDue: 0,
  gateChecksDue: 0,
};

/** Clears all pending rows, for tests. */
export function forgetCounts(): void {
  const { exposures, checks, gateChecks, written } = pending;
  for (const rowsByKey of [exposures, checks, gateChecks, written, ...allTimes]) rowsByKey.clear();
  pending.exposuresDue = 0;
  pending.exposuresHeldUntil = 0;
  pending.checksDue = 0;
  pending.gateChecksDue = 0;
}

function take<Row>(rowsByKey: Map<string, Row>): Map<string, Row> {
  const taken = new Map(rowsByKey);
  rowsByKey.clear();
  return taken;
}

async function write(
  db: Database,
  prepare: () => Promise<Statement[]> | Statement[],
): Promise<boolean> {
  try {
    const statements = await prepare();
    if (statements.length > 0) await db.batch(...statements);
    return true;
  } catch (error) {
    console.error(JSON.stringify({ message: 'counts were not written', error: String(error) }));
    return false;
  }
}

async function writeExposures(db: Database): Promise<void> {
  const { exposures, written } = pending;
  const taken = take(exposures);
  const prepare = async () => {
    const { kept, contradicted } = await withoutContradicted(db.read, [...taken.values()]);
    return [...recordExposures(kept), ...recordRejectedReports(contradicted)];
  };
  if (await write(db, prepare)) {
    if (written.size + taken.size > maxExposures.remembered) written.clear();
    for (const key of taken.keys()) written.add(key);
    return;
  }
  pending.exposuresHeldUntil = Date.now() + waitMilliseconds.exposures;
  for (const [key, row] of taken)
    if (!exposures.has(key) && exposures.size < maxExposures.remembered) exposures.set(key, row);
}

function takeGateChecks(now: number): GateCheck[] {
  if (now < pending.gateChecksDue) return [];
  pending.gateChecksDue = now + waitMilliseconds.gateChecks;
  return [...take(pending.gateChecks).values()];
}

async function writeChecks(db: Database): Promise<void> {
  const now = Date.now();
  // The random part spreads the writes of isolates that started together.
  pending.checksDue = now + waitMilliseconds.checks * (0.8 + 0.4 * Math.random());
  const checks = [...take(pending.checks).values()];
  const gateChecks = takeGateChecks(now);
  const prepare = () => [...recordChecks(checks), ...recordGateChecks(gateChecks)];
  if (await write(db, prepare)) return;
  for (const row of checks) addCheck(pending.checks, row);
  for (const row of gateChecks) addGateCheck(pending.gateChecks, row);
  pending.gateChecksDue = 0;
}

function runLater(
  c: Context<ClientApi>,
  milliseconds: number,
  work: (db: Database) => Promise<void>,
) {
  const wait = milliseconds > 0 ? scheduler.wait(milliseconds) : Promise.resolve();
  c.executionCtx.waitUntil(wait.then(() => work(openDatabase(c.env.DB, 'first-primary'))));
}

/** With the sender, because a server confirms what a client reported. */
const pendingKey = (row: Exposure) => `${row.sender} ${exposureKey(row)}`;

function newExposures(rows: readonly Exposure[]): [string, Exposure][] {
  const keyed = rows.map((row): [string, Exposure] => [pendingKey(row), row]);
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
  const counted = countRowsWritten(ROWS, c, added);
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

/** Adds checks, which are written after the response: at once if it is time for the isolate's next batch. */
export function addChecks(
  c: Context<ClientApi>,
  rows: readonly Check[],
  gateChecks: readonly GateCheck[],
  now: number,
): void {
  for (const row of rows) addCheck(pending.checks, row);
  for (const row of gateChecks) addGateCheck(pending.gateChecks, row);
  const isEmpty = pending.checks.size === 0 && pending.gateChecks.size === 0;
  if (isEmpty || now < pending.checksDue) return;
  const wait = pending.checksDue === 0 ? waitMilliseconds.firstChecks : 0;
  pending.checksDue = now + waitMilliseconds.checks;
  runLater(c, wait, writeChecks);
}

/** Counts an evaluation after the response. See docs/contract/evaluation.md#9-exposures-and-checks. */
export function countEvents(c: Context<ClientApi>, exposureEvents: readonly ExposureEvent[]): void {
  const [snapshot, now] = [c.get('snapshot'), Date.now()];
  if (switchesOf(c.get('caller')).exposures)
    addWithinLimit(
      c,
      exposureEvents.flatMap((exposureEvent) => candidateExposures(exposureEvent, snapshot)),
      now,
    );
  const gateChecks = gateChecksOf(exposureEvents, snapshot, now);
  addChecks(c, checksOfEvents(exposureEvents, snapshot, now), gateChecks, now);
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
  addChecks(c, checksBy(added, 0, snapshot, now), [], now);
}
