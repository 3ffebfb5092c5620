import type { Context } from 'hono';
import { Problem } from '../../base/problem.ts';
import { downloadV1, downloadV2 } from '../../engine/evaluation/download.ts';
import type { Project } from '../../engine/evaluation/spec.ts';
import type { KeyScope } from '../../platform/env.ts';
import { onError, respond } from '../../platform/http/respond.ts';
import {
  type ClientApi,
  clientApi,
  keyInHeaders,
  requireKey,
  withSnapshot,
} from '../serving/client_api.ts';
import { respondWithList, respondWithLists } from './id_lists.ts';
import { receiveCustomExposures, receiveEvents } from './log.ts';
import {
  respondWithAllValues,
  respondWithConfig,
  respondWithGate,
  respondWithLayer,
} from './values.ts';

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
const respondWithDownload = (version: Version) => (c: Context<ClientApi>) => {
  const snapshot = c.get('snapshot');
  const since = Number(c.req.query('sinceTime') ?? 0);
  if (since >= snapshot.time) return c.json({ has_updates: false });
  const project = snapshot.project(c.get('caller'));
  const headers = { 'Content-Type': 'application/json' };
  return c.body(downloadText(project, version, snapshot.time), 200, headers);
};

function keyInPath(c: Context): string | undefined {
  const file = c.req.param('file');
  return file?.endsWith('.json') ? file.slice(0, -'.json'.length) : undefined;
}

/** Requires an API key with a scope, which SDKs send in a header, in the query or in the path. */
const requireSDKKey = (scope: KeyScope) =>
  requireKey(scope, (c) => keyInHeaders(c) ?? c.req.query('k') ?? keyInPath(c));

const download = '/download_config_specs';
const withDownloadKey = [withSnapshot, requireSDKKey('specs')] as const;
const withEvaluateKey = [withSnapshot, requireSDKKey('evaluate')] as const;

/** The paths of deliveries, beacons included. */
const deliveryPath = /\/(?:log_event|rgstr|rgstr_b|log_event_beacon|log_custom_exposure)$/;

/** SDKs of web pages lose a delivery on 429, and repeat it on 503. */
function onSDKError(error: Error, c: Context): Response {
  const isLimited = error instanceof Problem && error.code === 'rate_limited';
  if (!isLimited || !deliveryPath.test(c.req.path)) return onError(error, c);
  return respond(c, new Problem('events_limited', error.message, error.details));
}

/** The protocol of the public service's SDKs; their `api` option takes the URL of this service. */
export const sdkRoutes = clientApi('/v1')
  .get(download, ...withDownloadKey, respondWithDownload(downloadV1))
  .post(download, ...withDownloadKey, respondWithDownload(downloadV1)) // older SDKs
  .get(`${download}/:file`, ...withDownloadKey, respondWithDownload(downloadV1))
  .post('/get_id_lists', ...withDownloadKey, respondWithLists)
  .get('/id_lists/:id/:version', withSnapshot, respondWithList)
  .post('/initialize', ...withEvaluateKey, respondWithAllValues)
  .post('/log_event', ...withEvaluateKey, receiveEvents)
  .post('/rgstr', ...withEvaluateKey, receiveEvents)
  // Beacons of SDKs, sent when a page closes.
  .post('/rgstr_b', ...withEvaluateKey, receiveEvents)
  .post('/log_event_beacon', ...withEvaluateKey, receiveEvents)
  .post('/log_custom_exposure', ...withEvaluateKey, receiveCustomExposures)
  .post('/check_gate', ...withEvaluateKey, respondWithGate)
  .post('/get_config', ...withEvaluateKey, respondWithConfig)
  .post('/get_layer', ...withEvaluateKey, respondWithLayer)
  .onError(onSDKError);

export const sdkV2Routes = clientApi('/v2')
  .get(`${download}/:file`, ...withDownloadKey, respondWithDownload(downloadV2))
  .onError(onError);
