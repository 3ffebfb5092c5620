import { linear } from './scale.ts';
import type { Bounds } from './types.ts';

interface AmountIntervalProps {
  value: number | null;
  interval: Bounds | null;
  ends: [number, number];
  label: string;
}

const size = { width: 206, height: 34, margin: 8 };

/** The interval of an amount on an axis of the table. */
export function AmountInterval({ value, interval, ends, label }: AmountIntervalProps) {
  const { width, height, margin } = size;
  const x = linear(ends, [margin, width - margin]);
  const middle = height / 2;
  return (
    <svg class="iv" width={width} height={height} role="img" aria-label={label}>
      <line class="iv-tick" x1={margin} x2={width - margin} y1={middle} y2={middle} />
      {interval && (
        <rect
          class="iv-bar"
          x={x(interval.lower)}
          y={middle - 4}
          width={Math.max(2, x(interval.upper) - x(interval.lower))}
          height="8"
          rx="2"
        />
      )}
      {value !== null && <circle class="iv-dot" cx={x(value)} cy={middle} r="4" />}
    </svg>
  );
}
