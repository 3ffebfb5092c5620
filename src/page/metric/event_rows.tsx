import { useState } from 'preact/hooks';
import { get } from '../base/api.ts';
import { useGet } from '../base/use.ts';
import { Button } from '../ui/button.tsx';
import { Combo } from '../ui/combo.tsx';
import { Field } from '../ui/field.tsx';
import { Remove } from '../ui/remove.tsx';
import { Select } from '../ui/select.tsx';
import { TextInput } from '../ui/text_input.tsx';
import { Criteria } from './criteria.tsx';
import { criteriaInWords } from './criteria_words.ts';
import {
  type DraftEditing,
  type EventRow,
  fewestRows,
  type Measure,
  type MetricDraft,
  measures,
  newRow,
} from './state.ts';

function useEventNames(): string[] {
  const { value } = useGet('names of events', () => get<{ name: string }[]>('/events?limit=100'));
  return [...new Set(value?.data.map(({ name }) => name))].sort();
}

const eventMeasure = (name: string): Measure =>
  (['count', 'count_distinct', 'value', 'metadata'] as const).find((one) => one === name) ??
  'count';

function measuresOf({ card, how }: MetricDraft): Measure[] {
  if (card === 'ratio') return ['count', 'count_distinct', 'value', 'metadata'];
  if (card === 'number' || how === 'different') return ['value', 'metadata'];
  return [];
}

interface EventRowEditorProps {
  row: EventRow;
  label: string;
  names: string[];
  measures: Measure[];
  onChange: (row: EventRow) => void;
  onMove: (() => void) | undefined;
  onRemove: (() => void) | undefined;
}

function EventRowEditor({
  row,
  label,
  names,
  onChange,
  onMove,
  onRemove,
  ...props
}: EventRowEditorProps) {
  const [isOpen, setOpen] = useState(row.criteria.length > 0);
  const { name, measure, key, criteria } = row;
  const set = (edits: Partial<EventRow>) => onChange({ ...row, ...edits });
  const found = names.filter((one) => one !== name && one.includes(name.trim())).slice(0, 8);
  return (
    <li class="step2">
      <span class="step2-name">
        <Field label={label} unseen>
          {(attributes) => (
            <Combo
              attributes={attributes}
              text={name}
              onText={(text) => set({ name: text })}
              onPick={(text) => set({ name: text })}
              suggestions={found.map((value) => ({ value, label: value }))}
              placeholder="Event"
              look="input input-code"
            />
          )}
        </Field>
        {props.measures.length > 0 && (
          <Select
            aria-label={`What counts of ${label}`}
            value={measure}
            options={Object.fromEntries(props.measures.map((one) => [one, measures[one]]))}
            onChoose={(next) => set({ measure: eventMeasure(next) })}
          />
        )}
        {props.measures.length > 0 && measure === 'metadata' && (
          <Field label={`Metadata key of ${label}`} unseen>
            {(attributes) => (
              <TextInput
                {...attributes}
                class="input input-code"
                placeholder="key"
                value={key}
                onText={(text) => set({ key: text })}
              />
            )}
          </Field>
        )}
      </span>
      <button
        type="button"
        class="button button-link step2-where"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span class="unseen">{`Conditions of ${label}: `}</span>
        {criteriaInWords(criteria)}
      </button>
      <span class="step2-moves">
        {onMove && (
          <Button look="icon" icon="arrowDown" label={`Move down ${label}`} onClick={onMove} />
        )}
        {onRemove && <Remove what={label} onRemove={onRemove} />}
      </span>
      {isOpen && (
        <Criteria criteria={criteria} of={label} onChange={(next) => set({ criteria: next })} />
      )}
    </li>
  );
}

const swapped = (rows: EventRow[], index: number): EventRow[] => {
  const [one, other] = [rows[index], rows[index + 1]];
  return one && other ? rows.with(index, other).with(index + 1, one) : rows;
};

export function EventRows({ draft, set }: DraftEditing) {
  const names = useEventNames();
  const { rows, card, how } = draft;
  const isFunnel = card === 'funnel';
  const noun = isFunnel ? 'Step' : 'Event';
  const isFixed = card === 'ratio' || how === 'percentile';
  const labelOf = (index: number) => {
    if (card === 'ratio') return index === 0 ? 'Numerator' : 'Denominator';
    return `${noun} ${index + 1}`;
  };
  const visible = how === 'percentile' ? rows.slice(0, 1) : rows;
  return (
    <>
      <ol class={`steps3${isFunnel ? ' steps3-numbered' : ''}`}>
        {visible.map((row, index) => (
          <EventRowEditor
            key={`${card} ${index} ${rows.length}`}
            row={row}
            label={labelOf(index)}
            names={names}
            measures={measuresOf(draft)}
            onChange={(next) => set({ rows: rows.with(index, next) })}
            onMove={
              isFunnel && index < rows.length - 1
                ? () => set({ rows: swapped(rows, index) })
                : undefined
            }
            onRemove={
              !isFixed && rows.length > fewestRows(draft)
                ? () => set({ rows: rows.toSpliced(index, 1) })
                : undefined
            }
          />
        ))}
      </ol>
      {!isFixed && (
        <Button icon="add" onClick={() => set({ rows: [...rows, newRow(draft)] })}>
          {noun}
        </Button>
      )}
    </>
  );
}
