import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Remove } from '../ui/remove.tsx';
import { Select } from '../ui/select.tsx';
import { TextInput } from '../ui/text_input.tsx';
import { Tokens } from '../ui/tokens.tsx';
import type { Criterion } from './state.ts';

type Condition = Criterion['condition'];

const conditions: Partial<Record<Condition, string>> = {
  in: 'is one of',
  not_in: 'is none of',
  '>': 'is over',
  '>=': 'is at least',
  '<': 'is under',
  '<=': 'is at most',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'starts with',
  ends_with: 'ends with',
  is_true: 'is true',
  is_false: 'is false',
  non_null: 'is given',
  is_null: 'is missing',
};

const bare: ReadonlySet<string> = new Set(['is_true', 'is_false', 'non_null', 'is_null']);
const single: ReadonlySet<string> = new Set(['>', '>=', '<', '<=']);

const conditionNamed = (name: string) =>
  Object.keys(conditions).find((one): one is Condition => one === name) ?? 'in';

const subjects = { metadata: 'metadata', value: 'the value', user: 'the ID' };

const subjectOf = ({ type = 'value', column = '' }: Criterion) =>
  type === 'value' ? 'value' : column || '…';

const textOf = (criterion: Criterion) => {
  const { condition, values = [] } = criterion;
  return [subjectOf(criterion), conditions[condition] ?? condition, values.join(' or ')]
    .filter(Boolean)
    .join(' ');
};

/** Describes which events count, such as "currency is one of EUR". */
export const criteriaInWords = (criteria: readonly Criterion[]) =>
  criteria.length === 0 ? 'every one' : criteria.map(textOf).join(' and ');

interface OneProps {
  criterion: Criterion;
  of: string;
  onChange: (criterion: Criterion) => void;
  onRemove: () => void;
}

function One({ criterion, of, onChange, onRemove }: OneProps) {
  const { type = 'value', column = '', condition, values = [] } = criterion;
  const set = (edits: Partial<Criterion>) => onChange({ ...criterion, ...edits });
  return (
    <li class="crit">
      <Select
        aria-label={`Part of ${of}`}
        value={type}
        options={subjects}
        onChoose={(next) => {
          if (next === 'value') onChange({ type: 'value', condition, values });
          else set({ type: next === 'user' ? 'user' : 'metadata' });
        }}
      />
      {type !== 'value' && (
        <Field label={type === 'user' ? 'ID type' : 'Metadata key'} unseen>
          {(attributes) => (
            <TextInput
              {...attributes}
              class="input input-code"
              placeholder={type === 'user' ? 'userID' : 'key'}
              value={column}
              onText={(text) => set({ column: text })}
            />
          )}
        </Field>
      )}
      <Select
        aria-label={`Condition of ${of}`}
        value={condition}
        options={conditions}
        onChoose={(next) =>
          set({ condition: conditionNamed(next), ...(bare.has(next) && { values: [] }) })
        }
      />
      {!bare.has(condition) && (
        <Field label="Values" unseen>
          {(attributes) =>
            single.has(condition) ? (
              <TextInput
                {...attributes}
                inputMode="decimal"
                value={values[0] ?? ''}
                onText={(text) => set({ values: text === '' ? [] : [text] })}
              />
            ) : (
              <Tokens
                attributes={attributes}
                values={values}
                placeholder="Value, then Enter"
                onChange={(next) => set({ values: next })}
              />
            )
          }
        </Field>
      )}
      <Remove what={`condition of ${of}`} onRemove={onRemove} />
    </li>
  );
}

interface CriteriaProps {
  criteria: Criterion[];
  of: string;
  onChange: (criteria: Criterion[]) => void;
}

/** Edits the conditions of events; all must hold. */
export const Criteria = ({ criteria, of, onChange }: CriteriaProps) => (
  <div class="crits">
    <ul>
      {criteria.map((criterion, index) => (
        <One
          key={index}
          criterion={criterion}
          of={of}
          onChange={(next) => onChange(criteria.with(index, next))}
          onRemove={() => onChange(criteria.toSpliced(index, 1))}
        />
      ))}
    </ul>
    <Button
      look="link"
      icon="add"
      onClick={() =>
        onChange([...criteria, { type: 'metadata', column: '', condition: 'in', values: [] }])
      }
    >
      Condition
    </Button>
  </div>
);
