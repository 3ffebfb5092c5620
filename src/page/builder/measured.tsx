import { NumberInput } from '../recipe/input.tsx';
import { MetricsInput } from '../recipe/metrics_input.tsx';
import { Field } from '../ui/field.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Select } from '../ui/select.tsx';
import { EventRows } from './event_rows.tsx';
import { type Card, type Draft, type How, withCard } from './state.ts';

const cards: Record<Card, { icon: IconName; title: string; about: string }> = {
  events: { icon: 'zap', title: 'Events', about: 'how often' },
  users: { icon: 'people', title: 'Users', about: 'share that did it' },
  number: { icon: 'chart', title: 'Sum or mean', about: 'of a number' },
  ratio: { icon: 'sliders', title: 'Ratio', about: 'one over another' },
  funnel: { icon: 'steps', title: 'Funnel', about: 'steps in order' },
  composite: { icon: 'layers', title: 'Composite', about: 'of other metrics' },
};

const cardNames = ['events', 'users', 'number', 'ratio', 'funnel', 'composite'] as const;

const hows: Record<Card, Partial<Record<How, string>>> = {
  events: { times: 'how often', different: 'how many different values of' },
  users: { did: 'did', back: 'came back and did' },
  number: {
    sum: 'the total',
    mean: 'the mean',
    percentile: 'a percentile',
    max: 'the largest',
    min: 'the smallest',
    first_value: 'the first',
    latest_value: 'the latest',
  },
  ratio: { events: 'events', metrics: 'metrics' },
  funnel: {},
  composite: { composite_sum: 'the sum', composite: 'the composite' },
};

interface PartProps {
  draft: Draft;
  set: (edits: Partial<Draft>) => void;
}

function HowSelect({ draft, set }: PartProps) {
  const options = hows[draft.card];
  return (
    <Select
      aria-label="Measure"
      value={draft.how}
      options={Object.fromEntries(Object.entries(options))}
      onChoose={(next) => {
        const how = Object.keys(options).find((one): one is How => one === next);
        if (how) set({ how });
      }}
    />
  );
}

interface HoleProps {
  label: string;
  value: unknown;
  onChange: (value: unknown) => void;
  unit: string;
}

const Hole = ({ label, value, onChange, unit }: HoleProps) => (
  <Field label={label} unseen>
    {(attributes) => (
      <span class="with-unit hole">
        <NumberInput attributes={attributes} value={value} onChange={onChange} />
        <span class="unit">{unit}</span>
      </span>
    )}
  </Field>
);

function UserSentence({ draft, set }: PartProps) {
  const { how, window, backAfter } = draft;
  if (how === 'back')
    return (
      <>
        any of these events
        <Hole
          label="Days after the first"
          value={backAfter}
          unit="days after their first day."
          onChange={(next) => set({ backAfter: next })}
        />
      </>
    );
  return (
    <>
      any of these events
      <Select
        aria-label="When"
        value={window === 'daily' ? 'daily' : 'max'}
        options={{ max: 'at least once', daily: 'on a day' }}
        onChoose={(next) => set({ window: next === 'daily' ? 'daily' : 'max' })}
      />
    </>
  );
}

function Sentence({ draft, set }: PartProps) {
  const { card, how } = draft;
  const choice = <HowSelect draft={draft} set={set} />;
  if (card === 'events')
    return (
      <p class="sent">
        Per user: {choice}{' '}
        {how === 'different' ? 'these events have.' : 'any of these events happens.'}
      </p>
    );
  if (card === 'users')
    return (
      <p class="sent">
        The share of users who {choice} <UserSentence draft={draft} set={set} />
      </p>
    );
  if (card === 'number')
    return (
      <p class="sent">
        Per user: {choice}
        {how === 'percentile' && (
          <Hole
            label="Percentile"
            value={draft.percentile}
            unit="th of all events,"
            onChange={(percentile) => set({ percentile })}
          />
        )}
        of a number of {how === 'percentile' ? 'this event.' : 'these events.'}
      </p>
    );
  if (card === 'ratio')
    return <p class="sent">One over another, of all users together, from {choice}</p>;
  if (card === 'composite')
    return <p class="sent">Per user: {choice} of these metrics, each counted by user.</p>;
  return (
    <p class="sent">
      Of users who do step 1, the share that finishes <b>all steps</b> within
      <Hole
        label="Days for all steps"
        value={draft.within}
        unit="days; empty: any time."
        onChange={(within) => set({ within })}
      />
    </p>
  );
}

const Components = ({ draft: { components, card }, set }: PartProps) => (
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

const FunnelOptions = ({ draft, set }: PartProps) => (
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
  draft: Draft;
  onDraft: (draft: Draft) => void;
}

/** What a metric measures: a type, a sentence with holes, and the events or metrics. */
export function Measured({ draft, onDraft }: MeasuredProps) {
  const set = (edits: Partial<Draft>) => onDraft({ ...draft, ...edits });
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
      {isOfMetrics ? <Components draft={draft} set={set} /> : <EventRows draft={draft} set={set} />}
      {draft.card === 'funnel' && <FunnelOptions draft={draft} set={set} />}
    </section>
  );
}
