import { intervalInWords, lift } from './format.ts';
import { linear } from './scale.ts';
import type { Bounds } from './types.ts';
import { type Counting, countingWords } from './verdict_sign.ts';

interface IntervalProps {
  value: number | null;
  fixed: Bounds | null;
  always?: Bounds | null;
  counting: Counting;
  end: number;
  zone?: number | null;
  name: string;
  confidence: number;
  width?: number;
  height?: number;
}

const margin = 8;

const scaleOf = (end: number, width: number) => linear([-end, end], [margin, width - margin]);

/** The head of a column of intervals. */
export function IntervalAxis({ end, width = 206 }: { end: number; width?: number }) {
  const x = scaleOf(end, width);
  const step = end / 2;
  return (
    <svg class="iv-axis" width={width} height="16" aria-hidden="true">
      {[-step, 0, step].map((tick) => (
        <text key={tick} class="tick" x={x(tick)} y="12" text-anchor="middle">
          {tick === 0 ? '0' : lift(tick).replace('.0', '')}
        </text>
      ))}
    </svg>
  );
}

function intervalSentence({ name, value, fixed, always, counting, confidence }: IntervalProps) {
  if (value === null) return `${name}: no result`;
  const parts = [
    `${name}: ${lift(value)}`,
    fixed
      ? `${confidence}% interval ${intervalInWords(fixed.lower, fixed.upper)}`
      : 'the interval has no bounds',
    ...(always ? [`always valid ${intervalInWords(always.lower, always.upper)}`] : []),
    countingWords[counting],
  ];
  return parts.join(', ');
}

interface IntervalArrowProps {
  at: number;
  middle: number;
  isLeft: boolean;
}

const IntervalArrow = ({ at, middle, isLeft }: IntervalArrowProps) => (
  <path class="iv-more" d={`M${at} ${middle}l${isLeft ? 6 : -6} -3.5v7z`} />
);

/** Both intervals of a change in one mark: a bar for the fixed one, a line with caps for the always-valid one. */
export function Interval(props: IntervalProps) {
  const { value, fixed, always, counting, end, zone, width = 206, height = 50 } = props;
  const x = scaleOf(end, width);
  const middle = height / 2;
  const inside = (at: number) => Math.min(Math.max(at, -end), end);
  const outer = always ?? fixed;
  return (
    <svg
      class={`iv iv-${counting}`}
      width={width}
      height={height}
      role="img"
      aria-label={intervalSentence(props)}
    >
      {zone && (
        <rect
          class="iv-zone"
          x={x(inside(-zone))}
          y="0"
          width={x(inside(zone)) - x(inside(-zone))}
          height={height}
        />
      )}
      {[-end / 2, end / 2].map((tick) => (
        <line key={tick} class="iv-tick" x1={x(tick)} x2={x(tick)} y1="0" y2={height} />
      ))}
      <line class="iv-zero" x1={x(0)} x2={x(0)} y1="0" y2={height} />
      {always && (
        <>
          <path
            class="iv-seq"
            d={`M${x(inside(always.lower))} ${middle}H${x(inside(always.upper))}`}
          />
          {[always.lower, always.upper]
            .filter((bound) => Math.abs(bound) <= end)
            .map((bound) => (
              <path key={bound} class="iv-cap" d={`M${x(bound)} ${middle - 4}v8`} />
            ))}
        </>
      )}
      {fixed && (
        <rect
          class="iv-bar"
          x={x(inside(fixed.lower))}
          y={middle - 4}
          width={Math.max(2, x(inside(fixed.upper)) - x(inside(fixed.lower)))}
          height="8"
          rx="2"
        />
      )}
      {outer && outer.lower < -end && <IntervalArrow at={x(-end)} middle={middle} isLeft />}
      {outer && outer.upper > end && <IntervalArrow at={x(end)} middle={middle} isLeft={false} />}
      {value !== null && Math.abs(value) <= end && (
        <circle class="iv-dot" cx={x(value)} cy={middle} r="4" />
      )}
    </svg>
  );
}
