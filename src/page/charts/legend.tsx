export interface LegendEntry {
  name: string;
  index: number;
}

/** The names of the lines of a chart. */
export const Legend = ({ entries }: { entries: LegendEntry[] }) => (
  <ul class="legend">
    {entries.map(({ name, index }) => (
      <li key={name}>
        <svg class="legend-sign" viewBox="0 0 18 10" aria-hidden="true">
          <path class={`ln g${Math.min(index, 5)}`} d="M1 5h16" />
        </svg>
        {name}
      </li>
    ))}
  </ul>
);
