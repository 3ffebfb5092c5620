import { Hono } from 'hono';
import type { Service } from '../../platform/env.ts';
import { requires } from '../../platform/http/scope.ts';
import { create, patch, remove, replace } from '../../platform/operations/changing.ts';
import { restore, version, versions } from '../../platform/operations/history.ts';
import { listQuery } from '../../platform/operations/query.ts';
import { listHandlers, read } from '../../platform/operations/reading.ts';
import { references } from '../../platform/operations/references.ts';
import { resourceOf } from '../../platform/operations/resource.ts';
import { newPipeline, patchPipeline, replacePipeline } from './pipeline.ts';
import { pipelineCreate, pipelinePatch, pipelineResponse, pipelineUpdate } from './schema.ts';
import { pipelines } from './table.ts';

const resource = resourceOf(pipelines, pipelineResponse);

export const releasePipelineRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...listHandlers(resource, listQuery))
  .post('/', ...create(resource, { body: pipelineCreate, make: newPipeline }))
  .get('/:id', ...read(resource))
  .post('/:id', ...replace(resource, pipelineUpdate, replacePipeline))
  .patch('/:id', ...patch(resource, pipelinePatch, patchPipeline))
  .delete('/:id', ...remove(resource))
  .get('/:id/references', ...references(resource))
  .get('/:id/versions', ...versions(resource))
  .get('/:id/versions/:version', ...version(resource))
  .put('/:id/versions/:version/restore', ...restore(resource));
