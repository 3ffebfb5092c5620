import { Hono } from 'hono';
import type { Resource } from '../../env.ts';
import { idParam } from '../../fields.ts';
import { commonFilters, match } from '../../filters.ts';
import { entityRoutes } from '../../http/entity.ts';
import { created, listing, listOf, oneOf, single } from '../../http/envelope.ts';
import { Problem } from '../../http/problem.ts';
import { doc, valid } from '../../http/valid.ts';
import type { Transaction } from '../../store/transaction.ts';
import { newMetric, updateMetric, viewMetric } from './metric.ts';
import { metricCreate, metricList, metricResponse, metricUpdate } from './schema.ts';
import { metrics, metricTable } from './table.ts';

const metric = oneOf(metricResponse);

/** Has nothing stored, as a body asks; 400 among many changes, which are stored together or not at all. */
function dryRun(tx: Transaction): void {
  if (tx.origin !== '')
    throw Problem.property('dryRun', 'must be asked of all changes at once, by ?dryRun=true');
  tx.dryRun = true;
}

export const metricRoutes = new Hono<Resource>()
  .get('/', doc('List metrics', listOf(metricResponse)), valid('query', metricList), async (c) => {
    const query = c.req.valid('query');
    const filters = [...commonFilters(metrics, query), match(metricTable.type, query.type)];
    const page = await metrics.list(c, { page: query, filters });
    return listing(c, 'Metrics listed successfully.', page, viewMetric);
  })
  .post('/', doc('Create a metric', metric, 201), valid('json', metricCreate), async (c) => {
    const body = c.req.valid('json');
    if (body.dryRun) dryRun(c.env.tx);
    const entity = await metrics.create(c, newMetric(body, c.env.tx.author.actor));
    return created(c, 'Metric created successfully.', entity, viewMetric(entity));
  })
  .post(
    '/:id',
    doc('Update some properties of a metric', metric),
    valid('param', idParam),
    valid('json', metricUpdate),
    async (c) => {
      const body = c.req.valid('json');
      if (body.dryRun) dryRun(c.env.tx);
      const { id } = c.req.valid('param');
      const entity = await metrics.change(c, id, 'update', (current) =>
        updateMetric(current, body),
      );
      return single(c, 'Metric updated successfully.', entity, viewMetric(entity));
    },
  )
  .route('/', entityRoutes({ collection: metrics, response: metricResponse, view: viewMetric }));
