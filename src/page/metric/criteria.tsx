import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Remove } from '../ui/remove.tsx';
import { Select } from '../ui/select.tsx';
import { TextInput } from '../ui/text_input.tsx';
import { Tokens } from '../ui/tokens.tsx';
import { conditions, isOfServers, senderConditions } from './criteria_words.ts';
import type { Comparison, Criterion } from './state.ts';

const bare: ReadonlySet<string> = new Set(['is_true', 'is_false', 'non_null', 'is_null']);
const single: ReadonlySet<string> = new Set(['>', '>=', '<', '<=']);

const conditionNamed = (name: string) =>
  Object.keys(conditions).find((one): one is Comparison => one === name) ?? 'in';

const subjects = {
  metadata: 'metadata',
  value: 'the value',
  user: 'the ID',
  sender: 'the sender',
};

const senderOptions = { server: 'servers', client: 'clients', management: 'the API' };

const ofServers: Criterion = { type: 'sender', condition: 'in', values: ['server'] };

/** Returns a criterion on another part of events. */
function withSubject(criterion: Criterion, subject: string): Criterion {
  if (subject === 'sender') return { type: 'sender', condition: 'not_in', values: ['client'] };
  const {
    condition,
    column = '',
    values,
  } = criterion.type === 'sender' ? { condition: 'in' as const, values: [] } : criterion;
  if (subject === 'value') return { type: 'value', condition, values };
  return { type: subject === 'user' ? 'user' : 'metadata', column, condition, values };
}

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
        onChoose={(next) => onChange(withSubject(criterion, next))}
      />
      {type !== 'value' && type !== 'sender' && (
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
        options={type === 'sender' ? senderConditions : conditions}
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
                {...(type === 'sender' && { options: senderOptions })}
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
    <label class="check">
      <input
        type="checkbox"
        checked={criteria.some(isOfServers)}
        onChange={({ currentTarget }) =>
          onChange([
            ...criteria.filter((criterion) => !isOfServers(criterion)),
            ...(currentTarget.checked ? [ofServers] : []),
          ])
        }
      />
      Only events sent by servers
    </label>
    <ul>
      {criteria.map((criterion, index) =>
        isOfServers(criterion) ? null : (
          <CriterionEditor
            key={index}
            criterion={criterion}
            of={of}
            onChange={(next) => onChange(criteria.with(index, next))}
            onRemove={() => onChange(criteria.toSpliced(index, 1))}
          />
        ),
      )}
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
