import { useState } from 'preact/hooks';
import { isEqual } from '../../../base/equal.ts';
import { laidOut, readJSON, readNumber } from '../../base/json_text.ts';
import { isoOf, timeZone } from '../../base/words.ts';
import type { Attributes } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text_input.tsx';

interface InputProps {
  attributes: Attributes;
  value: unknown;
  onChange: (value: unknown) => void;
  className?: string;
  rows?: number;
}

function useTypedText(
  { value, onChange }: InputProps,
  read: (text: string) => unknown,
  write: (value: unknown) => string,
) {
  const [typed, setTyped] = useState<string>();
  const isCurrent = typed !== undefined && isEqual(read(typed), value);
  return {
    text: isCurrent ? typed : write(value),
    onTyped: (text: string) => {
      setTyped(text);
      onChange(read(text));
    },
  };
}

const writeNumber = (value: unknown) =>
  value === undefined || value === null ? '' : String(value);

const readPercent = (text: string) => readNumber(text.replace(/\s*%\s*$/, ''));

/** A number input, which accepts "%" if that is its unit. */
export function NumberInput(props: InputProps & { unit?: string }) {
  const { attributes, className = 'input input-number', unit } = props;
  const { text, onTyped } = useTypedText(
    props,
    unit === '%' ? readPercent : readNumber,
    writeNumber,
  );
  return (
    <TextInput
      {...attributes}
      class={className}
      inputMode="decimal"
      value={text}
      onText={onTyped}
    />
  );
}

/** Returns epoch milliseconds as `YYYY-MM-DDThh:mm` in the browser's zone; empty if invalid. */
export function inputTimeOf(value: unknown): string {
  const time = String(value ?? '') === '' ? Number.NaN : Number(value);
  return isoOf(time - new Date(time).getTimezoneOffset() * 60_000).slice(0, 16);
}

interface ZonedInputProps {
  attributes: Attributes;
  type: 'date' | 'datetime-local';
  value: string;
  onText: (text: string) => void;
}

/** A date or time input with its time zone. */
export const ZonedInput = ({ attributes, onText, ...input }: ZonedInputProps) => {
  const zone = `${attributes.id}-zone`;
  const described = [attributes['aria-describedby'], zone].filter(Boolean).join(' ');
  return (
    <span class="with-unit">
      <TextInput
        {...attributes}
        {...input}
        class="input input-time"
        aria-describedby={described}
        max={input.type === 'date' ? '9999-12-31' : '9999-12-31T23:59'}
        onText={onText}
      />
      <span class="unit" id={zone}>
        {timeZone()}
      </span>
    </span>
  );
};

/** Edits a time as epoch milliseconds; an empty text if cleared. */
export const TimeInput = ({ attributes, value, onChange }: InputProps) => (
  <ZonedInput
    attributes={attributes}
    type="datetime-local"
    value={inputTimeOf(value)}
    onText={(text) => onChange(Date.parse(text) || '')}
  />
);

const writeJSON = (value: unknown) => {
  if (value === undefined) return '';
  const isBare = typeof value === 'string' && readJSON(value) === value;
  return isBare ? value : JSON.stringify(value, null, 2);
};

/** Edits JSON. Text that is not JSON becomes a string. */
export const JSONInput = (props: InputProps) => (
  <LongInput {...props} read={readJSON} write={writeJSON} />
);

const writeText = (value: unknown) => laidOut(String(value ?? ''));

/** Edits text in a monospaced field. */
export const CodeInput = (props: InputProps) => (
  <LongInput {...props} read={String} write={writeText} />
);

interface LongInputProps extends InputProps {
  read: (text: string) => unknown;
  write: (value: unknown) => string;
}

function LongInput(props: LongInputProps) {
  const { attributes, rows = 6, read, write } = props;
  const { text, onTyped } = useTypedText(props, read, write);
  const lines = Math.min(24, Math.max(rows, text.split('\n').length));
  return (
    <textarea
      {...attributes}
      class={`input input-code input-long${rows === 1 ? ' input-line' : ''}`}
      spellcheck={false}
      rows={lines}
      value={text}
      onInput={({ currentTarget }) => onTyped(currentTarget.value)}
    />
  );
}
