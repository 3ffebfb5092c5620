import { Scrolled } from '../ui/scrolled.tsx';

export interface TableData {
  heads: string[];
  rows: string[][];
}

/** A small table of texts; the first cell of a row is its head. */
export const ChartTable = ({ heads, rows, label }: TableData & { label: string }) => (
  <Scrolled as="section" class="scrolled" aria-label={label}>
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
