import { area, line } from 'd3-shape';
import { useId } from 'preact/hooks';
import { useCursor } from './cursor.tsx';
import { dayLabel } from './format.ts';
import { GridLines } from './grid_lines.tsx';
import { dayTicks, linear, spread } from './scale.ts';
import { useWidth } from './use_width.ts';

export interface Point {
  time: number;
  value: number | null;
  lower?: number | null;
  upper?: number | null;
  widerLower?: number | null;
  widerUpper?: number | null;
}

export interface Series {
  name: string;
  index: number;
  points: Point[];
  end?: string;
}

interface LineChartProps {
  label: string;
  series: Series[];
  ticks: number[];
  format: (value: number) => string;
  height?: number;
  until?: number;
  target?: { value: number; words: string };
  marks?: { time: number; words: string }[];
  nameOf?: (time: number) => string;
  tipName?: (time: number) => string;
  xTicks?: number[] | ((first: number, last: number, width: number) => number[]);
  hasWhiskers?: boolean;
  hasEndLabels?: boolean;
}

const margins = { top: 18, right: 16, bottom: 22, left: 44 };

const isKnown = (value: number | null | undefined): value is number =>
  value !== null && value !== undefined;

/** A line with bands for each series over days, with a cursor. */
export function LineChart(props: LineChartProps) {
  const { label, series, ticks, format, height = 220, until, target, marks = [] } = props;
  const { nameOf = dayLabel, tipName = nameOf, hasWhiskers, hasEndLabels } = props;
  const { xTicks = dayTicks } = props;
  const { element, width } = useWidth();
  const clip = useId();
  const times = [...new Set(series.flatMap(({ points }) => points.map(({ time }) => time)))].sort(
    (one, other) => one - other,
  );
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? first;
  const end = Math.max(until ?? last, last);
  const right = width - margins.right - (hasEndLabels ? 64 : 0);
  const bottom = height - margins.bottom;
  const x = linear([first, end], [margins.left, right]);
  const y = linear([ticks[0] ?? 0, ticks.at(-1) ?? 1], [bottom, margins.top]);
  const pathOf = line<Point>(
    ({ time }) => x(time),
    ({ value }) => y(value ?? 0),
  ).defined(({ value }) => isKnown(value));
  const bandOf = (lower: 'lower' | 'widerLower', upper: 'upper' | 'widerUpper') =>
    area<Point>()
      .x(({ time }) => x(time))
      .y0((point) => y(point[lower] ?? 0))
      .y1((point) => y(point[upper] ?? 0))
      .defined((point) => isKnown(point[lower]) && isKnown(point[upper]));
  const isNearEnd = (px: number) => px > (margins.left + right) / 2;
  const tipOf = (at: number) => [
    tipName(times[at] ?? 0),
    ...series.map(({ name, points }) => {
      const point = points.find(({ time }) => time === times[at]);
      return `${name}: ${isKnown(point?.value) ? format(point.value) : 'no data'}${
        isKnown(point?.lower) && isKnown(point.upper)
          ? ` (${format(point.lower)} to ${format(point.upper)})`
          : ''
      }`;
    }),
  ];
  const place = { left: margins.left, right: x(last), top: margins.top, bottom };
  const cursor = useCursor({ times, x, ...place, tipOf, label });
  return (
    <div class="graph" ref={element} {...cursor.attributes}>
      <svg class="graph-drawing" width={width} height={height} role="img" aria-label={label}>
        <clipPath id={clip}>
          <rect
            x={margins.left}
            y={margins.top}
            width={Math.max(right - margins.left, 0)}
            height={bottom - margins.top}
          />
        </clipPath>
        {end > last && (
          <rect
            class="future"
            x={x(last)}
            y={margins.top}
            width={x(end) - x(last)}
            height={bottom - margins.top}
          />
        )}
        <GridLines {...{ ticks, right, y }} left={margins.left} format={format} />
        {(Array.isArray(xTicks) ? xTicks : xTicks(first, end, right - margins.left)).map((tick) => (
          <text
            key={tick}
            class="tick"
            x={x(tick)}
            y={height - 6}
            text-anchor={tick === end && end !== first ? 'end' : 'middle'}
          >
            {nameOf(tick)}
          </text>
        ))}
        {target && (
          <g class="target">
            <line x1={margins.left} x2={right} y1={y(target.value)} y2={y(target.value)} />
            <text x={margins.left + 6} y={y(target.value) - 5}>
              {target.words}
            </text>
          </g>
        )}
        {marks.map(({ time, words }) => (
          <g key={time} class="event">
            <line x1={x(time)} x2={x(time)} y1={margins.top} y2={bottom} />
            <text
              x={x(time) + (isNearEnd(x(time)) ? -4 : 4)}
              y={margins.top - 6}
              text-anchor={isNearEnd(x(time)) ? 'end' : 'start'}
            >
              {words}
            </text>
          </g>
        ))}
        <g clip-path={`url(#${clip})`}>
          {series.map(({ name, index, points }) => (
            <g key={name} class={`g${Math.min(index, 5)}`}>
              <path class="band band-wider" d={bandOf('widerLower', 'widerUpper')(points) ?? ''} />
              {!hasWhiskers && <path class="band" d={bandOf('lower', 'upper')(points) ?? ''} />}
              {hasWhiskers &&
                points.map(
                  ({ time, lower, upper }) =>
                    isKnown(lower) &&
                    isKnown(upper) && (
                      <path key={time} class="whisker" d={`M${x(time)} ${y(lower)}V${y(upper)}`} />
                    ),
                )}
            </g>
          ))}
        </g>
        {series.map(({ name, index, points }) => (
          <g key={name} class={`g${Math.min(index, 5)}`}>
            {!hasWhiskers && (
              <path class={`ln${index === 0 ? ' dash' : ''}`} d={pathOf(points) ?? ''} />
            )}
            {points
              .filter(({ value }) => isKnown(value) && (hasWhiskers || points.length === 1))
              .map(({ time, value }) => (
                <circle key={time} class="point" cx={x(time)} cy={y(value ?? 0)} r="3" />
              ))}
          </g>
        ))}
        {hasEndLabels && <EndLabels series={series} x={x} y={y} bottom={bottom} />}
        {cursor.line}
        {series.map(({ name, index, points }) => {
          const value = points.find(({ time }) => time === cursor.time)?.value;
          return (
            cursor.time !== undefined &&
            isKnown(value) && (
              <circle
                key={name}
                class={`cursor-point g${Math.min(index, 5)}`}
                cx={x(cursor.time)}
                cy={y(value)}
                r="4"
              />
            )
          );
        })}
      </svg>
      {cursor.tip}
    </div>
  );
}

interface EndLabelsProps {
  series: Series[];
  x: (time: number) => number;
  y: (value: number) => number;
  bottom: number;
}

function EndLabels({ series, x, y, bottom }: EndLabelsProps) {
  const ends = series.flatMap(({ name, points, end = name }) => {
    const last = points.findLast(({ value }) => isKnown(value));
    return last ? [{ name, end, x: x(last.time) + 6, y: y(last.value ?? 0) }] : [];
  });
  const heights = spread(
    ends.map((end) => end.y),
    bottom,
  );
  return (
    <>
      {ends.map(({ name, end, x: left }, index) => (
        <text key={name} class="end-text" x={left} y={(heights[index] ?? 0) + 4}>
          {end.length > 10 ? `${end.slice(0, 9)}…` : end}
        </text>
      ))}
    </>
  );
}
