import { Hono } from 'hono';
import type { Resource } from '../../env.ts';
import { idParam } from '../../fields.ts';
import { listing, listOf, pageQuery } from '../../http/envelope.ts';
import { doc, valid } from '../../http/valid.ts';
import { refersTo } from '../../store/references.ts';
import { viewDynamicConfig } from '../dynamic_configs/dynamic_config.ts';
import { dynamicConfigResponse } from '../dynamic_configs/schema.ts';
import { dynamicConfigs } from '../dynamic_configs/table.ts';
import { viewExperiment } from '../experiments/experiment.ts';
import { experimentResponse } from '../experiments/schema.ts';
import { experiments } from '../experiments/table.ts';
import { viewGate } from './gate.ts';
import { gateResponse } from './schema.ts';
import { gates } from './table.ts';

/** The lists of what refers to a gate (contract, operation 4, and its siblings). */
export const referenceRoutes = new Hono<Resource>()
  .get(
    '/:id/gate_references',
    doc('List the gates whose rules name a gate', listOf(gateResponse)),
    valid('param', idParam),
    valid('query', pageQuery),
    async (c) => {
      const { id } = c.req.valid('param');
      const filters = [refersTo(gates, 'gate', [id], 'rules')];
      const of = { collection: gates, id };
      const page = await gates.list(c, { page: c.req.valid('query'), filters, of });
      return listing(c, 'Gate references listed successfully.', page, viewGate);
    },
  )
  .get(
    '/:id/experiment_references',
    doc('List the experiments that target a gate', listOf(experimentResponse)),
    valid('param', idParam),
    valid('query', pageQuery),
    async (c) => {
      const { id } = c.req.valid('param');
      const filters = [refersTo(experiments, 'gate', [id], 'targetingGateID')];
      const of = { collection: gates, id };
      const page = await experiments.list(c, { page: c.req.valid('query'), filters, of });
      return listing(c, 'Experiment references listed successfully.', page, viewExperiment);
    },
  )
  .get(
    '/:id/dynamic_config_references',
    doc('List the dynamic configs whose rules name a gate', listOf(dynamicConfigResponse)),
    valid('param', idParam),
    valid('query', pageQuery),
    async (c) => {
      const { id } = c.req.valid('param');
      const filters = [refersTo(dynamicConfigs, 'gate', [id], 'rules')];
      const of = { collection: gates, id };
      const page = await dynamicConfigs.list(c, { page: c.req.valid('query'), filters, of });
      return listing(c, 'Dynamic config references listed successfully.', page, viewDynamicConfig);
    },
  );
