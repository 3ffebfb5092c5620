import { createRoute, replaceRoute } from '../../operations/changing.ts';
import { entityRoutes } from '../../operations/history.ts';
import { listRoute } from '../../operations/reading.ts';
import { combine } from '../../operations/shown.ts';
import { show } from '../../shared/fields.ts';
import { listQuery } from '../../shared/filters.ts';
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
