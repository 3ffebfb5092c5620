import { useCursor } from './cursor.tsx';
import { axisNumber, countOf, dayLabel } from './format.ts';
import { amountTicks, dayTicks, linear } from './scale.ts';
import { useWidth } from './use_width.ts';

export interface Bar {
  time: number;
  /** The stacked parts, such as passed and failed checks. */
  parts: number[];
}

interface BarsProps {
  label: string;
  bars: Bar[];
  /** The name and CSS class of each part. */
  parts: { name: string; look: string }[];
  height?: number;
  nameOf?: (time: number) => string;
}

const margins = { top: 10, right: 12, bottom: 22, left: 44 };

const sum = (parts: number[]) => parts.reduce((all, part) => all + part, 0);

/** Counts over time as stacked bars. */
export function Bars({ label, bars, parts, height = 150, nameOf = dayLabel }: BarsProps) {
  const { element, width } = useWidth();
  const times = bars.map(({ time }) => time);
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? first;
  const right = width - margins.right;
  const bottom = height - margins.bottom;
  const ticks = amountTicks(Math.max(0, ...bars.map((bar) => sum(bar.parts))));
  const top = Math.max(ticks.at(-1) ?? 1, ...bars.map((bar) => sum(bar.parts)));
  const size = Math.max(2, (right - margins.left) / Math.max(bars.length, 1) - 1);
  const x = linear([first, last], [margins.left + size / 2, right - size / 2]);
  const y = linear([0, top], [bottom, margins.top]);
  const tipOf = (at: number) => [
    nameOf(times[at] ?? 0),
    ...parts.map(({ name }, part) => `${name}: ${countOf(bars[at]?.parts[part] ?? 0)}`),
  ];
  const place = { left: margins.left, right, top: margins.top, bottom };
  const cursor = useCursor({ times, x, ...place, tipOf, label });
  return (
    <div class="graph" ref={element} {...cursor.attributes}>
      <svg class="graph-drawing" width={width} height={height} role="img" aria-label={label}>
        {ticks.map((tick) => (
          <g key={tick}>
            <line
              class={tick === 0 ? 'axis-zero' : 'grid-line'}
              x1={margins.left}
              x2={right}
              y1={y(tick)}
              y2={y(tick)}
            />
            <text class="tick" x={margins.left - 8} y={y(tick) + 4} text-anchor="end">
              {axisNumber(tick)}
            </text>
          </g>
        ))}
        {bars.map(({ time, parts: values }) =>
          values.map((value, part) => {
            const from = sum(values.slice(0, part));
            return (
              <rect
                key={parts[part]?.name}
                class={parts[part]?.look}
                x={x(time) - size / 2}
                y={y(from + value)}
                width={size}
                height={Math.max(y(from) - y(from + value), 0)}
              />
            );
          }),
        )}
        {dayTicks(first, last, right - margins.left).map((tick) => (
          <text key={tick} class="tick" x={x(tick)} y={height - 6} text-anchor="middle">
            {nameOf(tick)}
          </text>
        ))}
        {cursor.line}
      </svg>
      {cursor.tip}
    </div>
  );
}
