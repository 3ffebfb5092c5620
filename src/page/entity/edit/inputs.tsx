import type { ComponentChildren } from 'preact';
import { isObject } from '../../../base/value_types.ts';
import { nameOf } from '../../base/words.ts';
import type { Attributes } from '../../ui/field.tsx';
import { Pick } from '../../ui/pick.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text_input.tsx';
import { Tokens } from '../../ui/tokens.tsx';
import type { FieldSpec } from '../kind.ts';
import { CodeInput, inputTimeOf, JSONInput, NumberInput, TimeInput, ZonedInput } from './input.tsx';
import { isMetrics, MetricsInput } from './metrics_input.tsx';
import { SecretInput } from './secret_input.tsx';

interface OneInputProps {
  spec: FieldSpec;
  value: unknown;
  onChange: (value: unknown) => void;
  attributes: Attributes;
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
/** Returns a value as a text; empty for null and undefined. */
export const text = (value: unknown) =>
  value === null || value === undefined ? '' : String(value);

/** Rounds binary fractions: 4.1 × 60,000 is 246,000. */
const times = (one: number, other: number) => Number((one * other).toPrecision(15));

const orEmpty = (typed: string, { empty = '' }: FieldSpec) => (typed === '' ? empty : typed);

const OneText = ({ attributes, value, onChange, spec }: OneInputProps) => (
  <TextInput
    {...attributes}
    placeholder={spec.placeholder}
    value={text(value)}
    onText={(typed) => onChange(orEmpty(typed, spec))}
  />
);

const OnePick = ({ attributes, value, onChange, spec }: OneInputProps) => (
  <Pick
    attributes={attributes}
    kind={spec.kind}
    names={spec.names}
    value={text(value)}
    onChange={(picked) => onChange(orEmpty(picked, spec))}
    placeholder={spec.placeholder ?? (spec.kind && 'none')}
  />
);

export const inputs: Record<
  NonNullable<FieldSpec['as']>,
  (props: OneInputProps) => ComponentChildren
> = {
  text: (props) =>
    props.spec.kind || props.spec.names ? <OnePick {...props} /> : <OneText {...props} />,
  code: CodeInput,
  long: ({ attributes, value, onChange, spec }) => (
    <textarea
      {...attributes}
      class="input input-long"
      rows={3}
      value={text(value)}
      onInput={({ currentTarget }) => onChange(orEmpty(currentTarget.value, spec))}
    />
  ),
  number: ({ attributes, value, onChange, spec: { unit, scale = 1 } }) => (
    <span class="with-unit">
      <NumberInput
        attributes={attributes}
        unit={unit}
        value={typeof value === 'number' ? value / scale : value}
        onChange={(typed) => onChange(typeof typed === 'number' ? times(typed, scale) : typed)}
      />
      {unit && <span class="unit">{unit}</span>}
    </span>
  ),
  toggle: ({ attributes, value, onChange }) => (
    <input
      {...attributes}
      class="toggle"
      type="checkbox"
      checked={value === true}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  ),
  choice: ({ attributes, value, onChange, spec }) => (
    <Select
      {...attributes}
      value={text(value)}
      options={{ ...spec.options, [text(value)]: spec.options?.[text(value)] ?? text(value) }}
      onChoose={onChange}
    />
  ),
  scopes: ({ attributes, value, onChange, spec }) => (
    <fieldset class="checks" id={attributes.id} aria-describedby={attributes['aria-describedby']}>
      <legend class="unseen">{spec.label ?? nameOf(spec.property)}</legend>
      {Object.entries(spec.options ?? {}).map(([option, words]) => (
        <label key={option} class="check">
          <input
            type="checkbox"
            checked={texts(value).includes(option)}
            onChange={({ currentTarget }) =>
              onChange(
                currentTarget.checked
                  ? [...texts(value), option]
                  : texts(value).filter((other) => other !== option),
              )
            }
          />
          {words}
        </label>
      ))}
    </fieldset>
  ),
  switches: ({ attributes, value, onChange, spec }) => (
    <fieldset class="checks" id={attributes.id} aria-describedby={attributes['aria-describedby']}>
      <legend class="unseen">{spec.label ?? nameOf(spec.property)}</legend>
      {Object.entries(spec.options ?? {}).map(([option, words]) => (
        <label key={option} class="check">
          <input
            type="checkbox"
            checked={isObject(value) && value[option] === true}
            onChange={({ currentTarget }) =>
              onChange({ ...(isObject(value) && value), [option]: currentTarget.checked })
            }
          />
          {words}
        </label>
      ))}
    </fieldset>
  ),
  tokens: ({ attributes, value, onChange, spec }) => (
    <Tokens
      attributes={attributes}
      values={texts(value)}
      onChange={(values) =>
        onChange(values.length === 0 && spec.empty !== undefined ? spec.empty : values)
      }
      options={spec.options}
      kind={spec.kind}
      names={spec.names}
      placeholder={spec.placeholder ?? 'none'}
    />
  ),
  json: JSONInput,
  value: (props) => <JSONInput {...props} rows={1} />,
  days: ({ attributes, value, onChange }) => (
    <ZonedInput
      attributes={attributes}
      type="date"
      value={inputTimeOf(value).slice(0, 10)}
      onText={(day) => onChange(Date.parse(`${day}T23:59:59.999`) || null)}
    />
  ),
  time: TimeInput,
  secret: ({ attributes, value, onChange, spec: { property, empty } }) => (
    <SecretInput
      attributes={attributes}
      value={text(value)}
      kept={text(empty)}
      isLong={/key$/i.test(property)}
      onChange={onChange}
    />
  ),
  metrics: ({ attributes, value, onChange }) => (
    <MetricsInput
      attributes={attributes}
      value={isMetrics(value) ? value : []}
      onChange={onChange}
    />
  ),
};
