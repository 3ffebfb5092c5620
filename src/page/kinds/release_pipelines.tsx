import { useRef } from 'preact/hooks';
import { dayLength } from '../../base/time.ts';
import { randomID } from '../base/api.ts';
import { focusOnLast } from '../base/keyboard.ts';
import type { ReleasePipeline } from '../base/types.ts';
import { lasting } from '../base/words.ts';
import { Fields, within } from '../entity/edit/fields.tsx';
import type { Editing, FieldSpec, KindPage } from '../entity/kind.ts';
import { about, name, settings, shortDescription, tags } from '../experiment/settings.tsx';
import { Rules } from '../rules/rules.tsx';
import { Button } from '../ui/button.tsx';
import { Note } from '../ui/note.tsx';
import { Remove } from '../ui/remove.tsx';
import { doubtsOf, isOffPhase, type PipelinePhase } from './release_phases.tsx';

const phaseFields: FieldSpec[] = [
  { property: 'name' },
  {
    property: 'timeIntervalMs',
    label: 'Lasts',
    as: 'number',
    unit: 'minutes',
    scale: 60_000,
    hint: '1,440 minutes are one day.',
  },
  { property: 'requiredReview', label: 'Requires review before it starts', as: 'toggle' },
];

const firstRule = {
  name: 'A share of everyone',
  passPercentage: 10,
  conditions: [{ type: 'public' }],
  environments: null,
};

const freshPhase = (phases: PipelinePhase[]): PipelinePhase => ({
  id: randomID(),
  name: `Phase ${phases.length + 1}`,
  timeIntervalMs: 3_600_000,
  requiredReview: false,
  rules: phases.at(-1)?.rules ?? [firstRule],
});

function Phases({ editing }: { editing: Editing<ReleasePipeline> }) {
  const { value, lock, set } = editing;
  const { phases } = value;
  const list = useRef<HTMLOListElement>(null);
  const add = () => {
    set({ phases: [...phases, freshPhase(phases)] });
    focusOnLast(list.current);
  };
  return (
    <div class="rows">
      <ol class="rows-list" ref={list}>
        {phases.map((phase, index) => (
          <PhaseCard
            key={phase.id}
            phase={phase}
            index={index}
            editing={editing}
            onChange={(next) => set({ phases: phases.with(index, next) })}
            onRemove={() => set({ phases: phases.toSpliced(index, 1) })}
          />
        ))}
      </ol>
      {lock === undefined && (
        <Button icon="add" onClick={add}>
          Add a phase
        </Button>
      )}
    </div>
  );
}

interface PhaseCardProps {
  phase: PipelinePhase;
  index: number;
  editing: Editing<ReleasePipeline>;
  onChange: (phase: PipelinePhase) => void;
  onRemove: () => void;
}

const PhaseCard = ({ phase, index, editing, onChange, onRemove }: PhaseCardProps) => {
  const { value, lock, errors } = editing;
  const place = `phases.${index}.`;
  return (
    <li class="card">
      <div class="card-head">
        <h2 class="card-title">{`${index + 1}. ${phase.name}, ${lasting(phase.timeIntervalMs)}`}</h2>
        {lock === undefined && value.phases.length > 1 && (
          <Remove what={`phase ${index + 1}`} onRemove={onRemove} />
        )}
      </div>
      <Fields
        specs={phaseFields}
        value={phase}
        lock={lock}
        errors={within(errors, place)}
        set={(edits) => onChange(Object.assign({}, phase, edits))}
      />
      {isOffPhase(phase) && (
        <Note look="warn">
          No one passes during this phase. Dynamic configs return their default value.
        </Note>
      )}
      <Rules
        rules={phase.rules}
        lock={lock}
        errors={errors}
        place={`${place}rules`}
        otherwise="off; dynamic configs return their default value"
        whole={(rule) => rule}
        onChange={(rules) => onChange({ ...phase, rules })}
      />
    </li>
  );
};

export const releasePipelines: KindPage<ReleasePipeline> = {
  path: 'release_pipelines',
  kind: 'release_pipeline',
  inHistory: 'release pipeline',
  group: 'Releases',
  one: 'pipeline',
  many: 'Pipelines',
  icon: 'steps',
  about: 'A pipeline is a sequence of phases, each with its own rules.',
  columns: [
    { title: 'Phases', render: ({ phases }) => phases.map((phase) => phase.name).join(' → ') },
  ],
  tabs: [{ path: '', title: 'Phases', View: Phases }, settings([name, about, tags])],
  creation: {
    fields: [name, shortDescription],
    values: { phases: [{ name: 'Phase 1', timeIntervalMs: dayLength, rules: [firstRule] }] },
  },
  doubts: (before, after) =>
    doubtsOf(
      after.phases.filter(
        ({ id }) => !before.phases.some((old) => old.id === id && isOffPhase(old)),
      ),
    ),
};
