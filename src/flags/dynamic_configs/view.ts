import type { OverdueChanges } from '../../platform/http/overdue.ts';
import { viewDynamicConfig } from './dynamic_config.ts';
import { dynamicConfigResponse } from './schema.ts';
import { dynamicConfigs } from './table.ts';

/** Returns how dynamic configs are read, given the overdue phases of their releases. */
export const dynamicConfigViews = (overdue: OverdueChanges) => ({
  kind: dynamicConfigs,
  response: dynamicConfigResponse,
  view: viewDynamicConfig,
  overdueChanges: [overdue],
});
