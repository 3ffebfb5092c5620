import { intervalInWords, lift } from './format.ts';
import type { Bounds } from './types.ts';
import { type Counting, countingWords } from './verdict_sign.ts';

interface MiniProps {
  value: number | null;
  bounds: Bounds | null;
  counting: Counting;
  confidence: number;
  width?: number;
}

const end = 12;
const height = 18;
const middle = height / 2;
const stub = 16;

const place = (value: number, width: number) =>
  width / 2 + (Math.max(-end, Math.min(end, value)) / end) * (width / 2 - 3);

function miniSentence({ value, bounds, counting, confidence }: MiniProps): string {
  if (value === null) return 'No result to read';
  const interval = bounds
    ? `${confidence}% interval ${intervalInWords(bounds.lower, bounds.upper)}`
    : 'the interval has no bounds';
  return `${lift(value)}, ${interval}, ${countingWords[counting]}`;
}

/** The head of a column of mini intervals. */
export const MiniAxis = ({ width = 150 }: { width?: number }) => (
  <svg class="iv-axis" width={width} height="14" aria-hidden="true">
    {[-10, 0, 10].map((tick) => (
      <text key={tick} class="tick" x={place(tick, width)} y="11" text-anchor="middle">
        {tick === 0 ? '0' : lift(tick).replace('.0', '')}
      </text>
    ))}
  </svg>
);

const MiniArrow = ({ isLeft, width }: { isLeft: boolean; width: number }) => (
  <path class="iv-more" d={isLeft ? `M0 ${middle}l5 -4v8z` : `M${width} ${middle}l-5 -4v8z`} />
);

/** One interval in a line of a list, on the axis that all lines share. */
export function Mini(props: MiniProps) {
  const { value, bounds, counting, width = 150 } = props;
  const x = (at: number) => place(at, width);
  // An interval outside the axis keeps a part that leads to its arrow.
  const left = bounds ? Math.min(x(bounds.lower), width - stub) : 0;
  const right = bounds ? Math.max(x(bounds.upper), stub) : 0;
  return (
    <svg
      class={`iv iv-mini ${value === null ? '' : `iv-${counting}`}`}
      width={width}
      height={height}
      role="img"
      aria-label={miniSentence(props)}
    >
      <line class="iv-zero" x1={x(0)} x2={x(0)} y1="1" y2={height - 1} />
      {value === null && <line class="iv-none" x1="3" x2={width - 3} y1={middle} y2={middle} />}
      {bounds && (
        <>
          <rect
            class="iv-bar"
            x={left}
            y={middle - 3}
            width={Math.max(2, right - left)}
            height="6"
            rx="2"
          />
          {bounds.lower < -end && <MiniArrow isLeft width={width} />}
          {bounds.upper > end && <MiniArrow isLeft={false} width={width} />}
        </>
      )}
      {value !== null && Math.abs(value) <= end && (
        <circle class="iv-dot" cx={x(value)} cy={middle} r="3" />
      )}
    </svg>
  );
}
