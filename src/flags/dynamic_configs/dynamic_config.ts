import type * as z from 'zod';
import { merge, show } from '../../base/fields.ts';
import { newID } from '../../base/ids.ts';
import type { Draft } from '../../platform/store/core/transaction.ts';
import { isOn, withEnabled } from '../rules/archive.ts';
import { withRuleIDs } from '../rules/rules.ts';
import {
  type DynamicConfig,
  type dynamicConfigCreate,
  type dynamicConfigPatch,
  dynamicConfigResponse,
} from './schema.ts';
import { syncPairs, validateValues } from './values.ts';

type Body = z.infer<typeof dynamicConfigPatch>;

const defaults = {
  description: '',
  idType: 'userID',
  targetApps: [],
  tags: [],
  team: '',
  teamID: null,
  releasePipelineID: null,
  defaultValue: {},
  defaultValueJson5: '{}',
  schema: '{}',
  schemaJson5: '{}',
};

/** Returns a new dynamic config from a creation body. */
export function newDynamicConfig(body: z.infer<typeof dynamicConfigCreate>): Draft<DynamicConfig> {
  const { isEnabled, rules = [], ...given } = body;
  const config = {
    ...defaults,
    holdoutIDs: [],
    ...given,
    ...syncPairs(defaults, given),
    rules: withRuleIDs(rules),
    status: isEnabled === false ? ('Disabled' as const) : ('In Progress' as const),
    archivedFrom: null,
    id: newID(body.id, body.name),
  };
  return validateValues(config, given);
}

/** Returns a dynamic config after a partial update. */
export function patchDynamicConfig(config: DynamicConfig, body: Body): DynamicConfig {
  const { isEnabled, rules, ...given } = body;
  return validateValues(
    merge(withEnabled(config, isEnabled), {
      ...given,
      ...syncPairs(config, given),
      rules: rules && withRuleIDs(rules, config.rules),
    }),
    given,
  );
}

/** Returns a config after a full update: name and status stay, other absent properties are reset. */
export const replaceDynamicConfig = (config: DynamicConfig, body: Body): DynamicConfig =>
  patchDynamicConfig({ ...config, ...defaults }, { rules: [], ...body });

/** Returns the response of a dynamic config. */
export const viewDynamicConfig = (config: DynamicConfig): z.infer<typeof dynamicConfigResponse> =>
  show(dynamicConfigResponse, config, { isEnabled: isOn(config) });
