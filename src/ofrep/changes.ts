import type { Context } from 'hono';
import { current } from '../serving/current.ts';
import type { Door } from '../serving/door.ts';
import type { Snapshot } from '../serving/snapshot.ts';
import { bearerOf } from '../serving/token.ts';
import { mostTrips } from '../store/sql/database.ts';

/** What tokens for streams of changes are good for. */
export const changesPurpose = 'changes';

/** In milliseconds: how often a stream looks for changes, how long it is silent at most, and how long it lives. */
const every = { look: 2000, comment: 25_000, stream: 60 * 60 * 1000 };

/** The first message: how long, in milliseconds, to wait before connecting anew, and what to report as seen then. */
const greeting = (since: number) => `retry: 3000\nid: ${since}\n\n`;

/** The event by which a provider asks for its flags again. */
function changeEvent(seq: number): string {
  const lastModified = Math.floor(Date.now() / 1000);
  const data = JSON.stringify({ type: 'refetchEvaluation', etag: String(seq), lastModified });
  return `id: ${seq}\ndata: ${data}\n\n`;
}

/** 401 where a stream's token is not good, or no longer, by what is known of the project. */
const requireBearer = (c: Context<Door>, snapshot: Snapshot) =>
  bearerOf(c.req.query('token'), changesPurpose, snapshot, c.env);

/**
 * The newest change that this isolate knows of; it looks at the database where that is due.
 * @throws Problem 401 where the key of the stream no longer works
 */
async function newest(c: Context<Door>): Promise<number> {
  const db = c.get('db'); // the same behind the answer, so that its meter has all
  const { snapshot } = await current(db, (look) => c.executionCtx.waitUntil(look(db)));
  requireBearer(c, snapshot);
  return snapshot.specSeq;
}

/** What a stream says next: an event for a change, or a comment where there was none for a while. */
async function* messages(c: Context<Door>, since: number): AsyncGenerator<string> {
  const { signal } = c.req.raw;
  const { meter } = c.get('db');
  const end = Date.now() + every.stream;
  let [seen, heardOf] = [since, Date.now()];
  yield greeting(since);
  while (!signal.aborted && Date.now() < end && meter.trips < mostTrips) {
    const seq = await newest(c);
    const isSilent = Date.now() - heardOf >= every.comment;
    if (seq > seen || isSilent) {
      yield seq > seen ? changeEvent(seq) : ': still here\n\n';
      heardOf = Date.now();
    }
    seen = seq; // which never falls in one isolate
    await scheduler.wait(every.look, { signal });
  }
}

const encoder = new TextEncoder();

/** The messages as they are read, until one cannot be made; a reader that has left asks for no more. */
function streamOf(all: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await all.next().catch(() => ({ value: undefined, done: true }));
      if (done || value === undefined) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
}

/**
 * The seq that a reader has seen: before it connected anew, or as it was given its flags; else what is there now. It is
 * no more than that: a reader may be ahead of an isolate that is behind, or of a database that was put back.
 */
function seenBefore(c: Context<Door>): number {
  const { specSeq } = c.get('snapshot');
  const given = [c.req.header('Last-Event-ID'), c.req.query('since')];
  const seen = given.find((text) => /^\d{1,15}$/.test(text ?? ''));
  return Math.min(Number(seen ?? specSeq), specSeq);
}

/**
 * Tells of each change as it comes, while its key works, for an hour at most, and for half of one where no other request
 * looks for it.
 */
export function streamChanges(c: Context<Door>): Response {
  requireBearer(c, c.get('snapshot'));
  return c.body(streamOf(messages(c, seenBefore(c))), 200, {
    'Content-Type': 'text/event-stream',
  });
}
