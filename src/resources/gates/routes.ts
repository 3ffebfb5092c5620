import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { requires } from '../../http/scope.ts';
import { change, create, patch, remove, replace } from '../../operations/changing.ts';
import { restore, version, versions } from '../../operations/history.ts';
import { editOverrides, removeOverrides, unitOverrides } from '../../operations/overrides.ts';
import { list, read, referrers } from '../../operations/reading.ts';
import { references } from '../../operations/references.ts';
import { addRule, changeRule, deleteRule, rulesOf } from '../../operations/rules.ts';
import { switching, unarchiving } from '../../operations/switching.ts';
import { ruleAddition, ruleChange } from '../../shared/rule_edits.ts';
import type { Rule } from '../../shared/rules.ts';
import { shownDynamicConfigs } from '../dynamic_configs/shown.ts';
import { shownExperiments } from '../experiments/view.ts';
import { joinGlobalHoldouts } from '../holdouts/joining.ts';
import { releasesOf } from '../release_pipeline_triggers/schedule.ts';
import { warnOfRules } from '../release_pipeline_triggers/warnings.ts';
import { filters } from './filters.ts';
import {
  archiveGate,
  markOfGate,
  newGate,
  patchGate,
  replaceGate,
  unarchiveGate,
  viewGate,
} from './gate.ts';
import {
  type Gate,
  gateArchive,
  gateCreate,
  gateList,
  gatePatch,
  gateResponse,
  gateUpdate,
} from './schema.ts';
import { gates } from './table.ts';

const shown = {
  kind: gates,
  response: gateResponse,
  view: viewGate,
  mark: markOfGate,
  settles: [releasesOf('gateID')],
};

const shownOverrides = { ...unitOverrides(gates), settles: shown.settles };

const released = { property: 'gateID', kind: gates } as const;

const ruled = {
  ...shown,
  withRules: (gate: Gate, rules: Rule[]): Gate => ({ ...gate, rules }),
  remark: warnOfRules<Gate>(released),
};

export const gateRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...list(shown, gateList, filters))
  .post(
    '/',
    ...create(shown, {
      body: gateCreate,
      make: newGate,
      complete: joinGlobalHoldouts,
    }),
  )
  .get('/:id', ...read(shown))
  .post('/:id', ...replace(shown, gateUpdate, replaceGate, { remark: ruled.remark }))
  .patch(
    '/:id',
    ...patch(shown, gatePatch, patchGate, {
      remark: warnOfRules(released, (body) => 'rules' in body),
    }),
  )
  .delete('/:id', ...remove(shown))
  .put('/:id/enable', ...switching(shown, 'enable', 'Enable a gate'))
  .put('/:id/disable', ...switching(shown, 'disable', 'Disable a gate: it passes for nobody'))
  .put('/:id/launch', ...switching(shown, 'launch', 'Launch a gate: it passes for everyone'))
  .put(
    '/:id/archive',
    ...change(shown, {
      summary: 'Archive a gate',
      action: 'archive',
      done: 'archived',
      body: gateArchive,
      next: archiveGate,
    }),
  )
  .put('/:id/unarchive', ...unarchiving(shown, unarchiveGate))
  .get(
    '/:id/gate_references',
    ...referrers(gates, shown, 'rules', 'List the gates whose rules name a gate'),
  )
  .get(
    '/:id/experiment_references',
    ...referrers(
      gates,
      shownExperiments,
      'targetingGateID',
      'List the experiments that target a gate',
    ),
  )
  .get(
    '/:id/dynamic_config_references',
    ...referrers(
      gates,
      shownDynamicConfigs,
      'rules',
      'List the dynamic configs whose rules name a gate',
    ),
  )
  .get('/:id/rules', ...read(rulesOf(shown), 'rules'))
  .post('/:id/rules', ...addRule(ruled, ruleAddition))
  .patch('/:id/rules/:ruleID', ...changeRule(ruled, ruleChange))
  .delete('/:id/rules/:ruleID', ...deleteRule(ruled))
  .get('/:id/overrides', ...read(shownOverrides, 'overrides'))
  .post('/:id/overrides', ...editOverrides(shownOverrides, 'replace'))
  .patch('/:id/overrides', ...editOverrides(shownOverrides, 'add'))
  .delete('/:id/overrides', ...removeOverrides(shownOverrides))
  .get('/:id/references', ...references(shown))
  .get('/:id/versions', ...versions(shown))
  .get('/:id/versions/:version', ...version(shown))
  .put('/:id/versions/:version/restore', ...restore(shown, ruled.remark));
