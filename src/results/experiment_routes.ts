import { Hono } from 'hono';
import { idParam } from '../base/ids.ts';
import type { Service } from '../platform/env.ts';
import { dataEnvelope, listEnvelope, pageQuery } from '../platform/http/envelope.ts';
import { requires } from '../platform/http/scope.ts';
import { readMessage } from '../platform/http/success.ts';
import { doc, valid } from '../platform/http/valid.ts';
import { answerResults } from './base/answer.ts';
import {
  exposuresQuery,
  metricResultQuery,
  pulseQuery,
  runQuery,
  seriesQuery,
  sparksQuery,
  summariesQuery,
} from './base/query.ts';
import * as responses from './base/responses.ts';
import { selectionOf } from './base/starts.ts';
import { loadBody, pulseLoad } from './loads/loading_schema.ts';
import { baselineQuery, experimentBaseline } from './power/preview_schema.ts';

const started = { conflicts: true, isTable: true };

export const experimentResultRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get(
    '/pulse_summaries',
    doc(
      'Read the first primary metric of several experiments',
      { title: 'Summaries', done: 'read' },
      dataEnvelope(responses.summary.array()),
      { isUntagged: true },
    ),
    valid('query', summariesQuery),
    async (c) => {
      const { experimentIDs, pulseSummaries } = await import('./scorecard/summaries.ts');
      const data = await pulseSummaries(c, experimentIDs(c.req.valid('query').ids));
      return c.json({ message: readMessage(c), data });
    },
  )
  .get(
    '/:id/pulse_results',
    doc(
      'Read the results of an experiment',
      { title: 'Results', done: 'read' },
      dataEnvelope(responses.pulse),
      started,
    ),
    valid('param', idParam),
    valid('query', pulseQuery),
    async (c) => {
      const [{ id }, query] = [c.req.valid('param'), c.req.valid('query')];
      const { pulseResults } = await import('./scorecard/experiment_results.ts');
      return answerResults(c, selectionOf(id, query), () => pulseResults(c, id, query));
    },
  )
  .get(
    '/:id/pulse_metric_result',
    doc(
      'Read the result of one metric of an experiment',
      { title: 'Result', done: 'read' },
      dataEnvelope(responses.metricResult),
      started,
    ),
    valid('param', idParam),
    valid('query', metricResultQuery),
    async (c) => {
      const [{ id }, query] = [c.req.valid('param'), c.req.valid('query')];
      const { pulseMetricResult } = await import('./scorecard/metric_result.ts');
      return answerResults(c, selectionOf(id, query), () => pulseMetricResult(c, id, query));
    },
  )
  .get(
    '/:id/pulse_series',
    doc(
      'Read the result of one metric on each day',
      { title: 'Series', done: 'read' },
      dataEnvelope(responses.series),
      started,
    ),
    valid('param', idParam),
    valid('query', seriesQuery),
    async (c) => {
      const [{ id }, query] = [c.req.valid('param'), c.req.valid('query')];
      const { pulseSeries } = await import('./series/series.ts');
      return answerResults(c, selectionOf(id, query), () => pulseSeries(c, id, query));
    },
  )
  .get(
    '/:id/pulse_sparks',
    doc(
      'Read the relative change of each metric on each day',
      { title: 'Sparks', done: 'read' },
      dataEnvelope(responses.spark.array()),
      { conflicts: true },
    ),
    valid('param', idParam),
    valid('query', sparksQuery),
    async (c) => {
      const [{ id }, query] = [c.req.valid('param'), c.req.valid('query')];
      const { pulseSparks } = await import('./series/series.ts');
      return answerResults(c, selectionOf(id, query), () => pulseSparks(c, id, query));
    },
  )
  .get(
    '/:id/cumulative_exposures',
    doc(
      'Read the exposed units of each group by day',
      { title: 'Cumulative exposures', done: 'read' },
      dataEnvelope(responses.groupExposures.array()),
      started,
    ),
    valid('param', idParam),
    valid('query', exposuresQuery),
    async (c) => {
      const [{ id }, query] = [c.req.valid('param'), c.req.valid('query')];
      const { cumulativeExposures } = await import('./exposures/exposures.ts');
      return answerResults(c, selectionOf(id, query), () => cumulativeExposures(c, id, query));
    },
  )
  .get(
    '/:id/exposures',
    doc('Read the exposed units of an experiment as CSV', undefined, () => responses.table, {
      reads: true,
      conflicts: true,
      isUntagged: true,
      isCSV: true,
    }),
    valid('param', idParam),
    valid('query', runQuery),
    async (c) => {
      const { unitExposures } = await import('./exposures/unit_exposures.ts');
      return unitExposures(c, c.req.valid('param').id, c.req.valid('query'));
    },
  )
  .get(
    '/:id/health',
    doc(
      "Read the health of an experiment's data",
      { title: 'Health', done: 'read' },
      dataEnvelope(responses.health),
      { conflicts: true, isUntagged: true },
    ),
    valid('param', idParam),
    valid('query', runQuery),
    async (c) => {
      const { experimentHealth } = await import('./exposures/health.ts');
      const data = await experimentHealth(c, c.req.valid('param').id, c.req.valid('query'));
      return c.json({ message: readMessage(c), data });
    },
  )
  .get(
    '/:id/baseline',
    doc(
      'Estimate a metric among the units that an experiment targets',
      { title: 'Baseline', done: 'computed' },
      dataEnvelope(experimentBaseline),
      { isUntagged: true },
    ),
    valid('param', idParam),
    valid('query', baselineQuery),
    async (c) => {
      const { targetedBaseline } = await import('./power/baseline.ts');
      const data = await targetedBaseline(c, c.req.valid('param').id, c.req.valid('query'));
      return c.json({ message: readMessage(c), data });
    },
  )
  .post(
    '/:id/load_pulse',
    doc('Load the results of an experiment', 'Experiment is loading.', dataEnvelope(pulseLoad), {
      isUnversioned: true,
      isUntagged: true,
    }),
    valid('param', idParam),
    valid('json', loadBody),
    async (c) => {
      const { loadExperiment } = await import('./loads/loading.ts');
      return loadExperiment(c, c.req.valid('param').id, c.req.valid('json'));
    },
  )
  .get(
    '/:id/pulse_load_history',
    doc(
      'List the loads of the results of an experiment',
      { title: 'Loads', done: 'listed' },
      listEnvelope(pulseLoad),
      { conflicts: true },
    ),
    valid('param', idParam),
    valid('query', pageQuery.omit({ after: true, before: true })),
    async (c) => {
      const { loadHistory } = await import('./loads/history.ts');
      return loadHistory(c, c.req.valid('param').id, c.req.valid('query'));
    },
  );
