import { sumOf } from '../../base/numbers.ts';
import { useCursor } from './cursor.tsx';
import { axisNumber } from './format.ts';
import { GridLines } from './grid_lines.tsx';
import { countTicks, linear } from './scale.ts';
import { useWidth } from './use_width.ts';

interface Bar {
  time: number;
  parts: number[];
}

interface BarsProps {
  label: string;
  bars: Bar[];
  classes: string[];
  unit: string;
  nameOf: (time: number) => string;
  tipOf: (index: number) => string[];
  height?: number;
}

const margins = { top: 8, right: 8, bottom: 22, left: 44 };

const nameWidth = 72;

const startsOf = (parts: readonly number[]) =>
  parts.map((_, index) => sumOf(parts.slice(0, index)));

/** Bars of stacked amounts over time, with a cursor. */
export function Bars({ label, bars, classes, unit, nameOf, tipOf, height = 150 }: BarsProps) {
  const { element, width } = useWidth();
  const ticks = countTicks(Math.max(0, ...bars.map(({ parts }) => sumOf(parts))));
  const [right, bottom] = [width - margins.right, height - margins.bottom];
  const y = linear([0, ticks.at(-1) ?? 1], [bottom, margins.top]);
  const step = (right - margins.left) / Math.max(bars.length, 1);
  const times = bars.map(({ time }) => time);
  const [left, end] = [margins.left + step / 2, right - step / 2];
  const x = linear([times[0] ?? 0, times.at(-1) ?? 1], [left, end]);
  const every = Math.max(1, Math.ceil(nameWidth / step));
  const place = { left, right: end, top: margins.top, bottom };
  const cursor = useCursor({ times, x, ...place, tipOf, label, unit });
  const gap = step > 4 ? 1.5 : 0.5;
  return (
    <div class="graph" ref={element} {...cursor.attributes}>
      <svg class="graph-drawing" width={width} height={height} role="img" aria-label={label}>
        <GridLines {...{ ticks, right, y }} left={margins.left} format={axisNumber} />
        {bars.map(({ time, parts }) => {
          const starts = startsOf(parts);
          return parts.map((amount, index) => {
            const start = starts[index] ?? 0;
            const size = y(start) - y(start + amount);
            return (
              size > 0 && (
                <rect
                  key={`${time} ${classes[index]}`}
                  class={`bar2 ${classes[index]}`}
                  x={x(time) - step / 2 + gap}
                  y={y(start + amount)}
                  width={Math.max(step - 2 * gap, 0.5)}
                  height={Math.max(size - (index > 0 ? 1 : 0), 0.5)}
                />
              )
            );
          });
        })}
        {times
          .filter((_, index) => index % every === 0 && index + every / 2 < bars.length)
          .map((time) => (
            <text key={time} class="tick" x={x(time)} y={height - 6} text-anchor="middle">
              {nameOf(time)}
            </text>
          ))}
        {cursor.line}
      </svg>
      {cursor.tip}
    </div>
  );
}
