import { unfinishedStatuses } from '../../flags/releases/moves.ts';
import { withOwnValues } from '../../flags/releases/values.ts';
import { ruleInWords } from '../base/rule_words.ts';
import type { DynamicConfig, Gate, Release, ReleasePipeline } from '../base/types.ts';
import { isDone, useDebounced, useRead } from '../base/use.ts';
import { endsIn, lasting, moment } from '../base/words.ts';
import type { EntityValues, Preview } from '../entity/kind.ts';
import { returnedBy } from '../entity/review/compare_lists.ts';
import { Note } from '../ui/note.tsx';
import { Section } from '../ui/section.tsx';
import { Stages } from '../ui/stages.tsx';

export type PipelinePhase = ReleasePipeline['phases'][number];

/** Whether no one passes during a phase. */
export const isOffPhase = ({ rules }: Pick<PipelinePhase, 'rules'>) =>
  rules.every(({ passPercentage }) => !passPercentage);

/** Returns a warning for each phase in which no one passes. */
export const doubtsOf = (phases: PipelinePhase[], isConfig = false) =>
  phases
    .filter(isOffPhase)
    .map(
      ({ name }) =>
        `${isConfig ? 'Everyone gets the default value' : 'No one passes'} during phase “${name}”: none of its rules lets anyone pass.`,
    );

const phaseRulesInWords = (rules: PipelinePhase['rules'], none = 'no one') =>
  rules
    .map((rule) => [ruleInWords(rule), ...returnedBy(rule)].filter(Boolean).join(', '))
    .join('; ') || none;

/** Displays the phases of a release and marks the current one. */
export function PhaseLine({ release }: { release: Release }) {
  const { phases, status, currentPhaseID, currentPhaseEndTime } = release;
  const at =
    status === 'COMPLETED' ? phases.length : phases.findIndex(({ id }) => id === currentPhaseID);
  const stages = phases.map(({ name, rules, timeIntervalMs, requiredReview }, index) => {
    const ends =
      index === at && status === 'IN_PROGRESS'
        ? endsIn(currentPhaseEndTime)
        : lasting(timeIntervalMs);
    const review = requiredReview && index > at ? ', after review' : '';
    return { title: name, notes: [phaseRulesInWords(rules), ends + review] };
  });
  return <Stages stages={stages} at={at} />;
}

const pathTo = (kind: string, id: unknown) =>
  id ? `/${kind}/${encodeURIComponent(String(id))}` : '';

/** Previews what each phase of a new release does to its gate or config. */
export function usePreview(values: EntityValues): Preview {
  const late = useDebounced(values, 250);
  const { releasePipelineID, gateID, dynamicConfigID } = late;
  const isConfig = !gateID;
  const pipeline = useRead<ReleasePipeline>(pathTo('release_pipelines', releasePipelineID));
  const released = useRead<Gate | DynamicConfig>(
    isConfig ? pathTo('dynamic_configs', dynamicConfigID) : pathTo('gates', gateID),
  );
  if (late !== values || !isDone(pipeline) || !isDone(released)) return { waits: 'Loading …' };
  if (!pipeline.value || !released.value) return {};
  const { phases } = pipeline.value.data;
  const { rules, status } = released.value.data;
  const none = isConfig ? 'the default value' : 'no one';
  const effects = phases.map((phase, index) => ({
    title: `${index + 1}. ${phase.name}, ${lasting(phase.timeIntervalMs)}${phase.requiredReview ? ', after review' : ''}`,
    words: phaseRulesInWords(isConfig ? withOwnValues(phase.rules, rules) : phase.rules, none),
    isOff: isOffPhase(phase),
  }));
  const before = status === 'Launched' ? 'everyone' : phaseRulesInWords(rules, none);
  const now = { title: 'Now', words: before, isOff: false };
  return {
    doubts: doubtsOf(phases, isConfig),
    shown: (
      <Section title={isConfig ? 'Who gets which value' : 'Who passes'}>
        {status === 'Disabled' && <p class="warned">Disabled: the rules apply when enabled.</p>}
        <ol class="items ahead">
          {[now, ...effects].map(({ title, words, ...phase }) => (
            <li key={title} class="item">
              <span class="item-kind">{title}</span>
              <span class={phase.isOff ? 'warned' : undefined}>{words}</span>
            </li>
          ))}
        </ol>
      </Section>
    ),
  };
}

const waitsIn: Partial<Record<Release['status'], string>> = {
  PAUSED: ', paused',
  WAITING_FOR_REVIEW: ', waiting for review',
};

/** Notes on a dynamic config that it has an unfinished release. */
export function UnderRelease({ of }: { of: { dynamicConfigID: string } }) {
  const query = new URLSearchParams([
    ...Object.entries(of),
    ...unfinishedStatuses.map((status) => ['status', status]),
  ]);
  const [release] = useRead<Release[]>(`/release_pipeline_triggers?${query}`).value?.data ?? [];
  if (!release) return null;
  const { id, releasePipelineID, currentPhase, currentPhaseEndTime, status } = release;
  const state =
    waitsIn[status] ?? `, ${endsIn(currentPhaseEndTime)}, ${moment(currentPhaseEndTime)}`;
  return (
    <Note look="info" title="Under release">
      <p>
        <a href={`/releases/${id}`}>{`Release by ${releasePipelineID}`}</a>
        {`: phase “${currentPhase}”${state}. Each phase replaces the rules.`}
      </p>
    </Note>
  );
}
