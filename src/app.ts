import { Hono, type MiddlewareHandler } from 'hono';
import { requestId } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import { explainRoutes } from './delivery/explain/routes.ts';
import { ofrepRoutes } from './delivery/ofrep/routes.ts';
import { sdkRoutes, sdkV2Routes } from './delivery/sdk/routes.ts';
import { noteChange } from './delivery/serving/current.ts';
import { checksOfGateRoutes } from './flags/gate_checks/routes.ts';
import { findKey } from './organization/keys/table.ts';
import type { Service } from './platform/env.ts';
import { afterStoring } from './platform/http/afterwards.ts';
import { authenticate } from './platform/http/authenticate.ts';
import { jsonBody } from './platform/http/body.ts';
import { limitBody } from './platform/http/bytes.ts';
import { healthRoutes } from './platform/http/health.ts';
import { idempotency } from './platform/http/idempotency.ts';
import { observe } from './platform/http/observe.ts';
import { shareWithOrigins } from './platform/http/origins.ts';
import { knownPaths, requestPath } from './platform/http/paths.ts';
import { noQuery } from './platform/http/query.ts';
import { rateLimit } from './platform/http/rate_limit.ts';
import { notFound, onError, problemPages } from './platform/http/respond.ts';
import { sessionRoutes } from './platform/http/session.ts';
import { changesRoutes } from './project/changes/routes.ts';
import { sendAfterwards } from './project/webhooks/sending.ts';
import { registry } from './registry.ts';
import { experimentResultRoutes } from './results/experiment_routes.ts';
import { autotuneResultRoutes } from './results/learning/routes.ts';
import { reportRoutes } from './results/reports/report_routes.ts';
import {
  exposureCountRoutes,
  gateResultRoutes,
  holdoutResultRoutes,
  metricPreviewRoutes,
  powerRoutes,
  unitValueRoutes,
} from './results/routes.ts';

/** Routes of other folders, with their paths, by resource. They precede its `/:id`. */
const furtherRoutes = new Map<string, [path: string, routes: Hono<Service>][]>([
  [
    'gates',
    [
      ['gates', gateResultRoutes],
      ['gates', checksOfGateRoutes],
    ],
  ],
  ['experiments', [['experiments', experimentResultRoutes]]],
  ['holdouts', [['holdouts', holdoutResultRoutes]]],
  ['autotunes', [['autotunes', autotuneResultRoutes]]],
  [
    'metrics',
    [
      ['metrics/unit_values', unitValueRoutes],
      ['metrics/preview', metricPreviewRoutes],
    ],
  ],
]);

const resources = new Hono<Service>().basePath('/console/v1');
for (const { path, routes } of registry) {
  for (const [further, more] of furtherRoutes.get(path) ?? []) resources.route(`/${further}`, more);
  resources.route(`/${path}`, typeof routes === 'function' ? routes(registry) : routes);
}
resources
  .route('/power_analysis', powerRoutes)
  .route('/exposure_count', exposureCountRoutes)
  .route('/reports', reportRoutes);

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

export const app = new Hono<Service>({ getPath: requestPath });

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
