import { isObject } from '../../shared/value_types.ts';
import { errorBelow, Fields } from '../recipe/fields.tsx';
import type { Editing } from '../recipe/kind.ts';
import type { DynamicConfig } from '../types.ts';
import { AsTable } from './as_table.tsx';
import { ObjectTable } from './object_table.tsx';
import { ValueSheet } from './value_sheet.tsx';

/** The default value of a dynamic config, as a table of its parameters or as JSON. */
export function ConfigValue({ hint, ...editing }: Editing<DynamicConfig> & { hint: string }) {
  const { stored, value, set, lock, errors = new Map() } = editing;
  const { defaultValue } = value;
  return (
    <AsTable
      fits={isObject(defaultValue)}
      table={
        <ObjectTable
          label="Parameters"
          sheet={ValueSheet}
          head="Default value"
          value={defaultValue}
          stored={stored.defaultValue}
          isLocked={lock !== undefined}
          errorAt={(_, parameter) => errorBelow(`defaultValue.${parameter}`, errors)}
          onChange={(next) => set({ defaultValue: next })}
        />
      }
      json={<Fields {...editing} specs={[{ property: 'defaultValue', as: 'json', hint }]} />}
    />
  );
}
