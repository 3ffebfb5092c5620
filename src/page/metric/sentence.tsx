import { NumberInput } from '../entity/edit/input.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import type { Card, DraftEditing, How } from './state.ts';

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

interface SentenceProps extends DraftEditing {
  isFixed?: boolean | undefined;
}

function HowSelect({ draft, set }: DraftEditing) {
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

function UserSentence({ draft, set, isFixed }: SentenceProps) {
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
  if (isFixed)
    return <>any of these events {window === 'daily' ? 'on a day.' : 'at least once.'}</>;
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

/** A sentence with holes that describes the measurement. */
export function Sentence({ draft, set, isFixed }: SentenceProps) {
  const { card, how } = draft;
  const choice = isFixed ? <b>{hows[card][how]}</b> : <HowSelect draft={draft} set={set} />;
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
        The share of users who {choice} <UserSentence draft={draft} set={set} isFixed={isFixed} />
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
