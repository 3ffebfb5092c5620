import { Fragment } from 'preact';
import { recordOf } from '../../../base/value_types.ts';
import { valueInWords } from '../../base/compare_values.ts';
import { pageOf } from '../../base/history_words.ts';
import { beginsAsJSON, faultOf, laidOut, lossOfNumber } from '../../base/json_text.ts';
import { exactly, nameOf } from '../../base/words.ts';
import { Code } from '../../ui/code.tsx';
import { Field } from '../../ui/field.tsx';
import type { Edited, EntityValues, FieldSpec } from '../kind.ts';
import { inputs, text } from './inputs.tsx';
import { faultOfMetrics, isMetrics } from './metrics_input.tsx';

const isCode = ({ as }: FieldSpec) => as === 'json' || as === 'code' || as === 'value';

function fieldInWords({ as, options, unit, scale = 1 }: FieldSpec, value: unknown): string {
  if (as === 'choice') return options?.[text(value)] ?? valueInWords(value);
  if (as === 'days') return typeof value === 'number' ? exactly(value) : 'never';
  if (isMetrics(value) && value.length > 0) return value.map(({ name }) => name).join(', ');
  const scaled = typeof value === 'number' ? value / scale : value;
  const words = valueInWords(scaled).replace(/^nothing$/, 'none');
  if (!unit || value === null) return words;
  return unit === '%' ? `${words}%` : `${words} ${unit}`;
}

const Links = ({ kind, ids }: { kind: string; ids: unknown[] }) => (
  <>
    {ids.map(text).map((id, index) => (
      <Fragment key={id}>
        {index > 0 && ', '}
        <a href={pageOf({ path: kind }, id)}>{id}</a>
      </Fragment>
    ))}
  </>
);

function ReadOnlyValue({ spec, value }: { spec: FieldSpec; value: unknown }) {
  const named = [value || []].flat();
  if (spec.kind && named.length > 0) return <Links kind={spec.kind} ids={named} />;
  if (!isCode(spec)) return <>{fieldInWords(spec, value)}</>;
  if (['', '[]'].includes(text(value))) return <>none</>;
  return (
    <Code text={typeof value === 'string' ? laidOut(value) : JSON.stringify(value, null, 2)} />
  );
}

/** Returns the errors below a path such as `rules.0.`, with shortened paths. */
export const within = (errors = new Map<string, string>(), place: string): Map<string, string> =>
  new Map(
    [...errors]
      .filter(([property]) => property.startsWith(place))
      .map(([property, message]) => [property.slice(place.length), message]),
  );

function faultIn({ as }: FieldSpec, value: unknown): string | undefined {
  if (as === 'metrics') return faultOfMetrics(value);
  if (typeof value !== 'string') return undefined;
  if (as === 'number') return lossOfNumber(value);
  return as === 'json' && beginsAsJSON(value) ? faultOf(value) : undefined;
}

/** Returns the first error of a property or below it. */
export const errorBelow = (place: string, errors: Map<string, string>) =>
  [...errors].find(([property]) => property === place || property.startsWith(`${place}.`))?.[1];

/** Returns the error of a property, from its text or from the server. */
export function errorOf(spec: FieldSpec, value: unknown, errors = new Map<string, string>()) {
  return faultIn(spec, value) || errorBelow(spec.property, errors);
}

/** Returns a message for the first empty required field; undefined if there are none. */
export function missingField(fields: FieldSpec[], values: EntityValues): string | undefined {
  const isFilled = (property = '') => String(values[property] ?? '').trim() !== '';
  const missing = fields.find((one) => one.isNeeded && ![one.property, one.or].some(isFilled));
  return missing && `${missing.label ?? nameOf(missing.property)} is required`;
}

/** Displays properties as inputs, or as text if locked. */
export const Fields = ({
  specs,
  value: values,
  set,
  lock,
  errors,
}: Edited<object> & { specs: FieldSpec[] }) => (
  <div class="fields">
    {specs.map((spec) => {
      const { property, as = 'text', label = nameOf(property), hint } = spec;
      const value = recordOf(values)[property];
      if (lock !== undefined)
        return (
          <div key={property} class="fact">
            <p class="fact-name">{label}</p>
            <div>
              <ReadOnlyValue spec={spec} value={value} />
            </div>
          </div>
        );
      const given = errorOf(spec, value, errors);
      return (
        <Field key={property} label={label} hint={hint} error={given} as={as}>
          {(attributes) =>
            inputs[as]({
              spec,
              value,
              attributes,
              onChange: (next) => set({ [property]: next }),
            })
          }
        </Field>
      );
    })}
  </div>
);
