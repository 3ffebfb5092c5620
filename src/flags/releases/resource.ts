import type { Resource } from '../../platform/resource/resource.ts';
import { finishedRelease, requireReleaseReached } from './restoring.ts';
import { releasePipelineTriggerRoutes } from './routes.ts';
import { storedTrigger } from './schema.ts';
import { triggers } from './table.ts';

export const releasePipelineTriggerResource = {
  path: 'release_pipeline_triggers',
  kind: triggers,
  routes: releasePipelineTriggerRoutes,
  transfer: {
    stage: 'collections',
    stored: storedTrigger.partial({ earlierPipelineID: true }), // missing in older exports
    fromList: finishedRelease,
    requireReached: requireReleaseReached,
  },
} satisfies Resource;
