import { Hono } from 'hono';
import { merge } from '../../base/fields.ts';
import { editOverrides, removeOverrides } from '../../flags/rules/override_handlers.ts';
import type { Service } from '../../platform/env.ts';
import { requires } from '../../platform/http/scope.ts';
import { create, patch, remove, replace } from '../../platform/operations/changing.ts';
import { restore, version, versions } from '../../platform/operations/history.ts';
import { listHandlers, read, referrers } from '../../platform/operations/reading.ts';
import { references } from '../../platform/operations/references.ts';
import { resourceOf } from '../../platform/operations/resource.ts';
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
import { withUnitTypes } from './unit_types.ts';

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
  .post('/', ...create(resource, { body: layerCreate, make: newLayer }))
  .get('/:id', ...read(resource))
  .post('/:id', ...replace(resource, layerUpdate, replaceLayer))
  .patch('/:id', ...patch(resource, layerPatch, merge))
  .delete('/:id', ...remove(resource))
  .get(
    '/:id/experiments',
    ...referrers(layers, experimentResource, 'layerID', 'List the experiments on a layer'),
  )
  .get('/:id/overrides', ...read(overridesResource, 'overrides'))
  .post('/:id/overrides', ...editOverrides(overridesResource, 'replace'))
  .patch('/:id/overrides', ...editOverrides(overridesResource, 'add'))
  .delete('/:id/overrides', ...removeOverrides(overridesResource))
  .get('/:id/references', ...references(resource))
  .get('/:id/versions', ...versions(resource))
  .get('/:id/versions/:version', ...version(resource))
  .put('/:id/versions/:version/restore', ...restore(resource));
