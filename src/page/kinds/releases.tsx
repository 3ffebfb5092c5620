import { movesFrom, type ReleaseTransitionName } from '../../flags/releases/moves.ts';
import { addressOf } from '../base/history_words.ts';
import type { Release } from '../base/types.ts';
import { endsIn } from '../base/words.ts';
import type { Action, KindPage } from '../entity/kind.ts';
import { filledIn, shortDescription } from '../experiment/settings.tsx';
import { Empty } from '../ui/empty.tsx';
import { Section } from '../ui/section.tsx';
import { lookOf, type Tones, wordsOf } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { doubtsOf, PhaseLine, usePreview } from './release_phases.tsx';

const tones: Tones<Release['status']> = {
  IN_PROGRESS: 'going',
  PAUSED: 'waiting',
  WAITING_FOR_REVIEW: 'waiting',
  COMPLETED: 'done',
  ABORTED: 'bad',
};

const words: Record<ReleaseTransitionName, Pick<Action, 'label' | 'effect' | 'look' | 'inMenu'>> = {
  approve: {
    label: 'Approve',
    effect: 'Starts the phase and applies its rules.',
    look: 'primary',
  },
  pause: { label: 'Pause', effect: 'Keeps the current rules and stops the timer.' },
  unpause: { label: 'Resume', effect: 'Restarts the timer where it stopped.', look: 'primary' },
  skip: { label: 'Next phase', effect: 'Ends the current phase now.' },
  rollout: {
    label: 'Roll out',
    effect: 'Applies the rules of the last phase and completes the release.',
    inMenu: true,
  },
  abort: {
    label: 'Abort',
    effect: 'Ends the release and restores the rules from before it.',
    look: 'danger',
    inMenu: true,
  },
};

const names: ReleaseTransitionName[] = ['approve', 'unpause', 'pause', 'skip', 'rollout', 'abort'];

function startedBy(name: ReleaseTransitionName, { phases, currentPhaseID }: Release) {
  const current = phases.findIndex(({ id }) => id === currentPhaseID);
  if (name === 'rollout') return phases.slice(-1);
  if (name === 'approve') return phases.slice(current, current + 1);
  return name === 'skip' ? phases.slice(current + 1, current + 2) : [];
}

const releaseActions = (release: Release): Action[] =>
  names
    .filter((name) => movesFrom[name].includes(release.status))
    .map((name) => ({
      name,
      ...words[name],
      values: { phaseID: release.currentPhaseID },
      doubts: doubtsOf(startedBy(name, release), !release.gateID),
    }));

/** Returns the gate or dynamic config of a release. */
export const targetOf = ({ gateID, dynamicConfigID }: Release) =>
  gateID ? { kind: 'gate', id: gateID } : { kind: 'dynamic_config', id: dynamicConfigID };

const actionWords: Record<Release['actions'][number]['type'], string> = {
  STARTED: 'started it',
  PAUSED: 'paused it',
  UNPAUSED: 'resumed it',
  APPROVED_FOR: 'approved a phase',
  SKIPPED: 'started the next phase',
  FULL_ROLL_OUT: 'rolled it out',
  ABORTED: 'aborted it',
  CLEANED_UP: 'cleaned it up',
};

const Activity = ({ release }: { release: Release }) => (
  <Section title="Activity">
    {release.actions.length === 0 && <Empty title="None yet." />}
    <ul class="items">
      {release.actions.map(({ type, timeMs, actorName, reason }) => (
        <li key={`${timeMs} ${type}`} class="item">
          <span>
            <strong>{actorName}</strong> {actionWords[type]} <Time at={timeMs} />
          </span>
          {reason && <span class="warned">{reason}</span>}
        </li>
      ))}
    </ul>
  </Section>
);

export const releases: KindPage<Release> = {
  path: 'releases',
  kind: 'release_pipeline_trigger',
  group: 'Flags',
  apiPath: 'release_pipeline_triggers',
  one: 'release',
  many: 'Releases',
  icon: 'rocket',
  about: 'A release takes a gate or dynamic config through the phases of a pipeline.',
  canSearch: false,
  columns: [
    {
      title: 'Phase',
      render: ({ currentPhase, status, currentPhaseEndTime }) =>
        status === 'IN_PROGRESS' ? `${currentPhase}, ${endsIn(currentPhaseEndTime)}` : currentPhase,
    },
    { title: 'Pipeline', render: ({ releasePipelineID }) => releasePipelineID, isExtra: true },
  ],
  filters: [{ name: 'status', label: 'Status', options: wordsOf(Object.keys(tones)) }],
  nameOf: (release) => targetOf(release).id,
  status: ({ status }) => lookOf(tones, status),
  facts: (release) => {
    const { kind, id } = targetOf(release);
    return (
      <span>
        of <a href={addressOf(kind, id)}>{id}</a>
      </span>
    );
  },
  tabs: [
    {
      path: '',
      title: 'Phases',
      View: ({ editing: { stored } }) => (
        <div class="stack">
          <PhaseLine release={stored} />
          <Activity release={stored} />
        </div>
      ),
    },
  ],
  actions: releaseActions,
  creation: {
    fields: [
      {
        property: 'releasePipelineID',
        label: 'Pipeline',
        kind: 'release_pipelines',
        isNeeded: true,
        hint: 'Its first phase starts now, unless it requires review.',
      },
      {
        property: 'gateID',
        label: 'Gate',
        kind: 'gates',
        isNeeded: true,
        or: 'dynamicConfigID',
        hint: 'Choose a gate or a dynamic config.',
      },
      { property: 'dynamicConfigID', label: 'Dynamic config', kind: 'dynamic_configs' },
      shortDescription,
    ],
    body: filledIn,
    usePreview,
  },
};
