import type { InputHTMLAttributes } from 'preact';

type TextInputProps = InputHTMLAttributes & {
  value: string | undefined;
  onText: (text: string) => void;
};

/** A one-line text input. */
export const TextInput = ({ onText, ...attributes }: TextInputProps) => (
  <input
    class="input"
    autoComplete="off"
    {...attributes}
    onInput={({ currentTarget }) => onText(currentTarget.value)}
  />
);
