import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { requires } from '../../http/scope.ts';
import { create, patch, remove } from '../../operations/changing.ts';
import { restore, version, versions } from '../../operations/history.ts';
import { list, read } from '../../operations/reading.ts';
import { references } from '../../operations/references.ts';
import { newMetric, updateMetric, viewMetric } from './metric.ts';
import { metricCreate, metricList, metricResponse, metricUpdate } from './schema.ts';
import { metrics } from './table.ts';

const shown = { kind: metrics, response: metricResponse, view: viewMetric };

/** A metric's body can ask for a dry run by itself. See docs/contract/api.md#11-post-consolev1metrics. */
const isDryRun = ({ dryRun }: { dryRun?: boolean | undefined }) => dryRun;

export const metricRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...list(shown, metricList))
  .post('/', ...create(shown, { body: metricCreate, make: newMetric, isDryRun }))
  .get('/list', ...list(shown, metricList))
  .get('/:id', ...read(shown))
  .post('/:id', ...patch(shown, metricUpdate, updateMetric, { isDryRun }))
  .delete('/:id', ...remove(shown))
  .get('/:id/references', ...references(shown))
  .get('/:id/versions', ...versions(shown))
  .get('/:id/versions/:version', ...version(shown))
  .put('/:id/versions/:version/restore', ...restore(shown));
