import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  error?: string;
  children: (attributes: Attributes) => ComponentChildren;
  unseen?: boolean;
  as?: string;
}

export interface Attributes {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': 'true' | undefined;
}

/** A label with its input, hint and error. */
export function Field({ label, hint, error, children, unseen, as }: FieldProps) {
  const id = useId();
  const [hintID, errorID] = [`${id}-hint`, `${id}-error`];
  const described = [hint ? hintID : '', error ? errorID : ''].filter(Boolean).join(' ');
  return (
    <div class={as ? `field field-${as}` : 'field'}>
      <label class={unseen ? 'unseen' : 'field-label'} for={id}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? 'true' : undefined,
      })}
      {hint && (
        <p class="field-hint" id={hintID}>
          {hint}
        </p>
      )}
      {error && (
        <p class="field-error" id={errorID}>
          {error}
        </p>
      )}
    </div>
  );
}
