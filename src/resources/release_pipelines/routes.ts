import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { requires } from '../../http/scope.ts';
import { create, patch, remove, replace } from '../../operations/changing.ts';
import { restore, version, versions } from '../../operations/history.ts';
import { listQuery } from '../../operations/query.ts';
import { list, read } from '../../operations/reading.ts';
import { references } from '../../operations/references.ts';
import { shownBy } from '../../operations/shown.ts';
import { newPipeline, patchPipeline, replacePipeline } from './pipeline.ts';
import { pipelineCreate, pipelinePatch, pipelineResponse, pipelineUpdate } from './schema.ts';
import { pipelines } from './table.ts';

const shown = shownBy(pipelines, pipelineResponse);

export const releasePipelineRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...list(shown, listQuery))
  .post('/', ...create(shown, { body: pipelineCreate, make: newPipeline }))
  .get('/:id', ...read(shown))
  .post('/:id', ...replace(shown, pipelineUpdate, replacePipeline))
  .patch('/:id', ...patch(shown, pipelinePatch, patchPipeline))
  .delete('/:id', ...remove(shown))
  .get('/:id/references', ...references(shown))
  .get('/:id/versions', ...versions(shown))
  .get('/:id/versions/:version', ...version(shown))
  .put('/:id/versions/:version/restore', ...restore(shown));
