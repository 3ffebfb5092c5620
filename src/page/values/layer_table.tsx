import type { Layer } from '../base/types.ts';
import { errorBelow } from '../entity/edit/fields.tsx';
import { Rows } from '../entity/edit/rows.tsx';
import type { Edited, FieldSpec } from '../entity/kind.ts';
import { Remove } from '../ui/remove.tsx';
import { Scrolled } from '../ui/scrolled.tsx';
import { AsTable } from './as_table.tsx';
import { Cell } from './cell.tsx';
import { downFrom } from './down.ts';
import { emptyValues } from './empty_values.ts';
import { NewParameter } from './new_parameter.tsx';
import { TypeSelect } from './type_select.tsx';
import { ValueSheet } from './value_sheet.tsx';
import { convert, faultOfValue } from './value_type.ts';
import { valueFields, valueTypes } from './value_types.ts';

type LayerParameter = Layer['parameters'][number];

function LayerTable({ value, set, lock, errors = new Map() }: Edited<Layer>) {
  const { parameters } = value;
  const isLocked = lock !== undefined;
  const change = (next: unknown[]) => set({ parameters: next });
  const edit = (index: number, edits: Partial<Record<keyof LayerParameter, unknown>>) =>
    change(parameters.map((one, at) => (at === index ? { ...one, ...edits } : one)));
  return (
    <>
      <Scrolled as="section" class="scrolled" aria-label="Parameters">
        <table class="plan-table values" onKeyDown={downFrom}>
          <thead>
            <tr>
              <th scope="col">Parameter</th>
              <th scope="col">Type</th>
              <th scope="col">Default value</th>
              {!isLocked && (
                <th scope="col">
                  <span class="unseen">Remove</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {parameters.map(({ name, type, defaultValue }, index) => {
              const error =
                faultOfValue(defaultValue, type) ?? errorBelow(`parameters.${index}`, errors);
              return (
                <tr key={`${name} ${index}`}>
                  <th scope="row">
                    <code>{name}</code>
                  </th>
                  <td>
                    <TypeSelect
                      {...{ name, type, isLocked }}
                      onType={(next) =>
                        edit(index, { type: next, defaultValue: convert(defaultValue, next) })
                      }
                    />
                  </td>
                  <td>
                    <Cell
                      {...{ type, error, isLocked }}
                      sheet={ValueSheet}
                      label={`Default value of ${name}`}
                      value={defaultValue}
                      onChange={(next) => edit(index, { defaultValue: next })}
                    />
                    {error && (
                      <p class="field-error" role="alert">
                        {error}
                      </p>
                    )}
                  </td>
                  {!isLocked && (
                    <td>
                      <Remove what={name} onRemove={() => change(parameters.toSpliced(index, 1))} />
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scrolled>
      {parameters.length === 0 && (
        <p class="quiet">None yet. Its experiments have nothing to set.</p>
      )}
      {!isLocked && (
        <NewParameter
          taken={parameters.map(({ name }) => name)}
          onAdd={(name, type) =>
            change([...parameters, { name, type, defaultValue: convert(undefined, type) }])
          }
        />
      )}
    </>
  );
}

const fields: FieldSpec[] = [
  { property: 'name' },
  { property: 'type', as: 'choice', options: valueTypes },
];

export const LayerValues = (editing: Edited<Layer>) => (
  <AsTable
    fits
    table={<LayerTable {...editing} />}
    json={
      <Rows
        {...editing}
        property="parameters"
        noun="parameter"
        none="None yet. Its experiments have nothing to set."
        specs={({ type }) => [...fields, { property: 'defaultValue', as: valueFields[type] }]}
        fresh={() => ({ name: '', type: 'boolean' as const, defaultValue: false })}
        follow={(parameter, changed) =>
          'type' in changed
            ? { ...parameter, defaultValue: emptyValues[parameter.type] }
            : parameter
        }
      />
    }
  />
);
