import { Hono } from 'hono';
import type { Resource } from '../../env.ts';
import { imported, importOf, listing, listOf } from '../../http/envelope.ts';
import { doc, valid } from '../../http/valid.ts';
import { lastOfEach, metricValueResponse, newValue, valueList, valuesImport } from './schema.ts';
import { importValues, listValues } from './table.ts';

export const metricValueRoutes = new Hono<Resource>()
  .get(
    '/',
    doc('List the metric values of a day', listOf(metricValueResponse)),
    valid('query', valueList),
    async (c) => {
      const page = await listValues(c.env.tx, c.req.valid('query'));
      return listing(c, 'Metric values listed successfully.', page, (value) => value);
    },
  )
  .post('/', doc('Import metric values', importOf, 201), valid('json', valuesImport), (c) => {
    const { date, values } = c.req.valid('json');
    const statements = importValues(date, lastOfEach(values.map(newValue)));
    const summary = { date, accepted: values.length };
    c.env.tx.imports.push({ kind: 'metric_values', statements, summary });
    const location = `${c.req.path}?date=${date}`;
    return imported(c, 'Metric values imported successfully.', values, location);
  });
