import { Hono } from 'hono';
import * as z from 'zod';
import type { Service } from '../env.ts';
import { oneOf } from '../http/envelope.ts';
import { requires } from '../http/scope.ts';
import { doc, valid } from '../http/valid.ts';
import { nullableText, time } from '../shared/fields.ts';
import { idParam } from '../shared/ids.ts';
import { answerResults } from './answer.ts';
import { pulseQuery } from './query.ts';
import { selectionOf } from './runs.ts';
import { result } from './schema.ts';

const pulse = z
  .object({
    ds: nullableText,
    loadedTime: time.nullable(),
    preliminary: z.boolean(),
    primaryMetrics: z.array(result),
    secondaryMetrics: z.array(result),
    otherMetrics: z.array(result),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'Pulse' });

/** Results of experiments. What computes them is loaded by the first request, so that others do not pay for it. */
export const experimentResultRoutes = new Hono<Service>().use(requires('read', 'write')).get(
  '/:id/pulse_results',
  doc('Read the results of an experiment', { title: 'Results', done: 'read' }, oneOf(pulse), {
    conflicts: true,
  }),
  valid('param', idParam),
  valid('query', pulseQuery),
  async (c) => {
    const [{ id }, query] = [c.req.valid('param'), c.req.valid('query')];
    const { pulseResults } = await import('./experiment_results.ts');
    return answerResults(c, selectionOf(id, query), () => pulseResults(c, id, query));
  },
);
