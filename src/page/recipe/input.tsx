import { dequal } from 'dequal/lite';
import { useState } from 'preact/hooks';
import type { Attributes } from '../ui/field.tsx';

interface InputProps {
  attributes: Attributes;
  value: unknown;
  onChange: (value: unknown) => void;
  look?: string;
  rows?: number;
  first?: boolean;
  placeholder?: string | undefined;
}

/** What stands in a field: what was typed, for as long as it means what the value is. */
function useTyped(
  value: unknown,
  read: (text: string) => unknown,
  write: (value: unknown) => string,
) {
  const [typed, setTyped] = useState<{ text: string } | undefined>();
  const isCurrent = typed !== undefined && dequal(read(typed.text), value);
  return {
    text: isCurrent ? typed.text : write(value),
    type: (text: string) => setTyped({ text }),
  };
}

/** A number, or the text that is none: the server says so of it. */
function readNumber(text: string): unknown {
  const plain = text.trim().replace(',', '.');
  return plain !== '' && Number.isFinite(Number(plain)) ? Number(plain) : text;
}

const writeNumber = (value: unknown) =>
  value === undefined || value === null ? '' : String(value);

export function NumberInput({
  attributes,
  value,
  onChange,
  look = 'input input-number',
  first,
}: InputProps) {
  const { text, type } = useTyped(value, readNumber, writeNumber);
  return (
    <input
      {...attributes}
      class={look}
      inputMode="decimal"
      autoComplete="off"
      data-first={first}
      value={text}
      onInput={({ currentTarget }) => {
        type(currentTarget.value);
        onChange(readNumber(currentTarget.value));
      }}
    />
  );
}

/** The text of a time for a field of the browser's, in its own zone. */
function localTime(value: unknown): string {
  const time = Number(value);
  if (!time) return '';
  const date = new Date(time);
  return new Date(time - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** A moment, in epoch milliseconds; an empty text where none is said. */
export const TimeInput = ({ attributes, value, onChange, first }: InputProps) => (
  <input
    {...attributes}
    class="input input-time"
    type="datetime-local"
    data-first={first}
    value={localTime(value)}
    onInput={({ currentTarget }) => onChange(Date.parse(currentTarget.value) || '')}
  />
);

/** JSON, or the text that is none yet: it is kept as it is typed, and the server says what is wrong with it. */
function readJSON(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const writeJSON = (value: unknown) => {
  if (value === undefined) return '';
  const isBare = typeof value === 'string' && readJSON(value) === value;
  return isBare ? value : JSON.stringify(value, null, 2);
};

/** Why a text is no JSON, where it begins like an object or a list. */
export const faultOfJSON = (value: unknown): string | undefined => {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return undefined;
  try {
    JSON.parse(value);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'is no JSON';
  }
};

export function JSONInput({
  attributes,
  value,
  onChange,
  rows = 6,
  first,
  placeholder,
}: InputProps) {
  const { text, type } = useTyped(value, readJSON, writeJSON);
  const lines = Math.min(24, Math.max(rows, text.split('\n').length));
  return (
    <textarea
      {...attributes}
      class={`input input-code input-long${rows === 1 ? ' input-line' : ''}`}
      spellcheck={false}
      rows={lines}
      data-first={first}
      placeholder={placeholder}
      value={text}
      onInput={({ currentTarget }) => {
        type(currentTarget.value);
        onChange(readJSON(currentTarget.value));
      }}
    />
  );
}
