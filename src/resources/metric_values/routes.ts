import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { imported, importOf, listing, listOf, oneOf, requestedPage } from '../../http/envelope.ts';
import { countRows } from '../../http/rate_limit.ts';
import { requires } from '../../http/scope.ts';
import { said } from '../../http/success.ts';
import { open, transact } from '../../http/transact.ts';
import { doc, valid } from '../../http/valid.ts';
import { importValues, removeValues } from './changing.ts';
import { listValues } from './listing.ts';
import {
  metricValueResponse,
  newValue,
  removedResponse,
  valueList,
  valueRemoval,
  valuesImport,
} from './schema.ts';

export const metricValueRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get(
    '/',
    doc(
      'List the metric values of a day, or of several',
      { title: 'Metric values', done: 'listed' },
      listOf(metricValueResponse),
    ),
    valid('query', valueList),
    async (c) => {
      const query = c.req.valid('query');
      const page = await listValues(open(c), requestedPage(query), query);
      return listing(c, page);
    },
  )
  .post(
    '/',
    doc('Import metric values', { title: 'Metric values', done: 'imported' }, importOf, 201, {
      isUnversioned: true,
    }),
    valid('json', valuesImport),
    async (c) => {
      const { date, values } = c.req.valid('json');
      await countRows(c, values);
      return transact(c, async (tx) => {
        importValues(tx, date, values.map(newValue));
        const location = `${c.req.path}?date=${date}`;
        return imported(c, said(c, tx), values, location);
      });
    },
  )
  .delete(
    '/',
    doc(
      'Remove the values of one metric and day',
      { title: 'Metric values', done: 'removed' },
      oneOf(removedResponse),
      200,
      { isUnversioned: true },
    ),
    valid('query', valueRemoval),
    (c) =>
      transact(c, async (tx) => {
        const removed = await removeValues(tx, c.req.valid('query'));
        return c.json({ message: said(c, tx), data: { removed } });
      }),
  );
