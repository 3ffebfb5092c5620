import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { typeOfValue } from '../../base/value_types.ts';
import { NumberInput } from '../entity/edit/input.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text_input.tsx';
import { focusIn } from './down.ts';
import { emptyValues } from './empty_values.ts';
import { sizeInWords, type ValueType } from './value_type.ts';

export interface ValueSheetProps {
  title: string;
  value: unknown;
  isLocked: boolean;
  onChange: (value: unknown) => void;
  onClose: () => void;
}

export type ValueSheet = (props: ValueSheetProps) => ComponentChildren;

interface CellProps {
  label: string;
  type: ValueType;
  value: unknown;
  error: string | undefined;
  isLocked: boolean;
  sheet: ValueSheet;
  onChange: (value: unknown) => void;
}

const YesOrNo = ({ label, value, onChange }: CellProps) => (
  <label class="check">
    <input
      type="checkbox"
      aria-label={label}
      checked={value === true}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    <span aria-hidden="true">{value === true ? 'Yes' : 'No'}</span>
  </label>
);

function InSheet({ label, value, isLocked, sheet: Sheet, onChange }: CellProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        class="cell-json"
        aria-label={`${label}: ${sizeInWords(value)}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {typeOfValue(value) === 'null' ? 'null' : sizeInWords(value)}
      </button>
      {isOpen && (
        <Sheet
          title={label}
          value={value}
          isLocked={isLocked}
          onChange={onChange}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function Locked(props: CellProps) {
  const { value } = props;
  if (value === undefined) return <span class="small">not set</span>;
  if (typeof value === 'object' && value !== null) return <InSheet {...props} />;
  if (typeof value === 'boolean') return <>{value ? 'Yes' : 'No'}</>;
  return <span class="cell-text">{value === '' ? <i>empty</i> : String(value)}</span>;
}

/** One value of a parameter, edited by its type. A value that is not set can be set. */
export function Cell(props: CellProps) {
  const { label, type, value, error, isLocked, onChange } = props;
  if (isLocked) return <Locked {...props} />;
  if (value === undefined)
    return (
      <Button
        look="link"
        label={`Set ${label}`}
        onClick={() => {
          const cell = document.activeElement?.closest('td');
          onChange(emptyValues[type]);
          requestAnimationFrame(() => focusIn(cell));
        }}
      >
        Set
      </Button>
    );
  const isText = typeof value === 'string' || typeof value === 'number';
  if (type === 'boolean' && typeof value === 'boolean') return <YesOrNo {...props} />;
  if (!isText) return <InSheet {...props} />;
  return (
    <Field label={label} unseen>
      {(attributes) => {
        const given = { ...attributes, 'aria-invalid': error ? ('true' as const) : undefined };
        return type === 'number' ? (
          <NumberInput attributes={given} value={value} onChange={onChange} />
        ) : (
          <TextInput {...given} value={String(value)} onText={onChange} />
        );
      }}
    </Field>
  );
}
