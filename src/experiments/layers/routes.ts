import { Hono } from 'hono';
import type * as z from 'zod';
import { merge } from '../../base/fields.ts';
import { editOverrides, removeOverrides } from '../../flags/rules/override_handlers.ts';
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
import {
  listHandlers,
  readHandlers,
  referrersHandlers,
} from '../../platform/operations/reading.ts';
import { referencesHandlers } from '../../platform/operations/references.ts';
import { resourceOf } from '../../platform/operations/resource.ts';
import type { Reads } from '../../platform/store/core/reads.ts';
import { experiments } from '../experiments/table.ts';
import { experimentResource } from '../experiments/view.ts';
import { editLayerOverrides, removeLayerOverrides } from './overrides.ts';
import {
  type Layer,
  layerCreate,
  layerList,
  layerPatch,
  layerResponse,
  layerUpdate,
  overridesRemoval,
  overridesRequest,
  overridesResponse,
} from './schema.ts';
import { layers, newLayer, replaceLayer } from './table.ts';

type Body = z.infer<typeof overridesRequest>;

/** Fills in missing ID types with the ID type of the experiment. */
async function withUnitTypes(tx: Reads, body: Body): Promise<Body> {
  const { idOverrides = [] } = body;
  const untyped = idOverrides.filter(({ idType }) => idType === '');
  if (untyped.length === 0) return body;
  const names = new Set(untyped.map(({ experimentName }) => experimentName));
  const named = await tx.findMany(experiments, [...names]);
  const types = new Map(named.map(({ id, idType }) => [id, idType]));
  // A missing experiment fails later, by its reference.
  const typed = idOverrides.map(({ idType, ...entry }) => ({
    ...entry,
    idType: idType || (types.get(entry.experimentName) ?? ''),
  }));
  return { ...body, idOverrides: typed };
}

const resource = resourceOf(layers, layerResponse);

const overridesResource = {
  kind: layers,
  request: overridesRequest,
  response: overridesResponse,
  view: ({ overrides }: Layer) => overrides,
  complete: withUnitTypes,
  edit: editLayerOverrides,
  removal: overridesRemoval,
  remove: removeLayerOverrides,
};

export const layerRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...listHandlers(resource, layerList))
  .post('/', ...creationHandlers(resource, { body: layerCreate, make: newLayer }))
  .get('/:id', ...readHandlers(resource))
  .post('/:id', ...replaceHandlers(resource, layerUpdate, replaceLayer))
  .patch('/:id', ...patchHandlers(resource, layerPatch, merge))
  .delete('/:id', ...removalHandlers(resource))
  .get(
    '/:id/experiments',
    ...referrersHandlers(layers, experimentResource, 'layerID', 'List the experiments on a layer'),
  )
  .get('/:id/overrides', ...readHandlers(overridesResource, 'overrides'))
  .post('/:id/overrides', ...editOverrides(overridesResource, 'replace'))
  .patch('/:id/overrides', ...editOverrides(overridesResource, 'add'))
  .delete('/:id/overrides', ...removeOverrides(overridesResource))
  .get('/:id/references', ...referencesHandlers(resource))
  .get('/:id/versions', ...versionsHandlers(resource))
  .get('/:id/versions/:version', ...versionHandlers(resource))
  .put('/:id/versions/:version/restore', ...restoreHandlers(resource));
