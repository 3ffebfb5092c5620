import type { ComponentChildren } from 'preact';
import { NumberInput } from '../entity/edit/input.tsx';
import { Field } from '../ui/field.tsx';

interface SliderProps {
  label: string;
  hint?: ComponentChildren;
  error?: string;
  value: unknown;
  min: number;
  max: number;
  step: number;
  unit: string;
  isLocked: boolean;
  onChange: (value: unknown) => void;
}

/** A number that is dragged or typed. Typed numbers can be outside of the slider. */
export const Slider = ({
  label,
  hint,
  error,
  value,
  unit,
  isLocked,
  onChange,
  ...range
}: SliderProps) => (
  <Field label={label} hint={hint} error={error}>
    {(attributes) => (
      <span class="slide">
        <input
          {...range}
          class="slide-range"
          type="range"
          aria-label={`${label}, slider`}
          disabled={isLocked}
          value={Number(value) || range.min}
          onInput={({ currentTarget }) => onChange(Number(currentTarget.value))}
        />
        {isLocked ? (
          <output id={attributes.id}>{`${value} ${unit}`}</output>
        ) : (
          <span class="with-unit">
            <NumberInput attributes={attributes} unit={unit} value={value} onChange={onChange} />
            <span class="unit">{unit}</span>
          </span>
        )}
      </span>
    )}
  </Field>
);
