import type { Context } from 'hono';
import type { EvaluationContext } from '../../engine/evaluation/context.ts';
import { findFlag, flagKeys } from '../../engine/evaluation/flags.ts';
import { senderOf } from '../serving/caller.ts';
import { type ClientApi, clientApi, requireKey, withSnapshot } from '../serving/client_api.ts';
import { countEvents, recordAlive } from '../serving/count.ts';
import { exposureEventsOf } from '../serving/exposure_events.ts';
import { tokenFor } from '../serving/token.ts';
import { streamChanges, streamPurpose } from './changes.ts';
import { onOFREPError } from './errors.ts';
import { ofrepContext } from './request_context.ts';
import { bulkItem, evaluateKey, flagResult } from './result.ts';
import { bodyTag, countMoments, etagOf, type FlagsTag, inputTag, tagsIn } from './tag.ts';

const base = '/ofrep/v1';
const flagsPath = '/evaluate/flags';
const changesPath = '/changes';

/** Seconds that a page may be hidden before its stream is closed. */
const inactivityDelaySec = 120;

/** The URL is relative, so that the provider uses the origin it is configured with. */
const eventStreams = (c: Context<ClientApi>, { project, now }: EvaluationContext) => {
  const token = tokenFor(c.get('caller'), streamPurpose, Date.now());
  const query = new URLSearchParams({
    token,
    since: String(c.get('snapshot').specSeq),
    moments: String(countMoments(project, now)),
  });
  const requestUri = `${base}${changesPath}?${query}`;
  return [{ type: 'sse', endpoint: { requestUri }, inactivityDelaySec }];
};

const notModified = (c: Context<ClientApi>, tag: FlagsTag) =>
  c.body(null, 304, { ETag: etagOf(tag) });

/** A fetched flag may never be used, so it is recorded as evaluated, not as exposed. */
function allFlags(c: Context<ClientApi>, context: EvaluationContext): object[] {
  const keys = flagKeys(context.project);
  const items = keys.map(({ key, flag }) => bulkItem(context, key, { flag }));
  const evaluations = items.flatMap(({ evaluation }) => evaluation?.evaluations ?? []);
  const sender = senderOf(c.get('caller'));
  recordAlive(
    c,
    evaluations.flatMap((each) => exposureEventsOf(each, context.user, sender, context.now)),
  );
  return items.map(({ item }) => item);
}

/** Responds with 304 if the result is equal. Providers send an old tag with a new context, so tags include it. */
async function respondWithAll(c: Context<ClientApi>) {
  const context = await ofrepContext(c);
  const { specSeq } = c.get('snapshot');
  const known = tagsIn(c.req.header('If-None-Match'));
  const input = inputTag(context, specSeq);
  const match = known.find((tag) => tag.input === input);
  if (match) return notModified(c, match);
  const flags = JSON.stringify(allFlags(c, context)); // once, for the tag and the body
  const tag = { input, body: bodyTag(flags, context.now) };
  if (known.some(({ body }) => body === tag.body)) return notModified(c, tag);
  const metadata = JSON.stringify({ version: specSeq });
  const body = `{"flags":${flags},"metadata":${metadata},"eventStreams":${JSON.stringify(eventStreams(c, context))}}`;
  return c.body(body, 200, { 'Content-Type': 'application/json', ETag: etagOf(tag) });
}

async function respondWithFlag(c: Context<ClientApi>) {
  const key = c.req.param('key') ?? '';
  const context = await ofrepContext(c);
  const found = findFlag(context.project, key);
  const evaluation = evaluateKey(context, key, found);
  const { user, now } = context;
  const sender = senderOf(c.get('caller'));
  countEvents(
    c,
    evaluation.evaluations.flatMap((each) => exposureEventsOf(each, user, sender, now)),
  );
  return c.json(flagResult(key, evaluation));
}

/** OpenFeature Remote Evaluation Protocol 0.3. */
export const ofrepRoutes = clientApi(base)
  .post(flagsPath, withSnapshot, requireKey('evaluate'), respondWithAll)
  // The key is the rest of the path, including slashes and line breaks: not all providers encode it.
  .post(`${flagsPath}/:key{[\\s\\S]*}`, withSnapshot, requireKey('evaluate'), respondWithFlag)
  .get(changesPath, withSnapshot, streamChanges)
  .onError(onOFREPError);
