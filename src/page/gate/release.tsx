import { useState } from 'preact/hooks';
import { unfinishedStatuses } from '../../flags/releases/moves.ts';
import { whyNot } from '../base/session.ts';
import type { Release } from '../base/types.ts';
import { useRead } from '../base/use.ts';
import { endsIn, moment, percent } from '../base/words.ts';
import { ActionSheet } from '../entity/edit/action.tsx';
import type { KindPage } from '../entity/kind.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';

/** Reads the unfinished release of a gate; null if there is none, undefined before the response. */
export function useRelease(gateID: string): Release | null | undefined {
  const query = new URLSearchParams([
    ['gateID', gateID],
    ...unfinishedStatuses.map((status) => ['status', status]),
  ]);
  const { value } = useRead<Release[]>(`/release_pipeline_triggers?${query}`);
  return value && (value.data[0] ?? null);
}

/** Returns the number of the current phase, from 1. */
export const phaseNumber = ({ phases, currentPhaseID }: Release) =>
  phases.findIndex(({ id }) => id === currentPhaseID) + 1;

/** Returns when the current phase ends, or why it does not. */
export function stateInWords({ status, currentPhaseEndTime }: Release): string {
  if (status === 'PAUSED') return 'paused';
  if (status === 'WAITING_FOR_REVIEW') return 'waiting for review';
  return `${endsIn(currentPhaseEndTime)}, ${moment(currentPhaseEndTime)}`;
}

/** Whether a phase of the release sets a rule, so that a change of the rule would not last. */
export const isSetBy = ({ phases }: Release, name: string) =>
  phases.some(({ rules }) => rules.some((rule) => rule.name === name));

type ReleasePhase = Release['phases'][number];

function changingRules(
  phases: readonly ReleasePhase[],
): (rule: ReleasePhase['rules'][number]) => boolean {
  const sharesOf = (name: string) =>
    phases.map(({ rules }) => rules.find((rule) => rule.name === name)?.passPercentage);
  const isChanging = ({ name }: ReleasePhase['rules'][number]) => new Set(sharesOf(name)).size > 1;
  return phases.some(({ rules }) => rules.some(isChanging)) ? isChanging : () => true;
}

function phasesInWords(phases: readonly ReleasePhase[]): string[] {
  const isNamed = changingRules(phases);
  const words = ({ rules }: ReleasePhase) =>
    rules
      .filter(isNamed)
      .map(({ name, passPercentage }) => `${percent(passPercentage)} of ${name}`);
  return phases.map((phase) => words(phase).join(', ') || 'no one');
}

interface ReleaseBannerProps {
  /** The pages of releases, with their actions. */
  releases: KindPage<Release>;
  release: Release;
}

export function ReleaseBanner({ releases, release }: ReleaseBannerProps) {
  const [isPausing, setPausing] = useState(false);
  const { id, releasePipelineID, currentPhase, phases } = release;
  const at = phaseNumber(release) - 1;
  const pause = releases.actions?.(release).find(({ name }) => name === 'pause');
  return (
    <section class="note2" aria-label="Under release">
      <Icon name="rocket" />
      <div>
        <p>
          <b class="note2-title">A release runs this gate.</b>
          {` Phase “${currentPhase}”, ${stateInWords(release)}:`}
        </p>
        <ol class="note2-phases">
          {phasesInWords(phases).map((words, index) => (
            <li key={phases[index]?.id} aria-current={index === at ? 'step' : undefined}>
              {`${words}${index === at ? ' now' : ''}`}
            </li>
          ))}
        </ol>
        <p class="small">
          Its rules are locked until the release ends.{' '}
          <a href={`/releases/${id}`}>{`Release by ${releasePipelineID}`}</a>
        </p>
      </div>
      {pause && (
        <Button why={whyNot('write')} onClick={() => setPausing(true)}>
          Pause release …
        </Button>
      )}
      {pause && isPausing && (
        <ActionSheet
          kind={releases}
          entity={release}
          action={pause}
          onClose={() => setPausing(false)}
        />
      )}
    </section>
  );
}
