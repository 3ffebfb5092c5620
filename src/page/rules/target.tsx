import {
  type ConditionType,
  conditionTypes,
  nulls,
  numbers,
  times,
  versions,
} from '../../shared/condition_table.ts';
import { NumberInput, TimeInput } from '../recipe/input.tsx';
import type { Condition } from '../types.ts';
import type { Attributes } from '../ui/field.tsx';
import { Pick } from '../ui/pick.tsx';
import { Tokens } from '../ui/tokens.tsx';

/** The row of the table that a type of condition has; none where the server knows more than this page. */
export function typeOf(type: string): ConditionType | undefined {
  const known: Record<string, ConditionType> = conditionTypes;
  return known[type];
}

interface TargetProps {
  condition: Condition;
  attributes: Attributes;
  onChange: (target: Condition['targetValue']) => void;
}

/** What a condition compares with, in the field that fits its operator. */
export function Target({ condition, attributes, onChange }: TargetProps) {
  const { type, operator = '', targetValue } = condition;
  const { names, bare } = typeOf(type) ?? {};
  const texts = [targetValue ?? []].flat();
  if (bare || nulls.includes(operator)) return null;
  if (names === 'gate' || names === 'segment')
    return (
      <Pick
        attributes={attributes}
        kind={`${names}s`}
        value={texts.join()}
        onChange={onChange}
        placeholder={`Name a ${names}`}
      />
    );
  if (numbers.includes(operator))
    return (
      <NumberInput
        attributes={attributes}
        value={targetValue}
        onChange={(value) => onChange(typeof value === 'number' ? value : String(value))}
      />
    );
  if (times.includes(operator) || operator === 'on')
    return (
      <TimeInput
        attributes={attributes}
        value={targetValue}
        onChange={(time) => onChange(typeof time === 'number' ? time : '')}
      />
    );
  if (versions.includes(operator) || operator === 'str_matches')
    return (
      <input
        {...attributes}
        class="input input-code"
        value={texts.join()}
        placeholder={operator === 'str_matches' ? 'regular expression' : '1.2.3'}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  return (
    <Tokens
      attributes={attributes}
      values={texts.map(String)}
      placeholder="Values, each ended by Enter"
      // What was a number stays one.
      onChange={(values) =>
        onChange(values.map((value) => texts.find((old) => String(old) === value) ?? value))
      }
    />
  );
}
