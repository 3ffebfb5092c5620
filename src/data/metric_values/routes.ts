import { Hono } from 'hono';
import type { Service } from '../../platform/env.ts';
import {
  dataEnvelope,
  listEnvelope,
  listing,
  requestedPage,
} from '../../platform/http/envelope.ts';
import { requires } from '../../platform/http/scope.ts';
import { changeMessage } from '../../platform/http/success.ts';
import { openReads, transact } from '../../platform/http/transact.ts';
import { doc, valid } from '../../platform/http/valid.ts';
import { importRows } from '../../platform/operations/importing.ts';
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
      listEnvelope(metricValueResponse),
    ),
    valid('query', valueList),
    async (c) => {
      const query = c.req.valid('query');
      const page = await listValues(openReads(c), requestedPage(query), query);
      return listing(c, page);
    },
  )
  .post(
    '/',
    ...importRows({
      summary: 'Import metric values',
      success: { title: 'Metric values', done: 'imported' },
      body: valuesImport,
      rows: ({ values }) => values,
      stage: (tx, { date, values }) => importValues(tx, date, values.map(newValue)),
      listedBy: ({ date }) => `?date=${date}`,
    }),
  )
  .delete(
    '/',
    doc(
      'Remove the values of one metric and day',
      { title: 'Metric values', done: 'removed' },
      dataEnvelope(removedResponse),
      { isUnversioned: true },
    ),
    valid('query', valueRemoval),
    (c) =>
      transact(c, async (tx) => {
        const removed = await removeValues(tx, c.req.valid('query'));
        return c.json({ message: changeMessage(c, tx), data: { removed } });
      }),
  );
