import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { requires } from '../../http/scope.ts';
import { create, patch, remove, replace } from '../../operations/changing.ts';
import { restore, version, versions } from '../../operations/history.ts';
import { list, read } from '../../operations/reading.ts';
import { references } from '../../operations/references.ts';
import { addRule, changeRule, deleteRule, rulesOf } from '../../operations/rules.ts';
import { statusFilters } from '../../operations/status.ts';
import { archiving, switching, unarchiving } from '../../operations/switching.ts';
import { archive, unarchive } from '../../shared/archive.ts';
import { valueRuleAddition, valueRuleChange } from '../../shared/rule_edits.ts';
import type { Rule } from '../../shared/rules.ts';
import { warnOfRules } from '../release_pipeline_triggers/warnings.ts';
import { newDynamicConfig, patchDynamicConfig, replaceDynamicConfig } from './dynamic_config.ts';
import {
  type DynamicConfig,
  dynamicConfigCreate,
  dynamicConfigList,
  dynamicConfigPatch,
  dynamicConfigUpdate,
} from './schema.ts';
import { shownDynamicConfigs as shown } from './shown.ts';
import { fitting } from './values.ts';

const released = { property: 'dynamicConfigID', kind: shown.kind } as const;

const ruled = {
  ...shown,
  withRules: (config: DynamicConfig, rules: Rule[]): DynamicConfig => fitting({ ...config, rules }),
  remark: warnOfRules<DynamicConfig>(released),
};

export const dynamicConfigRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...list(shown, dynamicConfigList, (query) => statusFilters(query, ['In Progress'])))
  .post('/', ...create(shown, { body: dynamicConfigCreate, make: newDynamicConfig }))
  .get('/:id', ...read(shown))
  .post(
    '/:id',
    ...replace(shown, dynamicConfigUpdate, replaceDynamicConfig, { remark: ruled.remark }),
  )
  .patch(
    '/:id',
    ...patch(shown, dynamicConfigPatch, patchDynamicConfig, {
      remark: warnOfRules(released, (body) => 'rules' in body),
    }),
  )
  .delete('/:id', ...remove(shown))
  .put('/:id/enable', ...switching(shown, 'enable', 'Enable a dynamic config'))
  .put(
    '/:id/disable',
    ...switching(shown, 'disable', 'Disable a dynamic config: everyone gets its default value'),
  )
  .put('/:id/archive', ...archiving(shown, archive))
  .put('/:id/unarchive', ...unarchiving(shown, unarchive))
  .get('/:id/rules', ...read(rulesOf(shown), 'rules'))
  .post('/:id/rules', ...addRule(ruled, valueRuleAddition))
  .patch('/:id/rules/:ruleID', ...changeRule(ruled, valueRuleChange))
  .delete('/:id/rules/:ruleID', ...deleteRule(ruled))
  .get('/:id/references', ...references(shown))
  .get('/:id/versions', ...versions(shown))
  .get('/:id/versions/:version', ...version(shown))
  .put('/:id/versions/:version/restore', ...restore(shown, ruled.remark));
