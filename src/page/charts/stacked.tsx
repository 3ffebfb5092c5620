import { area, curveStepAfter, type SeriesPoint, stack } from 'd3-shape';
import { useCursor } from './cursor.tsx';
import { hourTicks, linear, spread } from './scale.ts';
import { useWidth } from './use_width.ts';

interface StackedLayer {
  name: string;
  index: number;
}

interface StackedProps {
  label: string;
  layers: StackedLayer[];
  points: { time: number; shares: number[] }[];
  nameOf: (time: number) => string;
  tipName: (time: number) => string;
  height?: number;
}

const margins = { top: 18, right: 96, bottom: 22, left: 44 };

const inPercent = (share: number) => `${Math.round(share)}%`;

/** Shares over time as stacked steps, with a cursor. */
export function Stacked({ label, layers, points, nameOf, tipName, height = 220 }: StackedProps) {
  const { element, width } = useWidth();
  const times = points.map(({ time }) => time);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const right = width - margins.right;
  const bottom = height - margins.bottom;
  const x = linear([first, last], [margins.left, right]);
  const y = linear([0, 100], [bottom, margins.top]);
  const stacked = stack<StackedProps['points'][number], number>()
    .keys(layers.map((_, place) => place))
    .value(({ shares }, place) => shares[place] ?? 0)(points);
  const pathOf = area<SeriesPoint<StackedProps['points'][number]>>()
    .x(({ data }) => x(data.time))
    .y0(([from]) => y(from))
    .y1(([, to]) => y(to))
    .curve(curveStepAfter);
  const latest = points.at(-1)?.shares ?? [];
  const heights = spread(
    stacked.map((layer) => {
      const [from = 0, to = 0] = layer.at(-1) ?? [];
      return y((from + to) / 2);
    }),
    bottom,
  );
  const tipOf = (at: number) => [
    tipName(times[at] ?? 0),
    ...layers.map(({ name }, place) => `${name}: ${inPercent(points[at]?.shares[place] ?? 0)}`),
  ];
  const place = { left: margins.left, right, top: margins.top, bottom };
  const cursor = useCursor({ times, x, ...place, tipOf, label });
  return (
    <div class="graph" ref={element} {...cursor.attributes}>
      <svg class="graph-drawing" width={width} height={height} role="img" aria-label={label}>
        {layers.map(({ name, index }, at) => (
          <path
            key={name}
            class={`layer g${Math.min(index, 5)}`}
            d={pathOf(stacked[at] ?? []) ?? ''}
          />
        ))}
        {[0, 25, 50, 75, 100].map((tick) => (
          <g key={tick}>
            <line class="grid-line" x1={margins.left} x2={right} y1={y(tick)} y2={y(tick)} />
            <text class="tick" x={margins.left - 8} y={y(tick) + 4} text-anchor="end">
              {`${tick}%`}
            </text>
          </g>
        ))}
        {hourTicks(first, last, right - margins.left).map((tick) => (
          <text key={tick} class="tick" x={x(tick)} y={height - 6} text-anchor="middle">
            {nameOf(tick)}
          </text>
        ))}
        {layers.map(({ name }, at) => (
          <text key={name} class="end-text" x={right + 6} y={(heights[at] ?? 0) + 4}>
            {`${name.length > 10 ? `${name.slice(0, 9)}…` : name} ${inPercent(latest[at] ?? 0)}`}
          </text>
        ))}
        {cursor.line}
      </svg>
      {cursor.tip}
    </div>
  );
}
