import type { ComponentChildren } from 'preact';
import { shown } from '../compare.ts';
import { type Attributes, Field } from '../ui/field.tsx';
import { Pick } from '../ui/pick.tsx';
import { Tokens } from '../ui/tokens.tsx';
import { exactly, nameOf } from '../words.ts';
import { faultOfJSON, JSONInput, NumberInput } from './input.tsx';
import type { FieldSpec } from './kind.ts';
import { isMetrics, MetricsInput } from './metrics_input.tsx';

interface OneProps {
  spec: FieldSpec;
  value: unknown;
  onChange: (value: unknown) => void;
  attributes: Attributes;
  first: boolean;
}

export const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const text = (value: unknown) => (value === null || value === undefined ? '' : String(value));

const day = 86_400_000;
const dayText = (value: unknown) =>
  typeof value === 'number' ? new Date(value).toISOString().slice(0, 10) : '';

/** How each sort of property is typed in. */
const inputs: Record<FieldSpec['as'], (props: OneProps) => ComponentChildren> = {
  text: ({ attributes, value, onChange, first, spec }) => (
    <input
      {...attributes}
      class="input"
      autoComplete="off"
      data-first={first}
      placeholder={spec.placeholder}
      value={text(value)}
      onInput={({ currentTarget }) =>
        onChange(
          currentTarget.value === '' && spec.empty !== undefined ? spec.empty : currentTarget.value,
        )
      }
    />
  ),
  code: ({ attributes, value, onChange, first }) => (
    <textarea
      {...attributes}
      class="input input-code input-long"
      rows={Math.min(24, Math.max(6, text(value).split('\n').length))}
      spellcheck={false}
      data-first={first}
      value={text(value)}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  ),
  long: ({ attributes, value, onChange, first }) => (
    <textarea
      {...attributes}
      class="input input-long"
      rows={3}
      data-first={first}
      value={text(value)}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  ),
  number: ({ attributes, value, onChange, first, spec: { unit, scale = 1 } }) => (
    <span class="with-unit">
      <NumberInput
        attributes={attributes}
        value={typeof value === 'number' ? value / scale : value}
        onChange={(typed) => onChange(typeof typed === 'number' ? typed * scale : typed)}
        first={first}
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
  choice: ({ attributes, value, onChange, spec, first }) => (
    <select
      {...attributes}
      class="input select"
      data-first={first}
      value={text(value)}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {Object.entries({
        ...(text(value) in (spec.options ?? {}) ? {} : { [text(value)]: text(value) }),
        ...spec.options,
      }).map(([option, words]) => (
        <option key={option} value={option}>
          {words}
        </option>
      ))}
    </select>
  ),
  scopes: ({ attributes, value, onChange, spec }) => (
    <fieldset class="checks" id={attributes.id}>
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
  tokens: ({ attributes, value, onChange, spec }) => (
    <Tokens
      attributes={attributes}
      values={texts(value)}
      onChange={(values) =>
        onChange(values.length === 0 && spec.empty !== undefined ? spec.empty : values)
      }
      placeholder={spec.placeholder ?? 'none'}
    />
  ),
  picks: ({ attributes, value, onChange, spec }) => (
    <Tokens
      attributes={attributes}
      values={texts(value)}
      onChange={onChange}
      kind={spec.kind ?? ''}
      placeholder={spec.placeholder ?? 'none'}
    />
  ),
  pick: ({ attributes, value, onChange, spec, first }) => (
    <Pick
      attributes={attributes}
      kind={spec.kind ?? ''}
      value={text(value)}
      onChange={(id) => onChange(id === '' && spec.empty !== undefined ? spec.empty : id)}
      first={first}
    />
  ),
  json: (props) => <JSONInput {...props} />,
  value: (props) => <JSONInput {...props} rows={1} />,
  days: ({ attributes, value, onChange }) => (
    <input
      {...attributes}
      class="input input-day"
      type="date"
      value={dayText(value)}
      onInput={({ currentTarget }) =>
        onChange(currentTarget.value === '' ? null : Date.parse(currentTarget.value) + day - 1)
      }
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

const isCode = ({ as }: FieldSpec) => as === 'json' || as === 'code' || as === 'value';

/** A value in a line, as it reads where it cannot be changed. */
function inWords({ as, options, unit, scale = 1 }: FieldSpec, value: unknown): string {
  if (as === 'choice') return options?.[text(value)] ?? shown(value);
  if (as === 'days') return typeof value === 'number' ? exactly(value) : 'never';
  if (isMetrics(value) && value.length > 0) return value.map(({ name }) => name).join(', ');
  const scaled = typeof value === 'number' ? value / scale : value;
  const words = shown(scaled).replace(/^nothing$/, 'none');
  return unit && value !== null ? `${words} ${unit}` : words;
}

/** A value where it cannot be changed. */
function Read({ spec, value }: { spec: FieldSpec; value: unknown }) {
  if (!isCode(spec) || text(value) === '') return <>{inWords(spec, value)}</>;
  return (
    <pre class="code">{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>
  );
}

interface FieldsProps {
  specs: FieldSpec[];
  values: object;
  onChange: (property: string, value: unknown) => void;
  lock?: string | undefined;
  errors?: Map<string, string>;
  /** Whether the first of them takes the focus of its dialog. */
  takesFocus?: boolean;
}

/** What the server, or the text itself, says is wrong with a property. */
function errorOf(spec: FieldSpec, value: unknown, errors: Map<string, string> | undefined) {
  const fault = spec.as === 'json' ? faultOfJSON(value) : undefined;
  if (fault) return fault;
  const found = [...(errors ?? [])].find(
    ([property]) => property === spec.property || property.startsWith(`${spec.property}.`),
  );
  return found?.[1];
}

/** Properties, each under its name: to be typed in, or as text where they cannot be changed. */
export const Fields = ({ specs, values, onChange, lock, errors, takesFocus }: FieldsProps) => (
  <div class="fields">
    {specs.map((spec, index) => {
      const { property, label = nameOf(property), hint } = spec;
      const value: unknown = Reflect.get(values, property);
      if (lock !== undefined)
        return (
          <div key={property} class="fact">
            <p class="fact-name">{label}</p>
            <div class="fact-value">
              <Read spec={spec} value={value} />
            </div>
          </div>
        );
      const given = errorOf(spec, value, errors);
      return (
        <Field key={property} label={label} hint={hint} error={given}>
          {(attributes) =>
            inputs[spec.as]({
              spec,
              value,
              attributes,
              first: Boolean(takesFocus) && index === 0,
              onChange: (next) => onChange(property, next),
            })
          }
        </Field>
      );
    })}
  </div>
);
