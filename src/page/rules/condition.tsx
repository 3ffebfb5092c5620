import { conditionTypes } from '../../shared/condition_table.ts';
import type { Condition } from '../types.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Pick } from '../ui/pick.tsx';
import { Target, typeOf } from './target.tsx';
import { conditionNames, operatorName } from './words.ts';

/** A condition of a type, with nothing in it yet. */
export function blank(type: string): Condition {
  const { operators = [] } = typeOf(type) ?? {};
  const [operator] = operators;
  return { type, ...(operator !== undefined && { operator }) };
}

interface ConditionProps {
  condition: Condition;
  index: number;
  error: string | undefined;
  onChange: (condition: Condition) => void;
  onRemove: (() => void) | undefined;
}

const typesByName = Object.entries(conditionNames).filter(([type]) => type in conditionTypes);

/** One condition of a rule. */
export function ConditionRow({ condition, index, error, onChange, onRemove }: ConditionProps) {
  const { type, operator } = condition;
  const { operators = [], needs, names } = typeOf(type) ?? {};
  const nth = `condition ${index + 1}`;
  return (
    <li class="condition">
      <span class="condition-if">{index === 0 ? 'If' : 'and'}</span>
      <div class="condition-fields">
        <select
          class="input select"
          aria-label={`What ${nth} asks for`}
          value={type}
          onChange={({ currentTarget }) => onChange(blank(currentTarget.value))}
        >
          {typesByName.map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
        {needs && (
          <Field label={`${needs === 'field' ? 'Field' : 'Custom ID'} of ${nth}`} unseen>
            {(attributes) =>
              names === 'experiment' ? (
                <Pick
                  attributes={attributes}
                  kind="experiments"
                  value={condition.field ?? ''}
                  placeholder="Name an experiment"
                  onChange={(field) => onChange({ ...condition, field })}
                />
              ) : (
                <input
                  {...attributes}
                  class="input input-code"
                  placeholder={needs === 'field' ? 'its name' : 'name of the ID'}
                  value={condition[needs] ?? ''}
                  onInput={({ currentTarget }) =>
                    onChange({ ...condition, [needs]: currentTarget.value })
                  }
                />
              )
            }
          </Field>
        )}
        {operators.length > 0 && (
          <select
            class="input select"
            aria-label={`How ${nth} compares`}
            value={operator}
            onChange={({ currentTarget }) =>
              onChange({ ...blank(type), ...pickedOf(condition), operator: currentTarget.value })
            }
          >
            {operators.map((name) => (
              <option key={name} value={name}>
                {operatorName(name)}
              </option>
            ))}
          </select>
        )}
        <div class="condition-target">
          <Field label={`Value of ${nth}`} unseen error={error}>
            {(attributes) => (
              <Target
                condition={condition}
                attributes={attributes}
                onChange={(targetValue) => onChange({ ...condition, targetValue })}
              />
            )}
          </Field>
        </div>
      </div>
      {onRemove && <Button look="icon" icon="close" label={`Remove ${nth}`} onClick={onRemove} />}
    </li>
  );
}

/** What of a condition stays when its operator changes. */
const pickedOf = ({ targetValue, field, customID }: Condition) => ({
  ...(targetValue !== undefined && { targetValue }),
  ...(field !== undefined && { field }),
  ...(customID !== undefined && { customID }),
});
