import { Hono } from 'hono';
import type { Resource } from '../../env.ts';
import { idParam, merge } from '../../fields.ts';
import { commonFilters, match } from '../../filters.ts';
import { entityRoutes } from '../../http/entity.ts';
import { created, listing, listOf, oneOf, pageQuery, single } from '../../http/envelope.ts';
import { overridesRoutes } from '../../http/overrides.ts';
import { doc, valid } from '../../http/valid.ts';
import { refersTo } from '../../store/references.ts';
import { viewExperiment } from '../experiments/experiment.ts';
import { experimentResponse } from '../experiments/schema.ts';
import { experiments } from '../experiments/table.ts';
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

const layer = oneOf(layerResponse);

const overrideRoutes = overridesRoutes({
  collection: layers,
  request: overridesRequest,
  response: overridesResponse,
  view: (entity) => entity.overrides,
  edit: editOverrides,
});

export const layerRoutes = new Hono<Resource>()
  .get('/', doc('List layers', listOf(layerResponse)), valid('query', layerList), async (c) => {
    const query = c.req.valid('query');
    const filters = [...commonFilters(layers, query), match(layerTable.idType, query.idType)];
    const page = await layers.list(c, { page: query, filters });
    return listing(c, 'Layers listed successfully.', page, viewLayer);
  })
  .post('/', doc('Create a layer', layer, 201), valid('json', layerCreate), async (c) => {
    const entity = await layers.create(c, newLayer(c.req.valid('json')));
    return created(c, 'Layer created successfully.', entity, viewLayer(entity));
  })
  .patch(
    '/:id',
    doc('Update some properties of a layer', layer),
    valid('param', idParam),
    valid('json', layerPatch),
    async (c) => {
      const body = c.req.valid('json');
      const { id } = c.req.valid('param');
      const entity = await layers.change(c, id, 'update', (current) => merge(current, body));
      return single(c, 'Layer updated successfully.', entity, viewLayer(entity));
    },
  )
  .get(
    '/:id/experiments',
    doc('List the experiments on a layer', listOf(experimentResponse)),
    valid('param', idParam),
    valid('query', pageQuery),
    async (c) => {
      const { id } = c.req.valid('param');
      const filters = [refersTo(experiments, 'layer', [id], 'layerID')];
      const of = { collection: layers, id };
      const page = await experiments.list(c, { page: c.req.valid('query'), filters, of });
      return listing(c, 'Experiments listed successfully.', page, viewExperiment);
    },
  )
  .route('/', overrideRoutes)
  .route('/', entityRoutes({ collection: layers, response: layerResponse, view: viewLayer }));
