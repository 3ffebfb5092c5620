import { creation } from '../../platform/resource/portable.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { newPipeline } from './pipeline.ts';
import { releasePipelineRoutes } from './routes.ts';
import { pipelineCreate, pipelineResponse } from './schema.ts';
import { pipelines } from './table.ts';

export const releasePipelineResource = {
  path: 'release_pipelines',
  kind: pipelines,
  routes: releasePipelineRoutes,
  transfer: {
    stage: 'parts',
    stored: pipelineResponse,
    creation: creation(pipelineCreate, newPipeline),
  },
  example: {
    phases: ['Canary', 'All'].map((name) => ({
      id: name.toLowerCase(),
      name,
      timeIntervalMs: 3_600_000,
      rules: [{ name, conditions: [{ type: 'public' }] }],
    })),
  },
} satisfies Resource;
