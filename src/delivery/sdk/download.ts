import type { Context } from 'hono';
import type { downloadV1, downloadV2 } from '../../engine/evaluation/download.ts';
import type { Project } from '../../engine/evaluation/spec.ts';
import type { ClientApi } from '../serving/client_api.ts';

type Version = typeof downloadV1 | typeof downloadV2;

interface CachedDownload {
  readonly project: Project;
  readonly version: Version;
  readonly text: string;
}

/** Serialized downloads in memory. 10,000 gates take 9 MB each. */
let cached: readonly CachedDownload[] = [];
const maxKept = 2;

function downloadText(project: Project, version: Version, time: number): string {
  const found = cached.find((one) => one.project === project && one.version === version);
  const text = found?.text ?? JSON.stringify(version(project, time));
  const others = cached.filter((one) => one !== found).slice(0, maxKept - 1);
  cached = [{ project, version, text }, ...others];
  return text;
}

/** Responds with the spec of a key. See docs/contract/evaluation.md#72-download. */
export const respondWithDownload = (version: Version) => (c: Context<ClientApi>) => {
  const snapshot = c.get('snapshot');
  const since = Number(c.req.query('sinceTime') ?? 0);
  if (since >= snapshot.time) return c.json({ has_updates: false });
  const project = snapshot.project(c.get('caller'));
  const headers = { 'Content-Type': 'application/json' };
  return c.body(downloadText(project, version, snapshot.time), 200, headers);
};
