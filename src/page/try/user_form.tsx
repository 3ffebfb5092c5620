import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text_input.tsx';
import type { TypedUser } from './user.ts';

const fields: { property: keyof TypedUser; label: string; hint?: string; isHalf?: boolean }[] = [
  { property: 'userID', label: 'User ID' },
  { property: 'email', label: 'Email' },
  { property: 'country', label: 'Country', isHalf: true },
  { property: 'appVersion', label: 'App version', isHalf: true },
  { property: 'environment', label: 'Environment' },
  { property: 'custom', label: 'Custom fields', hint: 'E.g. plan=pro, city=Wien' },
];

interface UserFormProps {
  typed: TypedUser;
  onType: (typed: TypedUser) => void;
  isShort?: boolean;
}

const mostUsed: (keyof TypedUser)[] = ['userID', 'country', 'appVersion'];

/** The form for the user to evaluate. */
export const UserForm = ({ isShort, ...props }: UserFormProps) => {
  const isFirst = ({ property }: (typeof fields)[number]) => mostUsed.includes(property);
  if (!isShort) return <UserFields {...props} shown={fields} />;
  return (
    <div class="stack try-form">
      <UserFields {...props} shown={fields.filter(isFirst)} />
      <details class="try-more">
        <summary>Email, environment, custom fields</summary>
        <UserFields {...props} shown={fields.filter((field) => !isFirst(field))} />
      </details>
    </div>
  );
};

const UserFields = ({ typed, onType, shown }: UserFormProps & { shown: typeof fields }) => (
  <div class="try-fields">
    {shown.map(({ property, label, hint, isHalf }) => (
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
