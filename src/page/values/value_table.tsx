import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Remove } from '../ui/remove.tsx';
import { Scrolled } from '../ui/scrolled.tsx';
import { Cell, type ValueSheet } from './cell.tsx';
import { downFrom } from './down.ts';
import { NewParameter } from './new_parameter.tsx';
import { TypeSelect } from './type_select.tsx';
import { convert, faultOfValue, typeOfAll, type ValueType } from './value_type.ts';

export interface ValueColumn {
  id: string;
  name: string;
  head: ComponentChildren;
  values: Readonly<Record<string, unknown>>;
  stored?: Readonly<Record<string, unknown>> | undefined;
}

export type ParameterValues = Record<string, unknown>;

interface ValueTableProps {
  label: string;
  columns: ValueColumn[];
  isLocked?: boolean;
  sheet: ValueSheet;
  errorAt?: (column: number, parameter: string) => string | undefined;
  onChange: (values: ParameterValues[]) => void;
  children?: ComponentChildren;
}

const namesIn = (columns: ValueColumn[]) => [
  ...new Set(columns.flatMap(({ values }) => Object.keys(values))),
];

/** A table with a row a parameter and a column a group, with typed cells. Enter goes down. */
export function ValueTable(props: ValueTableProps) {
  const { label, columns, isLocked = false, sheet, errorAt, onChange, children } = props;
  const [types, setTypes] = useState<Record<string, ValueType>>({});
  const names = namesIn(columns);
  const typeOf = (name: string): ValueType =>
    types[name] ??
    typeOfAll([
      ...columns.map(({ stored }) => stored?.[name]),
      ...columns.map(({ values }) => values[name]),
    ]);
  const all = columns.map(({ values }) => ({ ...values }));
  const setAll = (name: string, next: (value: unknown) => unknown) =>
    onChange(all.map((values) => ({ ...values, [name]: next(values[name]) })));
  const remove = (name: string) => onChange(all.map(({ [name]: _removed, ...others }) => others));
  return (
    <>
      <Scrolled as="section" class="scrolled" aria-label={label}>
        <table class="plan-table values" onKeyDown={downFrom}>
          <thead>
            <tr>
              <th scope="col">Parameter</th>
              <th scope="col">Type</th>
              {columns.map(({ id, head }) => (
                <th key={id} scope="col">
                  {head}
                </th>
              ))}
              {!isLocked && (
                <th scope="col">
                  <span class="unseen">Remove</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {children}
            {names.map((name) => (
              <ParameterRow
                key={name}
                {...{ name, columns, isLocked, sheet, errorAt }}
                type={typeOf(name)}
                onType={(type) => {
                  setTypes({ ...types, [name]: type });
                  setAll(name, (value) => convert(value, type));
                }}
                onValue={(column, value) =>
                  onChange(all.with(column, { ...all[column], [name]: value }))
                }
                onRemove={() => remove(name)}
              />
            ))}
          </tbody>
        </table>
      </Scrolled>
      {!isLocked && (
        <NewParameter
          taken={names}
          onAdd={(name, type) => {
            setTypes({ ...types, [name]: type });
            setAll(name, () => convert(undefined, type));
          }}
        />
      )}
    </>
  );
}

interface ParameterRowProps extends Pick<ValueTableProps, 'columns' | 'sheet' | 'errorAt'> {
  name: string;
  type: ValueType;
  isLocked: boolean;
  onType: (type: ValueType) => void;
  onValue: (column: number, value: unknown) => void;
  onRemove: () => void;
}

function ParameterRow({
  name,
  type,
  columns,
  isLocked,
  sheet,
  errorAt,
  onType,
  onValue,
  onRemove,
}: ParameterRowProps) {
  const errors = columns.map(
    ({ values }, index) => faultOfValue(values[name], type) ?? errorAt?.(index, name),
  );
  const found = errors.flatMap((error, index) =>
    error ? [`${columns[index]?.name}: ${error}`] : [],
  );
  return (
    <>
      <tr>
        <th scope="row">
          <code>{name}</code>
        </th>
        <td>
          <TypeSelect {...{ name, type, isLocked, onType }} />
        </td>
        {columns.map((column, index) => (
          <td key={column.id}>
            <Cell
              label={`${name} of ${column.name}`}
              type={type}
              value={column.values[name]}
              error={errors[index]}
              isLocked={isLocked}
              sheet={sheet}
              onChange={(value) => onValue(index, value)}
            />
          </td>
        ))}
        {!isLocked && (
          <td>
            <Remove what={name} onRemove={onRemove} />
          </td>
        )}
      </tr>
      {found.length > 0 && (
        <tr class="values-errors">
          <td colSpan={2} />
          <td colSpan={columns.length + 1} role="alert" class="field-error">
            {found.join(' ')}
          </td>
        </tr>
      )}
    </>
  );
}
