import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Seg } from '../ui/seg.tsx';

interface AsTableProps {
  fits: boolean;
  table: ComponentChildren;
  json: ComponentChildren;
}

/** Values as a table with typed cells, or as JSON. */
export function AsTable({ fits, table, json }: AsTableProps) {
  const [view, setView] = useState('table');
  const isTable = fits && view === 'table';
  return (
    <div class="stack">
      <Seg
        label="Edit values as"
        options={{ table: 'Table', json: 'JSON' }}
        value={isTable ? 'table' : 'json'}
        onChoose={setView}
      />
      {isTable ? table : json}
    </div>
  );
}
