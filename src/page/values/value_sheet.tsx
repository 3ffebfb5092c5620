import { useState } from 'preact/hooks';
import { isObject } from '../../base/value_types.ts';
import { errorOf } from '../entity/edit/fields.tsx';
import { JSONInput } from '../entity/edit/input.tsx';
import { Button } from '../ui/button.tsx';
import { Code } from '../ui/code.tsx';
import { Field } from '../ui/field.tsx';
import { Seg } from '../ui/seg.tsx';
import { Sheet } from '../ui/sheet.tsx';
import type { ValueSheetProps } from './cell.tsx';
import { ObjectTable } from './object_table.tsx';

const json = { property: 'value', as: 'json' as const };

/** The sheet of an object or a list, with its fields or as JSON. */
export function ValueSheet({ title, value: before, isLocked, onChange, onClose }: ValueSheetProps) {
  const [value, setValue] = useState(before);
  const [view, setView] = useState(isObject(before) ? 'fields' : 'json');
  const fault = errorOf(json, value);
  const hasFields = view === 'fields' && isObject(value);
  const use = () => {
    if (fault) return;
    onChange(value);
    onClose();
  };
  if (isLocked)
    return (
      <Sheet title={title} onClose={onClose}>
        <Code text={JSON.stringify(value, null, 2)} />
      </Sheet>
    );
  return (
    <Sheet
      title={title}
      onClose={onClose}
      onSubmit={use}
      footer={
        <Button look="primary" type="submit" why={fault && 'The JSON is not valid'}>
          Use
        </Button>
      }
    >
      {isObject(value) && (
        <Seg
          label="Edit as"
          options={{ fields: 'Fields', json: 'JSON' }}
          value={view}
          onChoose={setView}
        />
      )}
      {hasFields ? (
        <ObjectTable label={title} value={value} sheet={ValueSheet} onChange={setValue} />
      ) : (
        <Field label="JSON" error={fault}>
          {(attributes) => <JSONInput attributes={attributes} value={value} onChange={setValue} />}
        </Field>
      )}
    </Sheet>
  );
}
