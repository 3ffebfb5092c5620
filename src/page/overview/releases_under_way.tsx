import { useState } from 'preact/hooks';
import { pageOf } from '../base/history_words.ts';
import { whyNot } from '../base/session.ts';
import type { Release } from '../base/types.ts';
import { endsIn, percent } from '../base/words.ts';
import { ActionSheet } from '../entity/edit/action.tsx';
import { releases as kind, targetOf } from '../kinds/releases.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Box } from './box.tsx';

const currentIndex = ({ phases, currentPhaseID }: Release) =>
  phases.findIndex(({ id }) => id === currentPhaseID);

const phaseShare = ({ rules }: Release['phases'][number]) => rules[0]?.passPercentage ?? 0;

const stepLook = (index: number, at: number) => {
  if (index < at) return 'step-done';
  return index === at ? 'step-now' : 'step-next';
};

function PhaseSteps({ release }: { release: Release }) {
  const at = currentIndex(release);
  const { phases } = release;
  const step = 136 / phases.length;
  const words = phases.map(
    (phase, index) => `${percent(phaseShare(phase))}${index === at ? ' now' : ''}`,
  );
  return (
    <svg class="phases" width="136" height="22" role="img" aria-label={words.join(', ')}>
      {phases.map((phase, index) => (
        <g key={phase.id}>
          <rect
            class={stepLook(index, at)}
            x={index * step}
            width={Math.max(2, step - 3)}
            height="5"
            rx="2.5"
          />
          {phases.length <= 4 && (
            <text class="tick" x={(index + 0.5) * step - 1} y="19" text-anchor="middle">
              {percent(phaseShare(phase))}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

function detailOf(release: Release): string {
  const { status, phases, currentPhase, currentPhaseEndTime } = release;
  const next = phases[currentIndex(release) + 1];
  if (status === 'PAUSED') return `Paused in “${currentPhase}”.`;
  const end = `“${currentPhase}” ${endsIn(currentPhaseEndTime)}`;
  return next ? `${end}, then ${percent(phaseShare(next))}.` : `${end}, then it is complete.`;
}

interface ItemProps {
  release: Release;
  onMove: () => void;
}

const Item = ({ release, onMove }: ItemProps) => {
  const [move] = kind.actions?.(release) ?? [];
  const { id } = targetOf(release);
  return (
    <li class="act">
      <span class="act-sign act-wait">
        <Icon name="rocket" />
      </span>
      <div class="act-words">
        <strong>
          <a href={pageOf(kind, release.id)}>{id}</a>
          {`, phase ${currentIndex(release) + 1} of ${release.phases.length}`}
        </strong>
        <span class="quiet">{detailOf(release)}</span>
      </div>
      <PhaseSteps release={release} />
      {move && (
        <Button label={`${move.label} ${id} …`} why={whyNot('write')} onClick={onMove}>
          {`${move.label} …`}
        </Button>
      )}
    </li>
  );
};

/** The releases that move through their phases or are paused. */
export function ReleasesUnderWay({ releases }: { releases: Release[] }) {
  const [moved, setMoved] = useState<Release>();
  const [move] = moved ? (kind.actions?.(moved) ?? []) : [];
  const shown = releases.filter(({ status }) => status !== 'WAITING_FOR_REVIEW');
  if (shown.length === 0) return null;
  return (
    <Box title="Releases under way" side={<a href="/releases">All releases</a>}>
      <ul class="acts">
        {shown.map((release) => (
          <Item key={release.id} release={release} onMove={() => setMoved(release)} />
        ))}
      </ul>
      {moved && move && (
        <ActionSheet kind={kind} entity={moved} action={move} onClose={() => setMoved(undefined)} />
      )}
    </Box>
  );
}
