import { releasesOf } from '../release_pipeline_triggers/schedule.ts';
import { viewDynamicConfig } from './dynamic_config.ts';
import { dynamicConfigResponse } from './schema.ts';
import { dynamicConfigs } from './table.ts';

/** How configs are answered, here and where they are listed as referrers. */
export const shownDynamicConfigs = {
  kind: dynamicConfigs,
  response: dynamicConfigResponse,
  view: viewDynamicConfig,
  settles: [releasesOf('dynamicConfigID')],
};
