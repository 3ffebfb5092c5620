import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Remove } from '../ui/remove.tsx';
import { Select } from '../ui/select.tsx';
import { TextInput } from '../ui/text_input.tsx';
import { Tokens } from '../ui/tokens.tsx';
import { conditions } from './criteria_words.ts';
import type { Criterion } from './state.ts';

type Condition = Criterion['condition'];

const bare: ReadonlySet<string> = new Set(['is_true', 'is_false', 'non_null', 'is_null']);
const single: ReadonlySet<string> = new Set(['>', '>=', '<', '<=']);

const conditionNamed = (name: string) =>
  Object.keys(conditions).find((one): one is Condition => one === name) ?? 'in';

const subjects = { metadata: 'metadata', value: 'the value', user: 'the ID' };

interface CriterionEditorProps {
  criterion: Criterion;
  of: string;
  onChange: (criterion: Criterion) => void;
  onRemove: () => void;
}

function CriterionEditor({ criterion, of, onChange, onRemove }: CriterionEditorProps) {
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
        <CriterionEditor
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
