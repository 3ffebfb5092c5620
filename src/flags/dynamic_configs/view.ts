import { overdueReleases } from '../releases/schedule.ts';
import { viewDynamicConfig } from './dynamic_config.ts';
import { dynamicConfigResponse } from './schema.ts';
import { dynamicConfigs } from './table.ts';

export const dynamicConfigResource = {
  kind: dynamicConfigs,
  response: dynamicConfigResponse,
  view: viewDynamicConfig,
  overdueChanges: [overdueReleases('dynamicConfigID')],
};
