import { Problem } from '../problem.ts';
import { type Database, isUnmigrated, openDatabase } from '../store/sql/database.ts';
import { loadSnapshot, type Snapshot } from './snapshot.ts';
import { mostRevisions, revisionsAfter } from './sources.ts';

/** Below this age, in milliseconds, what an isolate knows is served without a look whether it is still so. */
const fresh = 1000;

/** From this age on it is looked first, and then served. */
const stale = 2000;

/** How long, in milliseconds, a look may take before what is known is served, however old. */
const patience = 2000;

/** What an isolate knows, and how well; times are in epoch milliseconds. */
interface Known {
  snapshot?: Snapshot;
  /** When the last look that succeeded began. */
  checkedAt: number;
  /** When the last look of any kind began. */
  beganAt: number;
  failedAt: number;
  /** How often this isolate itself has changed something, and up to which change of these it has looked. */
  changes: number;
  seenChanges: number;
  /** From which state on to look, after a change of this isolate. */
  bookmark?: string;
}

const nothing: Known = { checkedAt: 0, beganAt: 0, failedAt: 0, changes: 0, seenChanges: 0 };

/**
 * What this isolate knows. It is data alone, never a promise or a session: the runtime cancels the I/O of a request that
 * ends, and another one that waits for it hangs.
 */
let known: Known = { ...nothing };

/** Forgets everything, as an isolate that has just begun. */
export const forgetSnapshot = (): void => {
  known = { ...nothing };
};

/** Has the next request see what this isolate has just stored. */
export function noteChange(bookmark: string | null): void {
  known.changes++;
  if (bookmark) known.bookmark = bookmark;
}

/** A session of the database in which this isolate sees what it has stored itself. */
export const openCurrent = (d1: D1Database): Database =>
  openDatabase(d1, known.bookmark ?? 'first-unconstrained');

/** Reads what has changed; everything, where nothing is known or too much has changed. */
async function look(db: Database): Promise<Snapshot> {
  const { snapshot } = known;
  const [changes] = snapshot ? await db.read(revisionsAfter(snapshot.seq)) : [undefined];
  if (snapshot && changes && changes.length < mostRevisions) {
    snapshot.apply(changes);
    return snapshot;
  }
  const loaded = await loadSnapshot(db);
  if (!known.snapshot || loaded.seq >= known.snapshot.seq) known.snapshot = loaded;
  return known.snapshot;
}

/** What is thrown where the first look of an isolate fails: without the database there is nothing to serve. */
function unloaded(error: unknown): unknown {
  if (isUnmigrated(error)) return error;
  console.error(JSON.stringify({ message: 'the spec was not loaded', error: String(error) }));
  return Problem.unavailable('The database is not available at the moment.');
}

/** Notes that a look has failed, or takes too long. */
const noteFailure = () => {
  known.failedAt = Date.now();
};

/**
 * The project as it is at this moment, after one look at the database; where that fails, what is known is served on.
 * @throws Problem 503 where nothing is known
 */
export async function latest(db: Database): Promise<Snapshot> {
  const [beganAt, changes] = [Date.now(), known.changes];
  known.beganAt = beganAt;
  try {
    const snapshot = await look(db);
    known.checkedAt = beganAt;
    known.seenChanges = Math.max(known.seenChanges, changes);
    return snapshot;
  } catch (error) {
    noteFailure();
    if (!known.snapshot) throw unloaded(error);
    console.error(JSON.stringify({ message: 'the spec was not refreshed', error: String(error) }));
    return known.snapshot;
  }
}

const isBehind = () => known.changes > known.seenChanges;

/** What is served, and how long ago it was last known to be so, in milliseconds. */
interface Current {
  readonly snapshot: Snapshot;
  readonly age: number;
}

/** Has a look go on behind the answer, with a session of its own. */
type InBackground = (look: (db: Database) => Promise<unknown>) => void;

/** Waits for a look, as long as is asked at most; no timer stays behind. */
async function waitFor(look: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const waited = scheduler
    .wait(patience, { signal: done.signal })
    .then(noteFailure, () => undefined);
  await Promise.race([look, waited]).finally(() => done.abort());
}

/** How long ago a time was, in milliseconds; where the clock was set back since, nobody knows. */
const agoAt = (now: number, time: number) => (time > now ? Number.POSITIVE_INFINITY : now - time);

/** What is known, after a look as far as its age asks for it. */
async function refreshed(db: Database, inBackground: InBackground): Promise<Snapshot> {
  const now = Date.now();
  const { snapshot, checkedAt, failedAt, beganAt } = known;
  const age = agoAt(now, checkedAt);
  if (!snapshot) return latest(db);
  // While the database fails or is silent, one request a second waits for it.
  const lastTry = failedAt > checkedAt ? Math.max(failedAt, beganAt) : failedAt;
  if (agoAt(now, lastTry) < fresh) return snapshot;
  if (isBehind() || age >= stale) {
    await waitFor(latest(db));
    return known.snapshot ?? snapshot;
  }
  if (age >= fresh && now - beganAt >= fresh) {
    known.beganAt = now;
    inBackground(latest);
  }
  return snapshot;
}

/**
 * The project. What is known is served as it is for a second; in the next second it is served,
 * and looked at the database in the background; after that the look comes first. Where it fails, or takes more than two
 * seconds, what is known is served on, however old. See docs/contract/evaluation.md#8-the-spec-of-an-isolate.
 * @throws Problem 503 where nothing is known
 */
export async function current(db: Database, inBackground: InBackground): Promise<Current> {
  const snapshot = await refreshed(db, inBackground);
  return { snapshot, age: Date.now() - known.checkedAt };
}
