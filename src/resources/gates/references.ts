import { referrersRoute } from '../../operations/reading.ts';
import { combine } from '../../operations/shown.ts';
import { shownDynamicConfigs } from '../dynamic_configs/routes.ts';
import { shownExperiments } from '../experiments/routes.ts';
import { viewGate } from './gate.ts';
import { gateResponse } from './schema.ts';
import { gates } from './table.ts';

export const shownGates = { collection: gates, response: gateResponse, view: viewGate };

/** The lists of what refers to a gate (contract, operation 4, and its siblings). */
export const referenceRoutes = combine(
  referrersRoute(gates, shownGates, {
    path: '/gate_references',
    field: 'rules',
    summary: 'List the gates whose rules name a gate',
  }),
  referrersRoute(gates, shownExperiments, {
    path: '/experiment_references',
    field: 'targetingGateID',
    summary: 'List the experiments that target a gate',
  }),
  referrersRoute(gates, shownDynamicConfigs, {
    path: '/dynamic_config_references',
    field: 'rules',
    summary: 'List the dynamic configs whose rules name a gate',
  }),
);
