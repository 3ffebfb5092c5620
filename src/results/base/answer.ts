import type { Context } from 'hono';
import { type Chosen, readChosen, type Selection } from '../../analysis/read/stored.ts';
import { sha256Hex } from '../../base/sha256.ts';
import type { Service } from '../../platform/env.ts';
import { isKnown } from '../../platform/http/conditional.ts';
import { csvType, wantsCSV } from '../../platform/http/csv.ts';
import { readMessage } from '../../platform/http/success.ts';
import { etag, type Tagged } from '../../platform/store/entities/preconditions.ts';

function resultTag(c: Context, chosen: Chosen | undefined): Tagged {
  const { search, pathname } = new URL(c.req.url);
  const rest = [chosen?.loadedTime ?? null, pathname, search, wantsCSV(c)];
  return {
    version: chosen?.changes ?? 0,
    mark: sha256Hex(JSON.stringify(rest)).slice(0, 16),
  };
}

export interface Answer {
  data: object;
  chosen: Chosen | undefined;
  csv?: () => string;
}

/** Responds with results as JSON or CSV, or 304 if If-None-Match matches, for which only the tag is read. */
export async function answerResults(
  c: Context<Service>,
  selection: Selection,
  work: () => Promise<Answer>,
): Promise<Response> {
  if (c.req.header('If-None-Match') !== undefined) {
    const [[chosen]] = await c.get('db').read(readChosen(selection));
    const tag = resultTag(c, chosen);
    if (chosen && isKnown(c, tag)) return c.body(null, 304, { ETag: etag(tag), Vary: 'Accept' });
  }
  const { data, chosen, csv } = await work();
  const headers = { ETag: etag(resultTag(c, chosen)), Vary: 'Accept' };
  if (csv && wantsCSV(c)) return c.body(csv(), 200, { ...headers, 'Content-Type': csvType });
  return c.json({ message: readMessage(c), data }, 200, headers);
}
