import { Hono } from 'hono';
import type { Service } from '../../platform/env.ts';
import { requires } from '../../platform/http/scope.ts';
import {
  changeHandlers,
  creationHandlers,
  patchHandlers,
  removalHandlers,
  replaceHandlers,
} from '../../platform/operations/changing.ts';
import {
  restoreHandlers,
  versionHandlers,
  versionsHandlers,
} from '../../platform/operations/history.ts';
import {
  listHandlers,
  readHandlers,
  referrersHandlers,
} from '../../platform/operations/reading.ts';
import { referencesHandlers } from '../../platform/operations/references.ts';
import type { Handled } from '../../platform/operations/resource.ts';
import type { Entity } from '../../platform/store/core/entity.ts';
import type { Draft, Transaction } from '../../platform/store/core/transaction.ts';
import type { DynamicConfig } from '../dynamic_configs/schema.ts';
import { editOverrides, removeOverrides, unitOverrides } from '../rules/override_handlers.ts';
import { ruleAddition, ruleChange } from '../rules/rule_edits.ts';
import {
  addRule,
  changeRule,
  deleteRule,
  type ReleasesOf,
  rulesResource,
} from '../rules/rule_handlers.ts';
import type { Rule } from '../rules/rules.ts';
import { switchStatus, unarchiveEntity } from '../rules/switching.ts';
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

/** The functions of rooms above that gates use; the registry passes them. */
export interface AboveGates<E extends Entity> {
  releases: ReleasesOf<Gate>;
  /** The experiments that gates target. */
  experiments: Handled<E>;
  /** The dynamic configs whose rules use gates. */
  dynamicConfigs: Handled<DynamicConfig>;
  /** Adds a new gate to the global holdouts. */
  joinHoldouts: (tx: Transaction, gate: Draft<Gate>) => Promise<Draft<Gate>>;
}

/** Returns the routes of gates. */
export function gateRoutes<E extends Entity>(above: AboveGates<E>) {
  const { releases } = above;
  const resource = {
    kind: gates,
    response: gateResponse,
    view: viewGate,
    mark: markOfGate,
    overdueChanges: [releases.overdue],
  };
  const overrides = { ...unitOverrides(gates), overdueChanges: resource.overdueChanges };
  const resourceWithRules = {
    ...resource,
    withRules: (gate: Gate, rules: Rule[]): Gate => ({ ...gate, rules }),
    remark: releases.warnOfRules(),
  };
  return new Hono<Service>()
    .use(requires('read', 'write'))
    .get('/', ...listHandlers(resource, gateList, filters))
    .post(
      '/',
      ...creationHandlers(resource, {
        body: gateCreate,
        make: newGate,
        complete: above.joinHoldouts,
      }),
    )
    .get('/:id', ...readHandlers(resource))
    .post(
      '/:id',
      ...replaceHandlers(resource, gateUpdate, replaceGate, { remark: resourceWithRules.remark }),
    )
    .patch(
      '/:id',
      ...patchHandlers(resource, gatePatch, patchGate, {
        remark: releases.warnOfRules((body) => 'rules' in body),
      }),
    )
    .delete('/:id', ...removalHandlers(resource))
    .put('/:id/enable', ...switchStatus(resource, 'enable', 'Enable a gate'))
    .put(
      '/:id/disable',
      ...switchStatus(resource, 'disable', 'Disable a gate: it passes for no one'),
    )
    .put(
      '/:id/launch',
      ...switchStatus(resource, 'launch', 'Launch a gate: it passes for everyone'),
    )
    .put(
      '/:id/archive',
      ...changeHandlers(resource, {
        summary: 'Archive a gate',
        action: 'archive',
        done: 'archived',
        body: gateArchive,
        next: archiveGate,
      }),
    )
    .put('/:id/unarchive', ...unarchiveEntity(resource, unarchiveGate))
    .get(
      '/:id/gate_references',
      ...referrersHandlers(gates, resource, 'rules', 'List the gates whose rules use a gate'),
    )
    .get(
      '/:id/experiment_references',
      ...referrersHandlers(
        gates,
        above.experiments,
        'targetingGateID',
        'List the experiments that target a gate',
      ),
    )
    .get(
      '/:id/dynamic_config_references',
      ...referrersHandlers(
        gates,
        above.dynamicConfigs,
        'rules',
        'List the dynamic configs whose rules use a gate',
      ),
    )
    .get('/:id/rules', ...readHandlers(rulesResource(resource), 'rules'))
    .post('/:id/rules', ...addRule(resourceWithRules, ruleAddition))
    .patch('/:id/rules/:ruleID', ...changeRule(resourceWithRules, ruleChange))
    .delete('/:id/rules/:ruleID', ...deleteRule(resourceWithRules))
    .get('/:id/overrides', ...readHandlers(overrides, 'overrides'))
    .post('/:id/overrides', ...editOverrides(overrides, 'replace'))
    .patch('/:id/overrides', ...editOverrides(overrides, 'add'))
    .delete('/:id/overrides', ...removeOverrides(overrides))
    .get('/:id/references', ...referencesHandlers(resource))
    .get('/:id/versions', ...versionsHandlers(resource))
    .get('/:id/versions/:version', ...versionHandlers(resource))
    .put('/:id/versions/:version/restore', ...restoreHandlers(resource, resourceWithRules.remark));
}
