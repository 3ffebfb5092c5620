import { ne } from 'drizzle-orm';
import type * as z from 'zod';
import {
  createRoute,
  patchRoute,
  replaceRoute,
  transitionRoutes,
} from '../../operations/changing.ts';
import { entityRoutes } from '../../operations/history.ts';
import { listRoute } from '../../operations/reading.ts';
import { combine } from '../../operations/shown.ts';
import { archive, moveTo, unarchive } from '../../shared/archive.ts';
import { match } from '../../shared/filters.ts';
import {
  newDynamicConfig,
  patchDynamicConfig,
  replaceDynamicConfig,
  viewDynamicConfig,
} from './dynamic_config.ts';
import {
  dynamicConfigCreate,
  dynamicConfigList,
  dynamicConfigPatch,
  dynamicConfigResponse,
  dynamicConfigUpdate,
} from './schema.ts';
import { dynamicConfigs, dynamicConfigTable } from './table.ts';

/** How configs are answered, here and where they are listed as referrers. */
export const shownDynamicConfigs = {
  collection: dynamicConfigs,
  response: dynamicConfigResponse,
  view: viewDynamicConfig,
};

function filters(query: z.infer<typeof dynamicConfigList>) {
  const { releasePipelineID, status, teamID, includeArchived } = query;
  return [
    match(dynamicConfigTable.releasePipelineID, releasePipelineID),
    match(dynamicConfigTable.status, status),
    match(dynamicConfigTable.teamID, teamID),
    includeArchived || status ? undefined : ne(dynamicConfigTable.status, 'Archived'),
  ];
}

const transitions = transitionRoutes(shownDynamicConfigs, [
  {
    name: 'enable',
    summary: 'Enable a dynamic config',
    done: 'enabled',
    next: (current) => moveTo(current, 'In Progress'),
  },
  {
    name: 'disable',
    summary: 'Disable a dynamic config: everyone gets its default value',
    done: 'disabled',
    next: (current) => moveTo(current, 'Disabled'),
  },
  { name: 'archive', summary: 'Archive a dynamic config', done: 'archived', next: archive },
  {
    name: 'unarchive',
    summary: 'Bring an archived dynamic config back as it was',
    done: 'unarchived',
    next: unarchive,
  },
]);

export const dynamicConfigRoutes = combine(
  listRoute(shownDynamicConfigs, dynamicConfigList, filters),
  createRoute(shownDynamicConfigs, { body: dynamicConfigCreate, make: newDynamicConfig }),
  replaceRoute(shownDynamicConfigs, dynamicConfigUpdate, replaceDynamicConfig),
  patchRoute(shownDynamicConfigs, dynamicConfigPatch, patchDynamicConfig),
  transitions,
  entityRoutes(shownDynamicConfigs),
);
