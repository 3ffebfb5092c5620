import type { ComponentChildren } from 'preact';
import { useStored } from '../base/use.ts';
import { ChartTable, type TableData } from './rows.tsx';

interface TableOfProps {
  name: string;
  table: TableData;
  children: ComponentChildren;
}

/** A chart that can be swapped for a table of the same numbers. The choice is remembered. */
export function TableOf({ name, table, children }: TableOfProps) {
  const [choice, setChoice] = useStored(`table of ${name}`, '');
  const isTable = choice === 'table';
  return (
    <>
      {isTable ? <ChartTable {...table} label={name} /> : children}
      <button
        class="button button-link table-link"
        type="button"
        aria-pressed={isTable}
        onClick={() => setChoice(isTable ? '' : 'table')}
      >
        Show as table
      </button>
    </>
  );
}
