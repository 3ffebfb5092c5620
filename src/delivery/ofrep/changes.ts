import type { Context } from 'hono';
import { maxTrips } from '../../platform/store/sql/database.ts';
import type { Caller } from '../serving/caller.ts';
import type { ClientApi } from '../serving/client_api.ts';
import { currentSnapshot } from '../serving/current.ts';
import type { Snapshot } from '../serving/snapshot.ts';
import { tokenCaller } from '../serving/token.ts';
import { countMoments } from './tag.ts';

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

/** The state of the project behind an ETag: the newest revision, and the number of moments that came. */
interface StreamPosition {
  seq: number;
  moments: number;
}

const positionIn = (snapshot: Snapshot, caller: Caller): StreamPosition => ({
  seq: snapshot.specSeq,
  moments: countMoments(snapshot.project(caller), Date.now()),
});

/** Returns the present position. `@throws Problem` 401 if the key is no longer valid. */
async function newestPosition(c: Context<ClientApi>): Promise<StreamPosition> {
  const db = c.get('db'); // continues to use the meter of the request
  const { snapshot } = await currentSnapshot(db, (check) => c.executionCtx.waitUntil(check(db)));
  return positionIn(snapshot, requireToken(c, snapshot));
}

/** Yields an event for a change, and a comment after 25 s without one. */
async function* messages(c: Context<ClientApi>, since: StreamPosition): AsyncGenerator<string> {
  const { signal } = c.req.raw;
  const { meter } = c.get('db');
  const end = Date.now() + milliseconds.stream;
  let [seen, sentAt] = [since, Date.now()];
  yield greeting(since.seq);
  while (!signal.aborted && Date.now() < end && meter.trips < maxTrips) {
    const newest = await newestPosition(c);
    const isChanged = newest.seq > seen.seq || newest.moments !== seen.moments;
    const isSilent = Date.now() - sentAt >= milliseconds.comment;
    if (isChanged || isSilent) {
      yield isChanged ? changeEvent(newest.seq) : ': still here\n\n';
      sentAt = Date.now();
    }
    seen = newest; // its revision never decreases within an isolate
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

const isCount = (text: string | undefined) => /^\d{1,15}$/.test(text ?? '');

/** The reader may be ahead of this isolate, or of a restored database. */
function seenBefore(c: Context<ClientApi>, caller: Caller): StreamPosition {
  const { seq, moments } = positionIn(c.get('snapshot'), caller);
  const seen = [c.req.header('Last-Event-ID'), c.req.query('since')].find(isCount);
  const seenMoments = c.req.query('moments');
  return {
    seq: Math.min(Number(seen ?? seq), seq),
    moments: isCount(seenMoments) ? Number(seenMoments) : moments,
  };
}

/** Streams changes for at most one hour, while the key is valid and the request has round trips left. */
export function streamChanges(c: Context<ClientApi>): Response {
  const caller = requireToken(c, c.get('snapshot'));
  return c.body(changeStream(messages(c, seenBefore(c, caller))), 200, {
    'Content-Type': 'text/event-stream',
  });
}
