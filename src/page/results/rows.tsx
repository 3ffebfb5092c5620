import { Scrolled } from '../ui/scrolled.tsx';

interface RowsProps {
  heads: string[];
  rows: string[][];
  label: string;
}

/** A small table of texts; the first cell of a row is its head. */
export const Rows = ({ heads, rows, label }: RowsProps) => (
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
        {rows.map(([head = '', ...cells]) => (
          <tr key={head}>
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
