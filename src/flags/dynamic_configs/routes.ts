import { Hono } from 'hono';
import type { Service } from '../../platform/env.ts';
import { requires } from '../../platform/http/scope.ts';
import {
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
import { listHandlers, readHandlers } from '../../platform/operations/reading.ts';
import { referencesHandlers } from '../../platform/operations/references.ts';
import { statusFilters } from '../../platform/operations/status.ts';
import { archive, unarchivedEntity } from '../rules/archive.ts';
import { valueRuleAddition, valueRuleChange } from '../rules/rule_edits.ts';
import {
  addRule,
  changeRule,
  deleteRule,
  type ReleasesOf,
  rulesResource,
} from '../rules/rule_handlers.ts';
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
import { dynamicConfigViews } from './view.ts';

/** Returns the routes of dynamic configs. */
export function dynamicConfigRoutes(releases: ReleasesOf<DynamicConfig>) {
  const resource = dynamicConfigViews(releases.overdue);
  const resourceWithRules = {
    ...resource,
    withRules: (config: DynamicConfig, rules: Rule[]): DynamicConfig =>
      validateValues({ ...config, rules }),
    remark: releases.warnOfRules(),
  };
  return new Hono<Service>()
    .use(requires('read', 'write'))
    .get(
      '/',
      ...listHandlers(resource, dynamicConfigList, (query) =>
        statusFilters(query, ['In Progress']),
      ),
    )
    .post('/', ...creationHandlers(resource, { body: dynamicConfigCreate, make: newDynamicConfig }))
    .get('/:id', ...readHandlers(resource))
    .post(
      '/:id',
      ...replaceHandlers(resource, dynamicConfigUpdate, replaceDynamicConfig, {
        remark: resourceWithRules.remark,
      }),
    )
    .patch(
      '/:id',
      ...patchHandlers(resource, dynamicConfigPatch, patchDynamicConfig, {
        remark: releases.warnOfRules((body) => 'rules' in body),
      }),
    )
    .delete('/:id', ...removalHandlers(resource))
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
    .put('/:id/unarchive', ...unarchiveEntity(resource, unarchivedEntity))
    .get('/:id/rules', ...readHandlers(rulesResource(resource), 'rules'))
    .post('/:id/rules', ...addRule(resourceWithRules, valueRuleAddition))
    .patch('/:id/rules/:ruleID', ...changeRule(resourceWithRules, valueRuleChange))
    .delete('/:id/rules/:ruleID', ...deleteRule(resourceWithRules))
    .get('/:id/references', ...referencesHandlers(resource))
    .get('/:id/versions', ...versionsHandlers(resource))
    .get('/:id/versions/:version', ...versionHandlers(resource))
    .put('/:id/versions/:version/restore', ...restoreHandlers(resource, resourceWithRules.remark));
}
