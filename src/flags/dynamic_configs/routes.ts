import { Hono } from 'hono';
import type { Service } from '../../platform/env.ts';
import { requires } from '../../platform/http/scope.ts';
import { create, patch, remove, replace } from '../../platform/operations/changing.ts';
import { restore, version, versions } from '../../platform/operations/history.ts';
import { listHandlers, read } from '../../platform/operations/reading.ts';
import { references } from '../../platform/operations/references.ts';
import { statusFilters } from '../../platform/operations/status.ts';
import { warnOfRules } from '../releases/warnings.ts';
import { archive, unarchive } from '../rules/archive.ts';
import { valueRuleAddition, valueRuleChange } from '../rules/rule_edits.ts';
import { addRule, changeRule, deleteRule, rulesOf } from '../rules/rule_handlers.ts';
import type { Rule } from '../rules/rules.ts';
import { archiveEntity, switchStatus, unarchiveEntity } from '../rules/switching.ts';
import { newDynamicConfig, patchDynamicConfig, replaceDynamicConfig } from './dynamic_config.ts';
import {
  type DynamicConfig,
  dynamicConfigCreate,
  dynamicConfigList,
  dynamicConfigPatch,
  dynamicConfigUpdate,
} from './schema.ts';
import { validateValues } from './values.ts';
import { dynamicConfigResource as resource } from './view.ts';

const releaseTarget = { property: 'dynamicConfigID', kind: resource.kind } as const;

const resourceWithRules = {
  ...resource,
  withRules: (config: DynamicConfig, rules: Rule[]): DynamicConfig =>
    validateValues({ ...config, rules }),
  remark: warnOfRules<DynamicConfig>(releaseTarget),
};

export const dynamicConfigRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get(
    '/',
    ...listHandlers(resource, dynamicConfigList, (query) => statusFilters(query, ['In Progress'])),
  )
  .post('/', ...create(resource, { body: dynamicConfigCreate, make: newDynamicConfig }))
  .get('/:id', ...read(resource))
  .post(
    '/:id',
    ...replace(resource, dynamicConfigUpdate, replaceDynamicConfig, {
      remark: resourceWithRules.remark,
    }),
  )
  .patch(
    '/:id',
    ...patch(resource, dynamicConfigPatch, patchDynamicConfig, {
      remark: warnOfRules(releaseTarget, (body) => 'rules' in body),
    }),
  )
  .delete('/:id', ...remove(resource))
  .put('/:id/enable', ...switchStatus(resource, 'enable', 'Enable a dynamic config'))
  .put(
    '/:id/disable',
    ...switchStatus(
      resource,
      'disable',
      'Disable a dynamic config: everyone gets its default value',
    ),
  )
  .put('/:id/archive', ...archiveEntity(resource, archive))
  .put('/:id/unarchive', ...unarchiveEntity(resource, unarchive))
  .get('/:id/rules', ...read(rulesOf(resource), 'rules'))
  .post('/:id/rules', ...addRule(resourceWithRules, valueRuleAddition))
  .patch('/:id/rules/:ruleID', ...changeRule(resourceWithRules, valueRuleChange))
  .delete('/:id/rules/:ruleID', ...deleteRule(resourceWithRules))
  .get('/:id/references', ...references(resource))
  .get('/:id/versions', ...versions(resource))
  .get('/:id/versions/:version', ...version(resource))
  .put('/:id/versions/:version/restore', ...restore(resource, resourceWithRules.remark));
