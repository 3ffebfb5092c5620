import { Hono } from 'hono';
import type { Service } from '../../platform/env.ts';
import { dataEnvelope } from '../../platform/http/envelope.ts';
import { requires } from '../../platform/http/scope.ts';
import { readMessage } from '../../platform/http/success.ts';
import { doc, valid } from '../../platform/http/valid.ts';
import { table } from '../base/responses.ts';
import {
  reportDate,
  reportLink,
  reportParam,
  reportQuery,
  reportTypeOf,
  requirePast,
} from './report_schema.ts';

export const reportRoutes = new Hono<Service>()
  .use(requires('read'))
  .get(
    '/',
    doc('Find the report on a day', { title: 'Report', done: 'found' }, dataEnvelope(reportLink), {
      reads: true,
      isUntagged: true,
    }),
    valid('query', reportQuery),
    (c) => {
      const { type, date } = c.req.valid('query');
      requirePast(date);
      const url = `${c.req.path}/${type}?date=${date}`;
      return c.json({ message: readMessage(c), data: { url } });
    },
  )
  .get(
    '/:type',
    doc('Read the report on a day as CSV', undefined, () => table, {
      reads: true,
      isUntagged: true,
      isCSV: true,
    }),
    valid('param', reportParam),
    valid('query', reportDate),
    async (c) => {
      const type = reportTypeOf(c.req.valid('param').type);
      const { date } = c.req.valid('query');
      requirePast(date);
      const { reportOn } = await import('./reports.ts');
      return reportOn(c, type, date);
    },
  );
