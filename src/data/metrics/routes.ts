import { Hono } from 'hono';
import type { Service } from '../../platform/env.ts';
import { requires } from '../../platform/http/scope.ts';
import { create, patch, remove } from '../../platform/operations/changing.ts';
import { restore, version, versions } from '../../platform/operations/history.ts';
import { listHandlers, read } from '../../platform/operations/reading.ts';
import { references } from '../../platform/operations/references.ts';
import { newMetric, updateMetric, viewMetric } from './metric.ts';
import { metricCreate, metricList, metricResponse, metricUpdate } from './schema.ts';
import { metrics } from './table.ts';

const resource = { kind: metrics, response: metricResponse, view: viewMetric };

/** A metric's body can ask for a dry run by itself. See docs/contract/api.md#11-post-consolev1metrics. */
const isDryRun = ({ dryRun }: { dryRun?: boolean | undefined }) => dryRun;

export const metricRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...listHandlers(resource, metricList))
  .post('/', ...create(resource, { body: metricCreate, make: newMetric, isDryRun }))
  .get('/list', ...listHandlers(resource, metricList))
  .get('/:id', ...read(resource))
  .post('/:id', ...patch(resource, metricUpdate, updateMetric, { isDryRun }))
  .delete('/:id', ...remove(resource))
  .get('/:id/references', ...references(resource))
  .get('/:id/versions', ...versions(resource))
  .get('/:id/versions/:version', ...version(resource))
  .put('/:id/versions/:version/restore', ...restore(resource));
