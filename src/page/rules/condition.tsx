import { useState } from 'preact/hooks';
import { conditionNames, operatorName } from '../base/rule_words.ts';
import type { Condition } from '../base/types.ts';
import { Field } from '../ui/field.tsx';
import { Pick } from '../ui/pick.tsx';
import { Remove } from '../ui/remove.tsx';
import { Select } from '../ui/select.tsx';
import { TextInput } from '../ui/text_input.tsx';
import { conditionTypeOf, Target } from './target.tsx';

export function emptyCondition(type: string): Condition {
  const { operators = [] } = conditionTypeOf(type) ?? {};
  const [operator] = operators;
  return { type, ...(operator !== undefined && { operator }) };
}

interface ConditionRowProps {
  condition: Condition;
  index: number;
  error: string | undefined;
  onChange: (condition: Condition) => void;
  onRemove: (() => void) | undefined;
}

export function ConditionRow(props: ConditionRowProps) {
  const { condition, index, error, onChange, onRemove } = props;
  const { needs } = conditionTypeOf(condition.type) ?? {};
  const nth = `condition ${index + 1}`;
  const [refused, setRefused] = useState('');
  const fault = refused && `“${refused}” is not a country. Choose one from the list.`;
  return (
    <li class="condition">
      <span class="condition-if">{index === 0 ? 'If' : 'and'}</span>
      <div class="condition-fields">
        <Select
          aria-label={`Type of ${nth}`}
          value={condition.type}
          options={conditionNames}
          onChoose={(type) => {
            setRefused('');
            onChange(emptyCondition(type));
          }}
        />
        {needs && <Subject {...props} needs={needs} />}
        <Comparison {...props} />
        <div class="condition-target">
          <Field label={`Value of ${nth}`} unseen error={error || fault}>
            {(attributes) => (
              <Target
                condition={condition}
                attributes={attributes}
                onChange={(targetValue) => onChange({ ...condition, targetValue })}
                onRefuse={setRefused}
              />
            )}
          </Field>
        </div>
      </div>
      {onRemove && <Remove what={nth} icon="close" onRemove={onRemove} />}
    </li>
  );
}

function Comparison({ condition, index, onChange }: ConditionRowProps) {
  const { operators = [] } = conditionTypeOf(condition.type) ?? {};
  if (operators.length === 0) return null;
  return (
    <Select
      aria-label={`Operator of condition ${index + 1}`}
      value={condition.operator}
      options={Object.fromEntries(operators.map((name) => [name, operatorName(name)]))}
      onChoose={(operator) => onChange({ ...condition, operator })}
    />
  );
}

type SubjectProps = ConditionRowProps & { needs: 'field' | 'customID' };

const Subject = ({ condition, index, needs, onChange }: SubjectProps) => (
  <Field label={`${needs === 'field' ? 'Field' : 'Custom ID'} of condition ${index + 1}`} unseen>
    {(attributes) =>
      conditionTypeOf(condition.type)?.names === 'experiment' ? (
        <Pick
          attributes={attributes}
          kind="experiments"
          value={condition.field ?? ''}
          placeholder="Experiment ID"
          onChange={(field) => onChange({ ...condition, field })}
        />
      ) : (
        <TextInput
          {...attributes}
          class="input input-code"
          placeholder={needs === 'field' ? 'name' : 'ID type'}
          value={condition[needs] ?? ''}
          onText={(named) => onChange({ ...condition, [needs]: named })}
        />
      )
    }
  </Field>
);
