import { show } from '../../fields.ts';
import { listQuery } from '../../filters.ts';
import { createRoute, replaceRoute } from '../../http/changing.ts';
import { entityRoutes } from '../../http/entity.ts';
import { listRoute } from '../../http/reading.ts';
import { combine } from '../../http/shown.ts';
import { newPipeline, replacePipeline } from './pipeline.ts';
import {
  pipelineCreate,
  pipelineResponse,
  pipelineUpdate,
  type ReleasePipeline,
} from './schema.ts';
import { pipelines } from './table.ts';

const view = (pipeline: ReleasePipeline) => show(pipelineResponse, pipeline);
const shown = { collection: pipelines, response: pipelineResponse, view };

export const releasePipelineRoutes = combine(
  listRoute(shown, listQuery),
  createRoute(shown, { body: pipelineCreate, make: newPipeline }),
  replaceRoute(shown, pipelineUpdate, replacePipeline),
  entityRoutes(shown),
);
