import { Hono } from 'hono';
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
import { listQuery } from '../../platform/operations/query.ts';
import { listHandlers, readHandlers } from '../../platform/operations/reading.ts';
import { referencesHandlers } from '../../platform/operations/references.ts';
import { resourceOf } from '../../platform/operations/resource.ts';
import { newPipeline, patchPipeline, replacePipeline } from './pipeline.ts';
import { pipelineCreate, pipelinePatch, pipelineResponse, pipelineUpdate } from './schema.ts';
import { pipelines } from './table.ts';

const resource = resourceOf(pipelines, pipelineResponse);

export const releasePipelineRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...listHandlers(resource, listQuery))
  .post('/', ...creationHandlers(resource, { body: pipelineCreate, make: newPipeline }))
  .get('/:id', ...readHandlers(resource))
  .post('/:id', ...replaceHandlers(resource, pipelineUpdate, replacePipeline))
  .patch('/:id', ...patchHandlers(resource, pipelinePatch, patchPipeline))
  .delete('/:id', ...removalHandlers(resource))
  .get('/:id/references', ...referencesHandlers(resource))
  .get('/:id/versions', ...versionsHandlers(resource))
  .get('/:id/versions/:version', ...versionHandlers(resource))
  .put('/:id/versions/:version/restore', ...restoreHandlers(resource));
