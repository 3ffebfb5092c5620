import { Hono } from 'hono';
import { idParam } from '../../base/ids.ts';
import type { Service } from '../../platform/env.ts';
import { dataEnvelope } from '../../platform/http/envelope.ts';
import { requires } from '../../platform/http/scope.ts';
import { readMessage } from '../../platform/http/success.ts';
import { doc, valid } from '../../platform/http/valid.ts';
import { autotuneResults, autotuneResultsQuery } from './schema.ts';

/** Results of autotunes. The first request loads the statistics, so that other requests do not pay for them. */
export const autotuneResultRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get(
    '/:id/results',
    doc(
      'Read what an autotune has learned',
      { title: 'Autotune results', done: 'read' },
      dataEnvelope(autotuneResults),
      { conflicts: true, isUntagged: true },
    ),
    valid('param', idParam),
    valid('query', autotuneResultsQuery),
    async (c) => {
      const { learnedResults } = await import('./results.ts');
      const data = await learnedResults(c, c.req.valid('param').id, c.req.valid('query'));
      return c.json({ message: readMessage(c), data });
    },
  );
