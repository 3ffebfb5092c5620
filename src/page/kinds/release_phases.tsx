import { get } from '../api.ts';
import { ruleInWords } from '../rules/words.ts';
import type { Release, ReleasePipeline } from '../types.ts';
import { Icon } from '../ui/icon.tsx';
import { Loading } from '../ui/loading.tsx';
import { Refusal } from '../ui/problem.tsx';
import { useGet } from '../use.ts';
import { ago, lasting } from '../words.ts';

/** Where a release stands among the phases of its pipeline. */
export function PhaseLine({ release }: { release: Release }) {
  const path = `/release_pipelines/${encodeURIComponent(release.releasePipelineID)}`;
  const { value, problem, again } = useGet(path, () => get<ReleasePipeline>(path));
  if (!value)
    return problem ? <Refusal problem={problem} onAgain={again} /> : <Loading lines={2} />;
  const { phases } = value.data;
  const isOver = release.status === 'COMPLETED';
  const at = isOver ? phases.length : phases.findIndex(({ id }) => id === release.currentPhaseID);
  const isRunning = release.status === 'IN_PROGRESS';
  return (
    <ol class="stages">
      {phases.map(({ id, name, rules, timeIntervalMs, requiredReview }, index) => (
        <li
          key={id}
          class={index < at ? 'stage stage-done' : index === at ? 'stage stage-current' : 'stage'}
          aria-current={index === at ? 'step' : undefined}
        >
          <span class="bar-line">
            {index < at && <Icon name="check" />}
            {name}
          </span>
          <span class="stage-when">{rules.map(ruleInWords).join('; ') || 'no rules'}</span>
          <span class="stage-when">
            {index === at && isRunning
              ? `ends ${ago(release.currentPhaseEndTime)}`
              : lasting(timeIntervalMs)}
            {requiredReview && index > at ? ', after a review' : ''}
          </span>
        </li>
      ))}
    </ol>
  );
}
