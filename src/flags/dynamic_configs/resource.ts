import { creation } from '../../platform/resource/portable.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { requireArchivedFrom } from '../rules/archive.ts';
import type { ReleasesOf } from '../rules/rule_handlers.ts';
import { newDynamicConfig } from './dynamic_config.ts';
import { dynamicConfigRoutes } from './routes.ts';
import { type DynamicConfig, dynamicConfigCreate, storedDynamicConfig } from './schema.ts';
import { dynamicConfigs } from './table.ts';

/** Returns the entry of dynamic configs. */
export const dynamicConfigResource = (releases: ReleasesOf<DynamicConfig>) =>
  ({
    path: 'dynamic_configs',
    kind: dynamicConfigs,
    routes: dynamicConfigRoutes(releases),
    transfer: {
      stage: 'flags',
      stored: storedDynamicConfig,
      creation: creation(dynamicConfigCreate, newDynamicConfig),
      requireReached: (config: DynamicConfig) => requireArchivedFrom(config),
    },
  }) satisfies Resource;
