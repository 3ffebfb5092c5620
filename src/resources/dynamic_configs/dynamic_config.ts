import type * as z from 'zod';
import { isOn, withEnabled } from '../../shared/archive.ts';
import { merge, show } from '../../shared/fields.ts';
import { newID } from '../../shared/ids.ts';
import { withRuleIDs } from '../../shared/rules.ts';
import type { Draft } from '../../store/core/transaction.ts';
import {
  type DynamicConfig,
  type dynamicConfigCreate,
  type dynamicConfigPatch,
  dynamicConfigResponse,
} from './schema.ts';
import { fitting, paired } from './values.ts';

type Body = z.infer<typeof dynamicConfigPatch>;

/** What a config is where a body does not say. */
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

/** A new dynamic config from the body of its creation. */
export function newDynamicConfig(body: z.infer<typeof dynamicConfigCreate>): Draft<DynamicConfig> {
  const { isEnabled, rules = [], ...given } = body;
  const config = {
    ...defaults,
    holdoutIDs: [],
    ...given,
    ...paired(defaults, given),
    rules: withRuleIDs(rules),
    status: isEnabled === false ? ('Disabled' as const) : ('In Progress' as const),
    archivedFrom: null,
    id: newID(body.id, body.name),
  };
  return fitting(config, given);
}

/** A dynamic config after a partial update. */
export function patchDynamicConfig(config: DynamicConfig, body: Body): DynamicConfig {
  const { isEnabled, rules, ...given } = body;
  return fitting(
    merge(withEnabled(config, isEnabled), {
      ...given,
      ...paired(config, given),
      rules: rules && withRuleIDs(rules, config.rules),
    }),
    given,
  );
}

/** A dynamic config after a full update: what is absent is as in a new one, but for its name and whether it is on. */
export const replaceDynamicConfig = (config: DynamicConfig, body: Body): DynamicConfig =>
  patchDynamicConfig({ ...config, ...defaults }, { rules: [], ...body });

/** A dynamic config as it is answered. */
export const viewDynamicConfig = (config: DynamicConfig): z.infer<typeof dynamicConfigResponse> =>
  show(dynamicConfigResponse, config, { isEnabled: isOn(config) });
