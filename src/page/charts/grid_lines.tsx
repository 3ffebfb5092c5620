interface GridLinesProps {
  ticks: number[];
  left: number;
  right: number;
  y: (value: number) => number;
  format: (value: number) => string;
}

/** The horizontal lines of a chart, with their values to the left. */
export const GridLines = ({ ticks, left, right, y, format }: GridLinesProps) => (
  <>
    {ticks.map((tick) => (
      <g key={tick}>
        <line
          class={tick === 0 ? 'axis-zero' : 'grid-line'}
          x1={left}
          x2={right}
          y1={y(tick)}
          y2={y(tick)}
        />
        <text class="tick" x={left - 8} y={y(tick) + 4} text-anchor="end">
          {format(tick)}
        </text>
      </g>
    ))}
  </>
);
