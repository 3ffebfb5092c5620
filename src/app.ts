import { Hono, type MiddlewareHandler } from 'hono';
import { requestId } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import type { Service } from './env.ts';
import { explainRoutes } from './explain/routes.ts';
import { afterStoring } from './http/afterwards.ts';
import { authenticate } from './http/authenticate.ts';
import { jsonBody } from './http/body.ts';
import { limitBody } from './http/bytes.ts';
import { healthRoutes } from './http/health.ts';
import { idempotency } from './http/idempotency.ts';
import { observe } from './http/observe.ts';
import { shareWithOrigins } from './http/origins.ts';
import { knownPaths, pathOf } from './http/paths.ts';
import { noQuery } from './http/query.ts';
import { rateLimit } from './http/rate_limit.ts';
import { notFound, onError, problemPages } from './http/respond.ts';
import { sessionRoutes } from './http/session.ts';
import { autotuneResultRoutes } from './learning/routes.ts';
import { ofrepRoutes } from './ofrep/routes.ts';
import { assignmentSourceRoutes } from './resources/assignment_sources/routes.ts';
import { auditLogRoutes } from './resources/audit_logs/routes.ts';
import { autotuneRoutes } from './resources/autotunes/routes.ts';
import { changesRoutes } from './resources/changes/routes.ts';
import { companyRoutes } from './resources/company/routes.ts';
import { dynamicConfigRoutes } from './resources/dynamic_configs/routes.ts';
import { environmentRoutes } from './resources/environments/routes.ts';
import { eventRoutes } from './resources/events/routes.ts';
import { experimentRoutes } from './resources/experiments/routes.ts';
import { exposureRoutes } from './resources/exposures/routes.ts';
import { gateRoutes } from './resources/gates/routes.ts';
import { holdoutRoutes } from './resources/holdouts/routes.ts';
import { ingestionRoutes } from './resources/ingestion/routes.ts';
import { keyRoutes } from './resources/keys/routes.ts';
import { findKey } from './resources/keys/table.ts';
import { layerRoutes } from './resources/layers/routes.ts';
import { metricValueRoutes } from './resources/metric_values/routes.ts';
import { metricRoutes } from './resources/metrics/routes.ts';
import { paramStoreRoutes } from './resources/param_stores/routes.ts';
import { promptRoutes } from './resources/prompts/routes.ts';
import { releasePipelineTriggerRoutes } from './resources/release_pipeline_triggers/routes.ts';
import { releasePipelineRoutes } from './resources/release_pipelines/routes.ts';
import { segmentRoutes } from './resources/segments/routes.ts';
import { tagRoutes } from './resources/tags/routes.ts';
import { targetAppRoutes } from './resources/target_apps/routes.ts';
import { teamRoutes } from './resources/teams/routes.ts';
import { exportRoutes, importRoutes } from './resources/transfer/routes.ts';
import { unitIdTypeRoutes } from './resources/unit_id_types/routes.ts';
import { userRoutes } from './resources/users/routes.ts';
import { webhookRoutes } from './resources/webhooks/routes.ts';
import { sendAfterwards } from './resources/webhooks/sending.ts';
import { connectionRoutes } from './resources/wh_connections/routes.ts';
import { experimentResultRoutes } from './results/experiment_routes.ts';
import {
  exposureCountRoutes,
  gateResultRoutes,
  holdoutResultRoutes,
  metricPreviewRoutes,
  powerRoutes,
  unitValueRoutes,
} from './results/routes.ts';
import { sdkRoutes, sdkV2Routes } from './sdk/routes.ts';
import { noteChange } from './serving/current.ts';

const resources = new Hono<Service>()
  .basePath('/console/v1')
  .route('/gates', gateRoutes)
  .route('/gates', gateResultRoutes)
  .route('/dynamic_configs', dynamicConfigRoutes)
  .route('/experiments/assignment_sources', assignmentSourceRoutes)
  .route('/experiments', experimentResultRoutes)
  .route('/experiments', experimentRoutes)
  .route('/layers', layerRoutes)
  .route('/holdouts', holdoutRoutes)
  .route('/holdouts', holdoutResultRoutes)
  .route('/prompts', promptRoutes)
  .route('/param_stores', paramStoreRoutes)
  .route('/wh_connections', connectionRoutes)
  .route('/ingestion', ingestionRoutes)
  .route('/segments', segmentRoutes)
  .route('/autotunes', autotuneRoutes)
  .route('/autotunes', autotuneResultRoutes)
  .route('/metrics/values', metricValueRoutes)
  .route('/metrics/unit_values', unitValueRoutes)
  .route('/metrics/preview', metricPreviewRoutes)
  .route('/metrics', metricRoutes)
  .route('/power_analysis', powerRoutes)
  .route('/exposure_count', exposureCountRoutes)
  .route('/events', eventRoutes)
  .route('/exposures', exposureRoutes)
  .route('/release_pipelines', releasePipelineRoutes)
  .route('/release_pipeline_triggers', releasePipelineTriggerRoutes)
  .route('/company', companyRoutes)
  .route('/environments', environmentRoutes)
  .route('/unit_id_types', unitIdTypeRoutes)
  .route('/tags', tagRoutes)
  .route('/target_apps', targetAppRoutes)
  .route('/teams', teamRoutes)
  .route('/users', userRoutes)
  .route('/keys', keyRoutes)
  .route('/webhooks', webhookRoutes)
  .route('/audit_logs', auditLogRoutes)
  .route('/export', exportRoutes)
  .route('/import', importRoutes);

const evaluatePath = '/console/v1/evaluate';
const changesPath = '/console/v1/changes';
const usualLimit = limitBody(1);

const bodyLimits = new Map([
  [changesPath, limitBody(5)],
  ['/console/v1/import', limitBody(10)],
]);

/** Makes stored changes visible to evaluations in this isolate immediately. */
const refreshSnapshot: MiddlewareHandler<Service> = async (c, next) => {
  await next();
  const { meter, bookmark } = c.get('db');
  if (meter.rowsWritten > 0) noteChange(bookmark());
};

export const app = new Hono<Service>({ getPath: pathOf });

const onlyKnown = knownPaths(app);

app
  .route('/', ofrepRoutes)
  .route('/', sdkRoutes)
  .route('/', sdkV2Routes)
  .use(requestId(), secureHeaders())
  .use('/problems/*', onlyKnown, noQuery)
  .route('/problems', problemPages)
  .use('/health', onlyKnown, noQuery)
  .route('/health', healthRoutes)
  .use('/console/session', observe, usualLimit, onlyKnown, noQuery)
  .route('/console/session', sessionRoutes(findKey))
  .use('/console/v1/*', shareWithOrigins, observe, refreshSnapshot, afterStoring(sendAfterwards))
  .use('/console/v1/*', authenticate(findKey))
  .use('/console/v1/*', onlyKnown)
  .use(evaluatePath, usualLimit, jsonBody)
  .route(evaluatePath, explainRoutes) // before `rateLimit`: it changes nothing
  .use('/console/v1/*', rateLimit)
  .use('/console/v1/*', (c, next) => (bodyLimits.get(c.req.path) ?? usualLimit)(c, next))
  .use('/console/v1/*', jsonBody, idempotency)
  .route('/', resources)
  .route(changesPath, changesRoutes(resources))
  .onError(onError)
  .notFound(notFound);
