import { downloadV1, downloadV2 } from '../evaluation/download.ts';
import { onError } from '../http/respond.ts';
import { door, informed } from '../serving/door.ts';
import { answerDownload } from './download.ts';
import { answerList, answerLists } from './id_lists.ts';
import { asksSDK } from './key.ts';
import { answerCustomExposures, answerLog } from './log.ts';
import { answerConfig, answerGate, answerInitialize, answerLayer } from './values.ts';

const download = '/download_config_specs';
const mayDownload = [informed, asksSDK('specs')] as const;
const mayEvaluate = [informed, asksSDK('evaluate')] as const;

/** The protocol of the public service's SDKs, which are pointed here by their `api` option. */
export const sdkRoutes = door('/v1')
  .get(download, ...mayDownload, answerDownload(downloadV1))
  .get(`${download}/:file`, ...mayDownload, answerDownload(downloadV1))
  .post('/get_id_lists', ...mayDownload, answerLists)
  .get('/id_lists/:id/:version', informed, answerList)
  .post('/initialize', ...mayEvaluate, answerInitialize)
  .post('/log_event', ...mayEvaluate, answerLog)
  .post('/rgstr', ...mayEvaluate, answerLog)
  // Where SDKs send what is left when a page closes.
  .post('/rgstr_b', ...mayEvaluate, answerLog)
  .post('/log_event_beacon', ...mayEvaluate, answerLog)
  .post('/log_custom_exposure', ...mayEvaluate, answerCustomExposures)
  .post('/check_gate', ...mayEvaluate, answerGate)
  .post('/get_config', ...mayEvaluate, answerConfig)
  .post('/get_layer', ...mayEvaluate, answerLayer)
  .onError(onError);

/** What SDKs around a native core download. */
export const sdkV2Routes = door('/v2')
  .get(`${download}/:file`, ...mayDownload, answerDownload(downloadV2))
  .onError(onError);
