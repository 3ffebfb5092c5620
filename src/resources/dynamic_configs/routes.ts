import { ne } from 'drizzle-orm';
import { Hono } from 'hono';
import type * as z from 'zod';
import { archive, moveTo, unarchive } from '../../archive.ts';
import type { Resource } from '../../env.ts';
import { idParam } from '../../fields.ts';
import { commonFilters, match } from '../../filters.ts';
import { entityRoutes } from '../../http/entity.ts';
import { created, listing, listOf, oneOf, single } from '../../http/envelope.ts';
import { transitionRoutes } from '../../http/transitions.ts';
import { doc, valid } from '../../http/valid.ts';
import {
  newDynamicConfig,
  patchDynamicConfig,
  replaceDynamicConfig,
  viewDynamicConfig as view,
} from './dynamic_config.ts';
import {
  dynamicConfigCreate,
  dynamicConfigList,
  dynamicConfigPatch,
  dynamicConfigResponse,
  dynamicConfigUpdate,
} from './schema.ts';
import { dynamicConfigs, dynamicConfigTable } from './table.ts';

const config = oneOf(dynamicConfigResponse);
const shown = { collection: dynamicConfigs, response: dynamicConfigResponse, view };

function filters(query: z.infer<typeof dynamicConfigList>) {
  const { releasePipelineID, status, teamID, includeArchived } = query;
  return [
    ...commonFilters(dynamicConfigs, query),
    match(dynamicConfigTable.releasePipelineID, releasePipelineID),
    match(dynamicConfigTable.status, status),
    match(dynamicConfigTable.teamID, teamID),
    includeArchived || status ? undefined : ne(dynamicConfigTable.status, 'Archived'),
  ];
}

const transitions = transitionRoutes(shown, [
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

export const dynamicConfigRoutes = new Hono<Resource>()
  .get(
    '/',
    doc('List dynamic configs', listOf(dynamicConfigResponse)),
    valid('query', dynamicConfigList),
    async (c) => {
      const query = c.req.valid('query');
      const page = await dynamicConfigs.list(c, { page: query, filters: filters(query) });
      return listing(c, 'Dynamic configs listed successfully.', page, view);
    },
  )
  .post(
    '/',
    doc('Create a dynamic config', config, 201),
    valid('json', dynamicConfigCreate),
    async (c) => {
      const entity = await dynamicConfigs.create(c, newDynamicConfig(c.req.valid('json')));
      return created(c, 'Dynamic config created successfully.', entity, view(entity));
    },
  )
  .post(
    '/:id',
    doc('Update a dynamic config fully', config),
    valid('param', idParam),
    valid('json', dynamicConfigUpdate),
    async (c) => {
      const body = c.req.valid('json');
      const { id } = c.req.valid('param');
      const entity = await dynamicConfigs.change(c, id, 'update', (current) =>
        replaceDynamicConfig(current, body),
      );
      return single(c, 'Dynamic config updated successfully.', entity, view(entity));
    },
  )
  .patch(
    '/:id',
    doc('Update some properties of a dynamic config', config),
    valid('param', idParam),
    valid('json', dynamicConfigPatch),
    async (c) => {
      const body = c.req.valid('json');
      const { id } = c.req.valid('param');
      const entity = await dynamicConfigs.change(c, id, 'update', (current) =>
        patchDynamicConfig(current, body),
      );
      return single(c, 'Dynamic config updated successfully.', entity, view(entity));
    },
  )
  .route('/', transitions)
  .route('/', entityRoutes(shown));
