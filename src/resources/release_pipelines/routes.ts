import { Hono } from 'hono';
import type { Resource } from '../../env.ts';
import { idParam, show } from '../../fields.ts';
import { commonFilters, listQuery } from '../../filters.ts';
import { entityRoutes } from '../../http/entity.ts';
import { created, listing, listOf, oneOf, single } from '../../http/envelope.ts';
import { doc, valid } from '../../http/valid.ts';
import { newPipeline, replacePipeline } from './pipeline.ts';
import {
  pipelineCreate,
  pipelineResponse,
  pipelineUpdate,
  type ReleasePipeline,
} from './schema.ts';
import { pipelines } from './table.ts';

const view = (pipeline: ReleasePipeline) => show(pipelineResponse, pipeline);

export const releasePipelineRoutes = new Hono<Resource>()
  .get(
    '/',
    doc('List release pipelines', listOf(pipelineResponse)),
    valid('query', listQuery),
    async (c) => {
      const query = c.req.valid('query');
      const filters = commonFilters(pipelines, query);
      const page = await pipelines.list(c, { page: query, filters });
      return listing(c, 'Release pipelines listed successfully.', page, view);
    },
  )
  .post(
    '/',
    doc('Create a release pipeline', oneOf(pipelineResponse), 201),
    valid('json', pipelineCreate),
    async (c) => {
      const pipeline = await pipelines.create(c, newPipeline(c.req.valid('json')));
      return created(c, 'Release pipeline created successfully.', pipeline, view(pipeline));
    },
  )
  .post(
    '/:id',
    doc(
      'Fully update a release pipeline; releases under way keep the phases they started with',
      oneOf(pipelineResponse),
    ),
    valid('param', idParam),
    valid('json', pipelineUpdate),
    async (c) => {
      const body = c.req.valid('json');
      const { id } = c.req.valid('param');
      const next = (current: ReleasePipeline) => replacePipeline(current, body);
      const pipeline = await pipelines.change(c, id, 'update', next);
      return single(c, 'Release pipeline updated successfully.', pipeline, view(pipeline));
    },
  )
  .route('/', entityRoutes({ collection: pipelines, response: pipelineResponse, view }));
