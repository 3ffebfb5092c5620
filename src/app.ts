import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { requestId } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import type { Resource, Service } from './env.ts';
import { authenticate } from './http/authenticate.ts';
import { observe } from './http/observe.ts';
import * as problem from './http/problem.ts';
import { problemPages } from './http/problem_pages.ts';
import { rateLimit } from './http/rate_limit.ts';
import { transact } from './http/transact.ts';
import { assignmentSourceRoutes } from './resources/assignment_sources/routes.ts';
import { auditLogRoutes } from './resources/audit_logs/routes.ts';
import { experimentRoutes } from './resources/experiments/routes.ts';
import { gateRoutes } from './resources/gates/routes.ts';
import { keyRoutes } from './resources/keys/routes.ts';

/** The resources: each request to them runs inside one transaction. */
export const resources = new Hono<Resource>().basePath('/console/v1');

resources
  .use(methodNotAllowed({ app: resources, onMethodNotAllowed: problem.methodNotAllowed }))
  .route('/gates', gateRoutes)
  .route('/experiments/assignment_sources', assignmentSourceRoutes)
  .route('/experiments', experimentRoutes)
  .route('/keys', keyRoutes)
  .route('/audit_logs', auditLogRoutes)
  .onError(problem.onError)
  .notFound(problem.notFound);

const tooLarge = () => {
  throw new problem.Problem('too_large', 'The body is larger than 1 MiB.');
};

/** The whole service: what every request passes on its way to the resources. */
export const app = new Hono<Service>()
  .use(requestId(), secureHeaders())
  .route('/problems', problemPages)
  .use('/console/v1/*', observe, authenticate, rateLimit)
  .use('/console/v1/*', bodyLimit({ maxSize: 1024 * 1024, onError: tooLarge }))
  .all('/console/v1/*', transact(resources))
  .onError(problem.onError)
  .notFound(problem.notFound);
