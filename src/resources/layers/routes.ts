import { createRoute, patchRoute } from '../../operations/changing.ts';
import { entityRoutes } from '../../operations/history.ts';
import { overridesRoutes } from '../../operations/overrides.ts';
import { listRoute, referrersRoute } from '../../operations/reading.ts';
import { combine } from '../../operations/shown.ts';
import { merge } from '../../shared/fields.ts';
import { match } from '../../shared/filters.ts';
import { shownExperiments } from '../experiments/routes.ts';
import { newLayer, viewLayer } from './layer.ts';
import { editOverrides } from './overrides.ts';
import {
  layerCreate,
  layerList,
  layerPatch,
  layerResponse,
  overridesRequest,
  overridesResponse,
} from './schema.ts';
import { layers, layerTable } from './table.ts';

const shown = { collection: layers, response: layerResponse, view: viewLayer };

export const layerRoutes = combine(
  listRoute(shown, layerList, ({ idType }) => [match(layerTable.idType, idType)]),
  createRoute(shown, { body: layerCreate, make: newLayer }),
  patchRoute(shown, layerPatch, merge),
  referrersRoute(layers, shownExperiments, {
    path: '/experiments',
    field: 'layerID',
    summary: 'List the experiments on a layer',
  }),
  overridesRoutes({
    collection: layers,
    request: overridesRequest,
    response: overridesResponse,
    view: (layer) => layer.overrides,
    edit: editOverrides,
  }),
  entityRoutes(shown),
);
