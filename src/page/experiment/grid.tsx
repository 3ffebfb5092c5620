import type { ComponentChildren } from 'preact';
import type { Group } from '../base/types.ts';
import { Swatch } from '../ui/bar.tsx';
import { Scrolled } from '../ui/scrolled.tsx';

interface GridRowProps {
  head: ComponentChildren;
  groups: Group[];
  cell: (group: Group) => ComponentChildren;
}

export const GridRow = ({ head, groups, cell }: GridRowProps) => (
  <tr>
    <th class="grid-name" scope="row">
      {head}
    </th>
    {groups.map((group) => (
      <td key={group.id} class="grid-cell">
        {cell(group)}
      </td>
    ))}
  </tr>
);

interface GridProps {
  label: string;
  groups: Group[];
  children: ComponentChildren;
}

/** A table with one column per group. */
export const Grid = ({ label, groups, children }: GridProps) => (
  <Scrolled as="section" class="grid-scroll" aria-label={label}>
    <table class="grid">
      <thead>
        <tr>
          <td class="grid-head" />
          {groups.map(({ id, name, disabled }, index) => (
            <th key={id} class="grid-head" scope="col">
              <Swatch series={index} />
              {name}
              {disabled && <span class="warned"> disabled</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </Scrolled>
);
