import { line } from 'd3-shape';
import { lift } from './format.ts';
import { linear } from './scale.ts';
import type { Counting } from './verdict_sign.ts';

/** The change in percent over days; gaps stay gaps. */
export function Spark({ values, counting }: { values: (number | null)[]; counting: Counting }) {
  const known = values.filter((value) => value !== null);
  const last = known.at(-1);
  if (last === undefined || values.length < 2) return null;
  const end = Math.max(...known.map(Math.abs)) || 1;
  const x = linear([0, values.length - 1], [2, 46]);
  const y = linear([-end, end], [26, 2]);
  const path = line<number | null>(
    (_, index) => x(index),
    (value) => y(value ?? 0),
  ).defined((value) => value !== null)(values);
  return (
    <svg
      class={`spark spark-${counting}`}
      width="50"
      height="28"
      role="img"
      aria-label={`${known.length} days, now ${lift(last)}`}
    >
      <path class="spark-zero" d={`M2 ${y(0)}H46`} />
      <path class="spark-line" d={path ?? ''} />
      <circle class="spark-end" cx={x(values.lastIndexOf(last))} cy={y(last)} r="2.2" />
    </svg>
  );
}
