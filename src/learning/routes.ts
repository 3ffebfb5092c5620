import { Hono } from 'hono';
import type { Service } from '../env.ts';
import { oneOf } from '../http/envelope.ts';
import { requires } from '../http/scope.ts';
import { readMessage } from '../http/success.ts';
import { doc, valid } from '../http/valid.ts';
import { idParam } from '../shared/ids.ts';
import { autotuneResults, autotuneResultsQuery } from './schema.ts';

/** Results of autotunes. The first request loads the statistics, so that other requests do not pay for them. */
export const autotuneResultRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get(
    '/:id/results',
    doc(
      'Read what an autotune has learned',
      { title: 'Autotune results', done: 'read' },
      oneOf(autotuneResults),
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
