import { Problem } from '../../base/problem.ts';
import { type Database, isUnmigrated, openDatabase } from '../../platform/store/sql/database.ts';
import { loadSnapshot, type Snapshot } from './snapshot.ts';
import { maxRevisions, revisionsAfter } from './sources.ts';

/** Below this age, in milliseconds, the snapshot is served without checking for changes. */
const freshMilliseconds = 1000;

/** From this age on, in milliseconds, changes are checked before the response. */
const staleMilliseconds = 2000;

/** Milliseconds that a request waits for a check. After that, the old snapshot is served. */
const maxWait = 2000;

interface CurrentSnapshot {
  snapshot?: Snapshot;
  checkedAt: number;
  beganAt: number;
  failedAt: number;
  /** Number of changes stored by this isolate, and how many of them the last check included. */
  changes: number;
  seenChanges: number;
  bookmark?: string;
}

const initialState: CurrentSnapshot = {
  checkedAt: 0,
  beganAt: 0,
  failedAt: 0,
  changes: 0,
  seenChanges: 0,
};

/** Not a promise or session: the runtime cancels the I/O of a finished request, and one that awaits it would hang. */
let state: CurrentSnapshot = { ...initialState };

/** Clears the state of the isolate, for tests. */
export const forgetSnapshot = (): void => {
  state = { ...initialState };
};

/** Makes the next request read a change that this isolate has just stored. */
export function noteChange(bookmark: string | null): void {
  state.changes++;
  if (bookmark) state.bookmark = bookmark;
}

/** Opens a database session that includes the changes stored by this isolate. */
export const openCurrent = (d1: D1Database): Database =>
  openDatabase(d1, state.bookmark ?? 'first-unconstrained');

async function check(db: Database): Promise<Snapshot> {
  const { snapshot } = state;
  const [changes] = snapshot ? await db.read(revisionsAfter(snapshot.seq)) : [undefined];
  if (snapshot && changes && changes.length < maxRevisions) {
    snapshot.apply(changes);
    return snapshot;
  }
  const loaded = await loadSnapshot(db);
  if (!state.snapshot || loaded.seq >= state.snapshot.seq) state.snapshot = loaded;
  return state.snapshot;
}

function loadError(error: unknown): unknown {
  if (isUnmigrated(error)) return error;
  console.error(JSON.stringify({ message: 'the spec was not loaded', error: String(error) }));
  return Problem.unavailable('The database is not available at the moment: try again later.');
}

const noteFailure = () => {
  state.failedAt = Date.now();
};

/** Returns the snapshot after checking for changes. `@throws Problem` 503 if that fails and there is no snapshot. */
export async function latestSnapshot(db: Database): Promise<Snapshot> {
  const [beganAt, changes] = [Date.now(), state.changes];
  state.beganAt = beganAt;
  try {
    const snapshot = await check(db);
    state.checkedAt = beganAt;
    state.seenChanges = Math.max(state.seenChanges, changes);
    return snapshot;
  } catch (error) {
    noteFailure();
    if (!state.snapshot) throw loadError(error);
    console.error(JSON.stringify({ message: 'the spec was not refreshed', error: String(error) }));
    return state.snapshot;
  }
}

const isBehind = () => state.changes > state.seenChanges;

/** `age` in milliseconds. */
interface Current {
  readonly snapshot: Snapshot;
  readonly age: number;
}

type InBackground = (check: (db: Database) => Promise<unknown>) => void;

/** Waits for a check, at most `maxWait`, and leaves no timer behind. */
async function waitFor(check: Promise<unknown>): Promise<void> {
  const stopTimer = new AbortController();
  const timer = scheduler
    .wait(maxWait, { signal: stopTimer.signal })
    .then(noteFailure, () => undefined);
  await Promise.race([check, timer]).finally(() => stopTimer.abort());
}

const elapsed = (now: number, time: number) => (time > now ? Number.POSITIVE_INFINITY : now - time);

async function refreshedSnapshot(db: Database, inBackground: InBackground): Promise<Snapshot> {
  const now = Date.now();
  const { snapshot, checkedAt, failedAt, beganAt } = state;
  const age = elapsed(now, checkedAt);
  if (!snapshot) return latestSnapshot(db);
  // While the database fails or hangs, one request a second waits for it.
  const lastTry = failedAt > checkedAt ? Math.max(failedAt, beganAt) : failedAt;
  if (elapsed(now, lastTry) < freshMilliseconds) return snapshot;
  if (isBehind() || age >= staleMilliseconds) {
    await waitFor(latestSnapshot(db));
    return state.snapshot ?? snapshot;
  }
  if (age >= freshMilliseconds && now - beganAt >= freshMilliseconds) {
    state.beganAt = now;
    inBackground(latestSnapshot);
  }
  return snapshot;
}

/**
 * Returns the snapshot, checking for changes if it is old; see docs/contract/evaluation.md#8-the-spec-of-an-isolate.
 * @throws Problem 503 if there is no snapshot and the database cannot be reached
 */
export async function currentSnapshot(db: Database, inBackground: InBackground): Promise<Current> {
  const snapshot = await refreshedSnapshot(db, inBackground);
  return { snapshot, age: Date.now() - state.checkedAt };
}
