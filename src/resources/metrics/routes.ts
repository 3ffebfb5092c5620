import { changeRoute, createRoute } from '../../operations/changing.ts';
import { entityRoutes } from '../../operations/history.ts';
import { listRoute } from '../../operations/reading.ts';
import { combine } from '../../operations/shown.ts';
import { match } from '../../shared/filters.ts';
import { newMetric, updateMetric, viewMetric } from './metric.ts';
import { metricCreate, metricList, metricResponse, metricUpdate } from './schema.ts';
import { metrics, metricTable } from './table.ts';

/** A metric's body can ask for a dry run by itself (contract, operations 11 and 12). */
const isDryRun = ({ dryRun }: { dryRun?: boolean | undefined }) => dryRun;

const shown = { collection: metrics, response: metricResponse, view: viewMetric };

export const metricRoutes = combine(
  listRoute(shown, metricList, ({ type }) => [match(metricTable.type, type)]),
  createRoute(shown, {
    body: metricCreate,
    make: (body, { actor }) => newMetric(body, actor),
    isDryRun,
  }),
  changeRoute(shown, {
    method: 'POST',
    summary: 'Update some properties of a metric',
    action: 'update',
    done: 'updated',
    body: metricUpdate,
    next: updateMetric,
    isDryRun,
  }),
  entityRoutes(shown),
);
