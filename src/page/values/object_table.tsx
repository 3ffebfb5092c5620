import type { ValueSheet } from './cell.tsx';
import { ValueTable } from './value_table.tsx';

interface ObjectTableProps {
  label: string;
  head?: string;
  value: Readonly<Record<string, unknown>>;
  stored?: Readonly<Record<string, unknown>> | undefined;
  isLocked?: boolean;
  sheet: ValueSheet;
  errorAt?: (column: number, parameter: string) => string | undefined;
  onChange: (value: Record<string, unknown>) => void;
}

export const ObjectTable = ({
  label,
  head = 'Value',
  value,
  stored,
  ...props
}: ObjectTableProps) => (
  <ValueTable
    {...props}
    label={label}
    columns={[{ id: 'value', name: head, head, values: value, stored }]}
    onChange={([next = {}]) => props.onChange(next)}
  />
);
