import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text_input.tsx';
import type { Typed } from './user.ts';

const fields: { property: keyof Typed; label: string; hint?: string; isHalf?: boolean }[] = [
  { property: 'userID', label: 'User ID' },
  { property: 'email', label: 'Email' },
  { property: 'country', label: 'Country', isHalf: true },
  { property: 'appVersion', label: 'App version', isHalf: true },
  { property: 'environment', label: 'Environment' },
  { property: 'custom', label: 'Custom fields', hint: 'E.g. plan=pro, city=Wien' },
];

interface UserFormProps {
  typed: Typed;
  onType: (typed: Typed) => void;
}

/** The form for the user to evaluate. */
export const UserForm = ({ typed, onType }: UserFormProps) => (
  <div class="try-fields">
    {fields.map(({ property, label, hint, isHalf }) => (
      <div key={property} class={isHalf ? undefined : 'try-whole'}>
        <Field label={label} hint={hint}>
          {(attributes) => (
            <TextInput
              {...attributes}
              spellcheck={false}
              value={typed[property]}
              onText={(text) => onType({ ...typed, [property]: text })}
            />
          )}
        </Field>
      </div>
    ))}
  </div>
);
