import { MetricsInput } from '../entity/edit/metrics_input.tsx';
import { Field } from '../ui/field.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { EventRows } from './event_rows.tsx';
import { Sentence } from './sentence.tsx';
import { type Card, type DraftEditing, type MetricDraft, withCard } from './state.ts';

const cards: Record<Card, { icon: IconName; title: string; about: string }> = {
  events: { icon: 'zap', title: 'Events', about: 'how often' },
  users: { icon: 'people', title: 'Users', about: 'share that did it' },
  number: { icon: 'chart', title: 'Sum or mean', about: 'of a number' },
  ratio: { icon: 'sliders', title: 'Ratio', about: 'one over another' },
  funnel: { icon: 'steps', title: 'Funnel', about: 'steps in order' },
  composite: { icon: 'layers', title: 'Composite', about: 'of other metrics' },
};

const cardNames = ['events', 'users', 'number', 'ratio', 'funnel', 'composite'] as const;

const ComponentsInput = ({ draft: { components, card }, set }: DraftEditing) => (
  <Field label={card === 'ratio' ? 'Numerator, then denominator' : 'Metrics'}>
    {(attributes) => (
      <MetricsInput
        attributes={attributes}
        value={components}
        onChange={(next) => set({ components: next })}
      />
    )}
  </Field>
);

export const FunnelOptions = ({ draft, set }: DraftEditing) => (
  <p class="build-row">
    <label class="check">
      <input
        type="checkbox"
        checked={draft.isOrdered}
        onChange={({ currentTarget }) => set({ isOrdered: currentTarget.checked })}
      />
      Order matters
    </label>
    <label class="check">
      <input
        type="checkbox"
        checked={draft.startsAtExposure}
        onChange={({ currentTarget }) => set({ startsAtExposure: currentTarget.checked })}
      />
      Start at exposure
    </label>
  </p>
);

interface MeasuredProps {
  draft: MetricDraft;
  onDraft: (draft: MetricDraft) => void;
}

/** The measurement of a metric: a type, a sentence with holes, and the events or metrics. */
export function Measured({ draft, onDraft }: MeasuredProps) {
  const set = (edits: Partial<MetricDraft>) => onDraft({ ...draft, ...edits });
  const isOfMetrics = draft.card === 'composite' || draft.how === 'metrics';
  return (
    <section class="box build-box" aria-labelledby="measured">
      <h2 class="box-title" id="measured">
        What is measured
      </h2>
      <fieldset class="kinds">
        <legend class="unseen">Type</legend>
        {cardNames.map((name) => (
          <button
            key={name}
            type="button"
            class="kind"
            aria-pressed={name === draft.card}
            onClick={() => onDraft(withCard(draft, name))}
          >
            <Icon name={cards[name].icon} />
            <b>{cards[name].title}</b>
            <span class="small">{cards[name].about}</span>
          </button>
        ))}
      </fieldset>
      <Sentence draft={draft} set={set} />
      {isOfMetrics ? (
        <ComponentsInput draft={draft} set={set} />
      ) : (
        <EventRows draft={draft} set={set} />
      )}
      {draft.card === 'funnel' && <FunnelOptions draft={draft} set={set} />}
    </section>
  );
}
