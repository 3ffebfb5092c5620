import { Button } from '../../ui/button.tsx';
import type { Attributes } from '../../ui/field.tsx';

interface SecretInputProps {
  attributes: Attributes;
  value: string;
  kept: string;
  isLong: boolean;
  onChange: (value: string) => void;
}

const placeholderOf = (value: string, kept: string) => {
  if (kept === '') return '';
  return value === kept ? 'unchanged' : 'removed on save';
};

/** Edits a secret, which is never displayed. */
export function SecretInput({ attributes, value, kept, isLong, onChange }: SecretInputProps) {
  const isTyped = value !== kept && value !== '';
  const typed = {
    ...attributes,
    autoComplete: 'new-password',
    spellcheck: false,
    placeholder: placeholderOf(value, kept),
    value: isTyped ? value : '',
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange(currentTarget.value || kept),
  };
  return (
    <>
      {isLong ? (
        <textarea {...typed} class="input input-code input-unseen" rows={1} />
      ) : (
        <input {...typed} class="input" type="password" />
      )}
      {kept !== '' && !isTyped && (
        <Button look="link" onClick={() => onChange(value === kept ? '' : kept)}>
          {value === kept ? 'Remove' : 'Keep'}
        </Button>
      )}
    </>
  );
}
