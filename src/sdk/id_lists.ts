import type { Context } from 'hono';
import { idListFile } from '../evaluation/download.ts';
import { Problem } from '../problem.ts';
import { latest } from '../serving/current.ts';
import type { Door } from '../serving/door.ts';
import { bearerOf, tokenFor } from '../serving/token.ts';
import { madeOnce } from '../shared/made_once.ts';

/** Bytes of a line: a sign, eight characters of a hash, and the end. */
const lineSize = 10;

const purposeOf = (segment: string, version: number) => `id_list ${segment} ${version}`;

/**
 * Answers where the long lists of ids are; a new version is another file.
 * See docs/contract/evaluation.md#73-id-lists.
 */
export function answerLists(c: Context<Door>) {
  const [snapshot, caller] = [c.get('snapshot'), c.get('caller')];
  const { origin } = new URL(c.req.url);
  const lists = [...snapshot.project(caller).idLists.keys()].flatMap((name) => {
    const segment = snapshot.collections.segments.get(name);
    if (!segment) return [];
    const { version, ids, lastModifiedTime: creationTime } = segment;
    const token = encodeURIComponent(tokenFor(caller, purposeOf(name, version), Date.now()));
    const url = `${origin}/v1/id_lists/${name}/${version}?token=${token}`;
    const size = ids.length * lineSize;
    return [[name, { name, url, size, fileID: `${name}.${version}`, creationTime }]];
  });
  return c.json(Object.fromEntries(lists));
}

/** The file of a list, written once: 100,000 hashes take a second. */
const fileOf = madeOnce(idListFile);

/** Where a range begins that goes to the end; 0 where there is none. */
const beginOf = (range: string | undefined) => Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);

/** The segment in a version: where an isolate knows an older one, it looks again. */
async function segmentIn(c: Context<Door>, id: string, version: number) {
  const known = c.get('snapshot').collections.segments.get(id);
  const isBehind = !known || known.version < version;
  const found = isBehind ? (await latest(c.get('db'))).collections.segments.get(id) : known;
  if (found?.version === version) return found;
  throw new Problem('not_found', `There is no version ${version} of the list ${id}.`);
}

/**
 * Answers a list of ids, or the rest of it. SDKs want its length, and the edge takes that off what it compresses: so it is
 * no text.
 */
export async function answerList(c: Context<Door>) {
  const { id = '', version = '' } = c.req.param();
  const purpose = purposeOf(id, Number(version));
  bearerOf(c.req.query('token'), purpose, c.get('snapshot'), c.env);
  const file = fileOf((await segmentIn(c, id, Number(version))).ids);
  const begin = beginOf(c.req.header('Range'));
  const rest = file.slice(begin);
  const size = file.length;
  const headers = {
    'Content-Type': 'application/octet-stream',
    'Content-Length': String(rest.length),
    'Cache-Control': 'private, no-store, no-transform',
    'Accept-Ranges': 'bytes',
  };
  if (begin === 0) return c.body(rest, 200, headers);
  if (begin >= size)
    return c.body(null, 416, { 'Content-Range': `bytes */${size}`, 'Content-Length': '0' });
  const range = `bytes ${begin}-${size - 1}/${size}`;
  return c.body(rest, 206, { ...headers, 'Content-Range': range });
}
