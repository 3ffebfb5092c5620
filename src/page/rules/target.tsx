import {
  type ConditionType,
  conditionTypes,
  nulls,
  numbers,
  times,
  versions,
} from '../../engine/evaluation/condition_table.ts';
import type { Condition } from '../base/types.ts';
import { capital } from '../base/words.ts';
import { NumberInput, TimeInput } from '../entity/edit/input.tsx';
import type { Attributes } from '../ui/field.tsx';
import { Pick } from '../ui/pick.tsx';
import { TextInput } from '../ui/text_input.tsx';
import { Tokens } from '../ui/tokens.tsx';
import { countries, countryOf } from './countries.ts';

/** Returns the properties of a condition type; undefined if the page does not know it. */
export function conditionTypeOf(type: string): ConditionType | undefined {
  const known: Record<string, ConditionType> = conditionTypes;
  return known[type];
}

interface TargetProps {
  condition: Condition;
  attributes: Attributes;
  onChange: (target: Condition['targetValue']) => void;
  onRefuse: (words: string) => void;
}

function formOf(operator: string): 'number' | 'time' | 'text' | undefined {
  if (numbers.includes(operator)) return 'number';
  if (times.includes(operator) || operator === 'on') return 'time';
  return versions.includes(operator) || operator === 'str_matches' ? 'text' : undefined;
}

export function Target(props: TargetProps) {
  const { condition, attributes, onChange } = props;
  const { type, operator = '', targetValue: value } = condition;
  const { names, bare } = conditionTypeOf(type) ?? {};
  if (bare || nulls.includes(operator)) return null;
  const form = formOf(operator);
  const number = (given: unknown) => onChange(typeof given === 'number' ? given : String(given));
  const time = (given: unknown) => onChange(typeof given === 'number' ? given : '');
  if (names === 'gate' || names === 'segment')
    return (
      <Pick
        attributes={attributes}
        kind={`${names}s`}
        value={[value ?? []].flat().join()}
        onChange={onChange}
        placeholder={`${capital(names)} ID`}
      />
    );
  if (form === 'number')
    return <NumberInput attributes={attributes} value={value} onChange={number} />;
  if (form === 'time') return <TimeInput attributes={attributes} value={value} onChange={time} />;
  if (form === 'text')
    return (
      <TextInput
        {...attributes}
        class="input input-code"
        value={[value ?? []].flat().join()}
        placeholder={operator === 'str_matches' ? 'regular expression' : '1.2.3'}
        onText={onChange}
      />
    );
  return <AnyOf {...props} />;
}

/** Numbers of the stored value stay numbers. */
function AnyOf({ condition, attributes, onChange, onRefuse }: TargetProps) {
  const { type, targetValue } = condition;
  const isCountry = type === 'country';
  const known = new Map([targetValue ?? []].flat().map((value) => [String(value), value]));
  return (
    <Tokens
      attributes={attributes}
      values={[...known.keys()]}
      placeholder={isCountry ? 'e.g. DE, then Enter' : 'Value, then Enter'}
      options={isCountry ? countries() : undefined}
      read={isCountry ? countryOf : undefined}
      onRefuse={onRefuse}
      onChange={(values) => onChange(values.map((value) => known.get(value) ?? value))}
    />
  );
}
