import type { Context } from 'hono';
import { Problem } from '../../base/problem.ts';
import { downloadV1, downloadV2 } from '../../engine/evaluation/download.ts';
import { onError, respond } from '../../platform/http/respond.ts';
import { clientApi, withSnapshot } from '../serving/client_api.ts';
import { respondWithDownload } from './download.ts';
import { respondWithList, respondWithLists } from './id_lists.ts';
import { requireSDKKey } from './key.ts';
import { receiveCustomExposures, receiveEvents } from './log.ts';
import {
  respondWithAllValues,
  respondWithConfig,
  respondWithGate,
  respondWithLayer,
} from './values.ts';

const download = '/download_config_specs';
const withDownloadKey = [withSnapshot, requireSDKKey('specs')] as const;
const withEvaluateKey = [withSnapshot, requireSDKKey('evaluate')] as const;

/** The paths of deliveries, beacons included. */
const deliveryPath = /\/(?:log_event|rgstr|rgstr_b|log_event_beacon|log_custom_exposure)$/;

/** SDKs of web pages drop a delivery for good on 429, and repeat it on 503. */
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
