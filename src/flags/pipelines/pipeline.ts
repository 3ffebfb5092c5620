import type * as z from 'zod';
import { merge } from '../../base/fields.ts';
import { freeByName, newID } from '../../base/ids.ts';
import type { Draft } from '../../platform/store/core/transaction.ts';
import type {
  pipelineCreate,
  pipelinePatch,
  pipelineUpdate,
  ReleasePhase,
  ReleasePipeline,
} from './schema.ts';

type Body = z.infer<typeof pipelineUpdate>;

function withPhaseIDs(phases: Body['phases'], earlier: ReleasePhase[] = []): ReleasePhase[] {
  const byName = freeByName(phases, earlier);
  const everyone = { passPercentage: 100, environments: null };
  return phases.map(({ rules = [], ...phase }) => ({
    id: byName.get(phase.name)?.id ?? crypto.randomUUID(),
    requiredReview: false,
    ...phase,
    rules: rules.map((rule) => ({ ...everyone, ...rule })),
  }));
}

/** Returns a new pipeline; without phases it cannot release yet. */
export function newPipeline(body: z.infer<typeof pipelineCreate>): Draft<ReleasePipeline> {
  const phases = withPhaseIDs(body.phases ?? []);
  return { description: '', tags: [], ...body, phases, id: newID(body.id, body.name) };
}

export function replacePipeline(pipeline: ReleasePipeline, body: Body): ReleasePipeline {
  const phases = withPhaseIDs(body.phases, pipeline.phases);
  return { ...pipeline, description: '', tags: [], ...body, phases };
}

/** Returns a pipeline after a partial update; phases are replaced as a whole. */
export function patchPipeline(
  pipeline: ReleasePipeline,
  body: z.infer<typeof pipelinePatch>,
): ReleasePipeline {
  const phases = body.phases && withPhaseIDs(body.phases, pipeline.phases);
  return merge(pipeline, { ...body, phases });
}
