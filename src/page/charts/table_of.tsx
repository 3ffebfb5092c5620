import type { ComponentChildren } from 'preact';
import { Scrolled } from '../ui/scrolled.tsx';
import { useStored } from '../use.ts';

export interface TableData {
  heads: string[];
  rows: string[][];
}

interface TableOfProps {
  name: string;
  table: TableData;
  children: ComponentChildren;
}

const Table = ({ name, table: { heads, rows } }: Omit<TableOfProps, 'children'>) => (
  <Scrolled as="section" class="scrolled" aria-label={name}>
    <table class="chart-table">
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([head = '', ...cells], row) => (
          <tr key={row}>
            <th scope="row">{head}</th>
            {cells.map((cell, index) => (
              <td key={heads[index + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Scrolled>
);

/** A chart that can be swapped for a table of the same numbers. The choice is remembered. */
export function TableOf({ name, table, children }: TableOfProps) {
  const [choice, setChoice] = useStored(`table of ${name}`, '');
  const isTable = choice === 'table';
  return (
    <>
      {isTable ? <Table name={name} table={table} /> : children}
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
