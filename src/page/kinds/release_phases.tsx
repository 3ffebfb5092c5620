import { ruleInWords } from '../rules/words.ts';
import type { Release, ReleasePipeline } from '../types.ts';
import { Stages } from '../ui/stages.tsx';
import { Unread } from '../ui/unread.tsx';
import { useRead } from '../use.ts';
import { endsIn, lasting } from '../words.ts';

/** Where a release stands among the phases of its pipeline. */
export function PhaseLine({ release }: { release: Release }) {
  const path = `/release_pipelines/${encodeURIComponent(release.releasePipelineID)}`;
  const { value, ...got } = useRead<ReleasePipeline>(path);
  if (!value) return <Unread {...got} lines={2} />;
  const { phases } = value.data;
  const isOver = release.status === 'COMPLETED';
  const at = isOver ? phases.length : phases.findIndex(({ id }) => id === release.currentPhaseID);
  const isRunning = release.status === 'IN_PROGRESS';
  const stages = phases.map(({ name, rules, timeIntervalMs, requiredReview }, index) => {
    const ends =
      index === at && isRunning ? endsIn(release.currentPhaseEndTime) : lasting(timeIntervalMs);
    const review = requiredReview && index > at ? ', after a review' : '';
    return { title: name, notes: [rules.map(ruleInWords).join('; ') || 'no rules', ends + review] };
  });
  return <Stages stages={stages} at={at} />;
}
