import type { Context } from 'hono';
import type { Context as EvaluationContext } from '../evaluation/context.ts';
import { findFlag, flagKeys } from '../evaluation/flags.ts';
import { count, noteAlive } from '../serving/count.ts';
import { asks, type Door, door, informed } from '../serving/door.ts';
import { sightingsOf } from '../serving/sightings.ts';
import { tokenFor } from '../serving/token.ts';
import { askedBy } from './asked.ts';
import { changesPurpose, streamChanges } from './changes.ts';
import { onError } from './errors.ts';
import { answerTo, evaluated, resultOf } from './result.ts';
import { bodyTag, etagOf, inputTag, type Tag, tagsIn } from './tag.ts';

const base = '/ofrep/v1';
const flagsPath = '/evaluate/flags';
const changesPath = '/changes';

/** How long a page may be hidden before its stream is closed, in seconds. */
const inactivityDelaySec = 120;

/** Where an app hears of changes since its flags: without origin, so that it stays with the address that it was given. */
const eventStreams = (c: Context<Door>) => {
  const token = tokenFor(c.get('caller'), changesPurpose, Date.now());
  const query = new URLSearchParams({ token, since: String(c.get('snapshot').specSeq) });
  const requestUri = `${base}${changesPath}?${query}`;
  return [{ type: 'sse', endpoint: { requestUri }, inactivityDelaySec }];
};

const unchanged = (c: Context<Door>, tag: Tag) => c.body(null, 304, { ETag: etagOf(tag) });

/** All flags. Those that can be answered are noted as alive, not counted as exposed: what is fetched need not be shown. */
function allFlags(c: Context<Door>, context: EvaluationContext): object[] {
  const answers = flagKeys(context.project).map(({ key, flag }) =>
    answerTo(context, key, { flag }),
  );
  const asked = answers.flatMap(({ evaluation }) => evaluation?.asked ?? []);
  noteAlive(
    c,
    asked.flatMap((each) => sightingsOf(each, context.user, context.now)),
  );
  return answers.map(({ item }) => item);
}

/**
 * All flags of a user. A known tag is compared twice: nothing that they depend on has changed, which takes no evaluation,
 * or the answer is as it was all the same. A provider sends its old tag with a new context too, so that a tag of the
 * project alone would leave it the flags of another user.
 */
async function answerAll(c: Context<Door>) {
  const context = await askedBy(c);
  const { specSeq } = c.get('snapshot');
  const known = tagsIn(c.req.header('If-None-Match'));
  const input = inputTag(context, specSeq);
  const same = known.find((tag) => tag.input === input);
  if (same) return unchanged(c, same);
  const flags = allFlags(c, context);
  const tag = { input, body: bodyTag(flags, context.now) };
  if (known.some(({ body }) => body === tag.body)) return unchanged(c, tag);
  const body = { flags, metadata: { version: specSeq }, eventStreams: eventStreams(c) };
  return c.json(body, 200, { ETag: etagOf(tag) });
}

async function answerOne(c: Context<Door>) {
  const key = c.req.param('key') ?? '';
  const context = await askedBy(c);
  const found = findFlag(context.project, key);
  const evaluation = evaluated(context, key, found);
  const { user, now } = context;
  count(
    c,
    evaluation.asked.flatMap((each) => sightingsOf(each, user, now)),
  );
  return c.json(resultOf(key, evaluation));
}

/** OFREP 0.3: how any OpenFeature SDK asks. */
export const ofrepRoutes = door(base)
  .post(flagsPath, informed, asks('evaluate'), answerAll)
  // The rest of the path is the key, whatever is in it, line breaks too: not all providers encode it.
  .post(`${flagsPath}/:key{[\\s\\S]*}`, informed, asks('evaluate'), answerOne)
  .get(changesPath, informed, streamChanges)
  .onError(onError);
