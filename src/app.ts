import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { requestId } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import type { Resource, Service } from './env.ts';
import { authenticate, authorize } from './http/authenticate.ts';
import { observe } from './http/observe.ts';
import { rateLimit } from './http/rate_limit.ts';
import {
  notFound,
  onError,
  problemPages,
  methodNotAllowed as refuseMethod,
} from './http/respond.ts';
import { transact } from './http/transact.ts';
import { Problem } from './problem.ts';
import { assignmentSourceRoutes } from './resources/assignment_sources/routes.ts';
import { auditLogRoutes } from './resources/audit_logs/routes.ts';
import { autotuneRoutes } from './resources/autotunes/routes.ts';
import { changesRoutes } from './resources/changes/routes.ts';
import { dynamicConfigRoutes } from './resources/dynamic_configs/routes.ts';
import { eventRoutes } from './resources/events/routes.ts';
import { experimentRoutes } from './resources/experiments/routes.ts';
import { gateRoutes } from './resources/gates/routes.ts';
import { holdoutRoutes } from './resources/holdouts/routes.ts';
import { ingestionRoutes } from './resources/ingestion/routes.ts';
import { keyRoutes } from './resources/keys/routes.ts';
import { layerRoutes } from './resources/layers/routes.ts';
import { metricValueRoutes } from './resources/metric_values/routes.ts';
import { metricRoutes } from './resources/metrics/routes.ts';
import { paramStoreRoutes } from './resources/param_stores/routes.ts';
import { promptRoutes } from './resources/prompts/routes.ts';
import { releasePipelineTriggerRoutes } from './resources/release_pipeline_triggers/routes.ts';
import { releasePipelineRoutes } from './resources/release_pipelines/routes.ts';
import { segmentRoutes } from './resources/segments/routes.ts';
import { connectionRoutes } from './resources/wh_connections/routes.ts';

/** The resources: each request to them runs inside one transaction. */
export const resources = new Hono<Resource>().basePath('/console/v1');

resources
  .use(authorize)
  .use(methodNotAllowed({ app: resources, onMethodNotAllowed: refuseMethod }))
  .route('/gates', gateRoutes)
  .route('/dynamic_configs', dynamicConfigRoutes)
  .route('/experiments/assignment_sources', assignmentSourceRoutes)
  .route('/experiments', experimentRoutes)
  .route('/layers', layerRoutes)
  .route('/holdouts', holdoutRoutes)
  .route('/prompts', promptRoutes)
  .route('/param_stores', paramStoreRoutes)
  .route('/wh_connections', connectionRoutes)
  .route('/ingestion', ingestionRoutes)
  .route('/segments', segmentRoutes)
  .route('/autotunes', autotuneRoutes)
  .route('/metrics/values', metricValueRoutes)
  .route('/metrics', metricRoutes)
  .route('/events', eventRoutes)
  .route('/release_pipelines', releasePipelineRoutes)
  .route('/release_pipeline_triggers', releasePipelineTriggerRoutes)
  .route('/keys', keyRoutes)
  .route('/audit_logs', auditLogRoutes)
  .route('/changes', changesRoutes(resources))
  .onError(onError)
  .notFound(notFound);

const tooLarge = () => {
  throw new Problem('too_large', 'The body is larger than 1 MiB.');
};

/** The whole service: what every request passes on its way to the resources. */
export const app = new Hono<Service>()
  .use(requestId(), secureHeaders())
  .route('/problems', problemPages)
  .use('/console/v1/*', observe, authenticate, rateLimit)
  .use('/console/v1/*', bodyLimit({ maxSize: 1024 * 1024, onError: tooLarge }))
  .all('/console/v1/*', transact(resources))
  .onError(onError)
  .notFound(notFound);
