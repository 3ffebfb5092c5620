import { useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { TextInput } from '../ui/text_input.tsx';
import { typeNamed, type ValueType } from './value_type.ts';
import { valueTypes } from './value_types.ts';

interface NewParameterProps {
  taken: readonly string[];
  onAdd: (name: string, type: ValueType) => void;
}

/** Adds a parameter with a name and a type to every group. */
export function NewParameter({ taken, onAdd }: NewParameterProps) {
  const [name, setName] = useState('');
  const [type, setType] = useState<ValueType>('string');
  const isTaken = taken.includes(name.trim());
  const why = name.trim() === '' ? 'Type a name' : isTaken ? 'This name is in use' : undefined;
  const add = () => {
    if (why) return;
    onAdd(name.trim(), type);
    setName('');
  };
  return (
    <div class="values-new">
      <Field label="New parameter" unseen error={isTaken ? why : undefined}>
        {(attributes) => (
          <TextInput
            {...attributes}
            class="input input-code"
            placeholder="New parameter"
            value={name}
            onText={setName}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.isComposing) return;
              event.preventDefault();
              add();
            }}
          />
        )}
      </Field>
      <Select
        aria-label="Type of the new parameter"
        value={type}
        options={valueTypes}
        onChoose={(next) => setType(typeNamed(next))}
      />
      <Button icon="add" why={why} onClick={add}>
        Parameter
      </Button>
    </div>
  );
}
