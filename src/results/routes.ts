import { Hono } from 'hono';
import { idParam } from '../base/ids.ts';
import { metricCreate } from '../data/metrics/schema.ts';
import { ruleParam } from '../flags/rules/rules.ts';
import type { Service } from '../platform/env.ts';
import { dataEnvelope } from '../platform/http/envelope.ts';
import { requires } from '../platform/http/scope.ts';
import { readMessage } from '../platform/http/success.ts';
import { doc, valid } from '../platform/http/valid.ts';
import { withWarnings } from '../platform/http/warnings.ts';
import { importRows } from '../platform/operations/importing.ts';
import { answerResults } from './base/answer.ts';
import { liftsQuery } from './base/query.ts';
import * as responses from './base/responses.ts';
import { exposureCounts, exposureCountsQuery } from './exposures/exposure_count_schema.ts';
import { importUnitValues, unitValuesImport } from './exposures/unit_values.ts';
import { loadBody, pulseLoad } from './loads/loading_schema.ts';
import { powerBody, powerResponse } from './power/power_schema.ts';
import { metricPreview } from './power/preview_schema.ts';

export const gateResultRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get(
    '/:id/rules/:ruleID/pulse_results',
    doc(
      'Read the lifts of a rule of a gate',
      { title: 'Lifts', done: 'read' },
      dataEnvelope(responses.lifts),
    ),
    valid('param', ruleParam),
    valid('query', liftsQuery),
    async (c) => {
      const [param, query] = [c.req.valid('param'), c.req.valid('query')];
      const { ruleLifts, ruleSelection } = await import('./scorecard/lifts.ts');
      const selection = ruleSelection(param.id, param.ruleID, query);
      return answerResults(c, selection, () => ruleLifts(c, param, query));
    },
  )
  .post(
    '/:id/load_pulse',
    doc('Load the lifts of a gate', 'Gate is loading.', dataEnvelope(pulseLoad), {
      isUnversioned: true,
      isUntagged: true,
    }),
    valid('param', idParam),
    valid('json', loadBody),
    async (c) => {
      const { loadGate } = await import('./loads/loading.ts');
      return loadGate(c, c.req.valid('param').id, c.req.valid('json'));
    },
  );

export const holdoutResultRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get(
    '/:id/pulse_results',
    doc(
      'Read the cumulative impact behind a holdout',
      { title: 'Impact', done: 'read' },
      dataEnvelope(responses.lifts),
    ),
    valid('param', idParam),
    valid('query', liftsQuery),
    async (c) => {
      const [{ id }, query] = [c.req.valid('param'), c.req.valid('query')];
      const { holdoutLifts, holdoutSelection } = await import('./scorecard/lifts.ts');
      return answerResults(c, holdoutSelection(id, query), () => holdoutLifts(c, id, query));
    },
  );

export const powerRoutes = new Hono<Service>().use(requires('read')).post(
  '/',
  doc('Plan the size of an experiment', 'Computed successfully.', dataEnvelope(powerResponse), {
    reads: true,
    conflicts: true,
  }),
  valid('json', powerBody),
  async (c) => {
    const { powerAnalysis } = await import('./power/power.ts');
    const data = await powerAnalysis(c, c.req.valid('json'));
    return withWarnings(c, c.json({ message: readMessage(c), data }), []);
  },
);

export const metricPreviewRoutes = new Hono<Service>()
  .use(requires('read'))
  .post(
    '/',
    doc(
      'Preview a metric before it is stored',
      { title: 'Preview', done: 'computed' },
      dataEnvelope(metricPreview),
      { reads: true, isUntagged: true },
    ),
    valid('json', metricCreate),
    async (c) => {
      const { previewMetric } = await import('./power/preview.ts');
      const data = await previewMetric(c, c.req.valid('json'));
      return withWarnings(c, c.json({ message: readMessage(c), data }), []);
    },
  );

export const unitValueRoutes = new Hono<Service>().use(requires('read', 'write')).post(
  '/',
  ...importRows({
    summary: 'Import values of units',
    success: { title: 'Unit values', done: 'imported' },
    body: unitValuesImport,
    rows: ({ values }) => values,
    stage: importUnitValues,
  }),
);

export const exposureCountRoutes = new Hono<Service>()
  .use(requires('read'))
  .get(
    '/',
    doc(
      'Count the exposures of experiments and gates',
      { title: 'Exposures', done: 'counted' },
      dataEnvelope(exposureCounts),
      { reads: true, isUntagged: true },
    ),
    valid('query', exposureCountsQuery),
    async (c) => {
      const { readExposureCounts } = await import('./exposures/exposure_count.ts');
      const data = await readExposureCounts(c, c.req.valid('query'));
      return c.json({ message: readMessage(c), data });
    },
  );
