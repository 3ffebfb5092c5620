import { Hono } from 'hono';
import type { Service } from '../../platform/env.ts';
import { requires } from '../../platform/http/scope.ts';
import {
  creationHandlers,
  patchHandlers,
  removalHandlers,
} from '../../platform/operations/changing.ts';
import {
  restoreHandlers,
  versionHandlers,
  versionsHandlers,
} from '../../platform/operations/history.ts';
import { listHandlers, readHandlers } from '../../platform/operations/reading.ts';
import { referencesHandlers } from '../../platform/operations/references.ts';
import { newMetric, updateMetric, viewMetric } from './metric.ts';
import { metricCreate, metricList, metricResponse, metricUpdate } from './schema.ts';
import { metrics } from './table.ts';

const resource = { kind: metrics, response: metricResponse, view: viewMetric };

/** A metric's body can ask for a dry run by itself. See docs/contract/api.md#11-post-consolev1metrics. */
const isDryRun = ({ dryRun }: { dryRun?: boolean | undefined }) => dryRun;

export const metricRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...listHandlers(resource, metricList))
  .post('/', ...creationHandlers(resource, { body: metricCreate, make: newMetric, isDryRun }))
  .get('/list', ...listHandlers(resource, metricList))
  .get('/:id', ...readHandlers(resource))
  .post('/:id', ...patchHandlers(resource, metricUpdate, updateMetric, { isDryRun }))
  .delete('/:id', ...removalHandlers(resource))
  .get('/:id/references', ...referencesHandlers(resource))
  .get('/:id/versions', ...versionsHandlers(resource))
  .get('/:id/versions/:version', ...versionHandlers(resource))
  .put('/:id/versions/:version/restore', ...restoreHandlers(resource));
