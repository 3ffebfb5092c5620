import type { Context } from 'hono';
import { memoize } from '../../base/memoize.ts';
import { Problem } from '../../base/problem.ts';
import { idListFile } from '../../engine/evaluation/download.ts';
import type { ClientApi } from '../serving/client_api.ts';
import { latestSnapshot } from '../serving/current.ts';
import { tokenCaller, tokenFor } from '../serving/token.ts';

/** Bytes of a line: a plus sign, eight characters of a hash, and a line feed. */
const lineSize = 10;

const purposeOf = (segment: string, version: number) => `id_list ${segment} ${version}`;

/** Responds with the URLs of the ID lists, which differ by version. See docs/contract/evaluation.md#73-id-lists. */
export function respondWithLists(c: Context<ClientApi>) {
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

/** Cached, because 100,000 hashes take 1 s. */
const fileOf = memoize(idListFile);

const beginOf = (range: string | undefined) => Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);

async function segmentIn(c: Context<ClientApi>, id: string, version: number) {
  const known = c.get('snapshot').collections.segments.get(id);
  const isBehind = !known || known.version < version;
  const found = isBehind ? (await latestSnapshot(c.get('db'))).collections.segments.get(id) : known;
  if (found?.version === version) return found;
  throw new Problem(
    'not_found',
    `The ID list ${id} has no version ${version}: request the lists again.`,
  );
}

/** Responds with an ID list or a range. Not text, because the edge removes `Content-Length` when it compresses text. */
export async function respondWithList(c: Context<ClientApi>) {
  const { id = '', version = '' } = c.req.param();
  const purpose = purposeOf(id, Number(version));
  tokenCaller(c.req.query('token'), purpose, c.get('snapshot'), c.env);
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
