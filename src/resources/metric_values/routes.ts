import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { imported, importOf, listing, listOf, requestedPage } from '../../http/envelope.ts';
import { requires } from '../../http/scope.ts';
import { only } from '../../http/siblings.ts';
import { open, transact } from '../../http/transact.ts';
import { doc, valid } from '../../http/valid.ts';
import { lastOfEach, metricValueResponse, newValue, valueList, valuesImport } from './schema.ts';
import { importValues, listValues } from './table.ts';

export const metricValueRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get(
    '/',
    doc('List the metric values of a day', listOf(metricValueResponse)),
    valid('query', valueList),
    async (c) => {
      const query = c.req.valid('query');
      const page = await listValues(open(c), requestedPage(query), query);
      return listing(c, 'Metric values listed successfully.', page, (value) => value);
    },
  )
  .post('/', doc('Import metric values', importOf, 201), valid('json', valuesImport), (c) =>
    transact(c, async (tx) => {
      const { date, values } = c.req.valid('json');
      const statements = importValues(date, lastOfEach(values.map(newValue)));
      const summary = { date, accepted: values.length };
      tx.imports.push({ kind: 'metric_values', statements, summary });
      const location = `${c.req.path}?date=${date}`;
      return imported(c, 'Metric values imported successfully.', values, location);
    }),
  )
  .all('/', only('GET', 'POST'));
