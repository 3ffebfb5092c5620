import type { Context } from 'hono';
import { maxTrips } from '../../platform/store/sql/database.ts';
import type { ClientApi } from '../serving/client_api.ts';
import { currentSnapshot } from '../serving/current.ts';
import type { Snapshot } from '../serving/snapshot.ts';
import { tokenCaller } from '../serving/token.ts';

export const streamPurpose = 'changes';

/** Milliseconds: between checks for changes, between messages at most, and until the stream ends. */
const milliseconds = { check: 2000, comment: 25_000, stream: 60 * 60 * 1000 };

/** The first message: milliseconds to wait before reconnecting, and the `Last-Event-ID` to send then. */
const greeting = (since: number) => `retry: 3000\nid: ${since}\n\n`;

function changeEvent(seq: number): string {
  const lastModified = Math.floor(Date.now() / 1000);
  const data = JSON.stringify({ type: 'refetchEvaluation', etag: String(seq), lastModified });
  return `id: ${seq}\ndata: ${data}\n\n`;
}

/** @throws Problem 401 if the token or its key is no longer valid */
const requireToken = (c: Context<ClientApi>, snapshot: Snapshot) =>
  tokenCaller(c.req.query('token'), streamPurpose, snapshot, c.env);

/** Returns the newest revision that changes a response. `@throws Problem` 401 if the key is no longer valid. */
async function newestSeq(c: Context<ClientApi>): Promise<number> {
  const db = c.get('db'); // continues to use the meter of the request
  const { snapshot } = await currentSnapshot(db, (check) => c.executionCtx.waitUntil(check(db)));
  requireToken(c, snapshot);
  return snapshot.specSeq;
}

/** Yields an event for a change, and a comment after 25 s without one. */
async function* messages(c: Context<ClientApi>, since: number): AsyncGenerator<string> {
  const { signal } = c.req.raw;
  const { meter } = c.get('db');
  const end = Date.now() + milliseconds.stream;
  let [seen, sentAt] = [since, Date.now()];
  yield greeting(since);
  while (!signal.aborted && Date.now() < end && meter.trips < maxTrips) {
    const seq = await newestSeq(c);
    const isSilent = Date.now() - sentAt >= milliseconds.comment;
    if (seq > seen || isSilent) {
      yield seq > seen ? changeEvent(seq) : ': still here\n\n';
      sentAt = Date.now();
    }
    seen = seq; // never decreases within an isolate
    await scheduler.wait(milliseconds.check, { signal });
  }
}

const encoder = new TextEncoder();

/** Closes the stream if a message fails. A disconnected reader pulls no more messages. */
function changeStream(all: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await all.next().catch(() => ({ value: undefined, done: true }));
      if (done || value === undefined) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
}

/** The reader may be ahead of this isolate, or of a restored database. */
function seenBefore(c: Context<ClientApi>): number {
  const { specSeq } = c.get('snapshot');
  const given = [c.req.header('Last-Event-ID'), c.req.query('since')];
  const seen = given.find((text) => /^\d{1,15}$/.test(text ?? ''));
  return Math.min(Number(seen ?? specSeq), specSeq);
}

/** Streams changes for at most one hour, while the key is valid and the request has round trips left. */
export function streamChanges(c: Context<ClientApi>): Response {
  requireToken(c, c.get('snapshot'));
  return c.body(changeStream(messages(c, seenBefore(c))), 200, {
    'Content-Type': 'text/event-stream',
  });
}
