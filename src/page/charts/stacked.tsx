import { useCursor } from './cursor.tsx';
import { dayLabel } from './format.ts';
import { dayTicks, linear } from './scale.ts';
import { useWidth } from './use_width.ts';

interface Layer {
  name: string;
  index: number;
  /** A share from 0 to 1 for each time. */
  shares: number[];
}

interface StackedProps {
  label: string;
  times: number[];
  layers: Layer[];
  height?: number;
  nameOf?: (time: number) => string;
}

const margins = { top: 8, right: 12, bottom: 22, left: 44 };

/** Shares over time as stacked steps. */
export function Stacked({ label, times, layers, height = 150, nameOf = dayLabel }: StackedProps) {
  const { element, width } = useWidth();
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? first;
  const right = width - margins.right;
  const bottom = height - margins.bottom;
  const x = linear([first, last], [margins.left, right]);
  const y = linear([0, 1], [bottom, margins.top]);
  const bases = times.map(() => 0);
  const paths = layers.map(({ shares }) => {
    const top: string[] = [];
    const back: string[] = [];
    times.forEach((time, at) => {
      const from = bases[at] ?? 0;
      const to = from + (shares[at] ?? 0);
      const next = times[at + 1] ?? time;
      top.push(`${at === 0 ? 'M' : 'L'}${x(time)},${y(to)}H${x(next)}`);
      back.unshift(`L${x(next)},${y(from)}H${x(time)}`);
      bases[at] = to;
    });
    return `${top.join('')}${back.join('')}Z`;
  });
  const tipOf = (at: number) => [
    nameOf(times[at] ?? 0),
    ...layers.map(({ name, shares }) => `${name}: ${Math.round((shares[at] ?? 0) * 100)}%`),
  ];
  const place = { left: margins.left, right, top: margins.top, bottom };
  const cursor = useCursor({ times, x, ...place, tipOf, label });
  return (
    <div class="graph" ref={element} {...cursor.attributes}>
      <svg class="graph-drawing" width={width} height={height} role="img" aria-label={label}>
        {layers.map(({ name, index }, at) => (
          <path key={name} class={`layer g${Math.min(index, 5)}`} d={paths[at]} />
        ))}
        {[0, 0.5, 1].map((tick) => (
          <text key={tick} class="tick" x={margins.left - 8} y={y(tick) + 4} text-anchor="end">
            {`${tick * 100}%`}
          </text>
        ))}
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
