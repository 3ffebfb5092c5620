import { bisector } from 'd3-array';
import { useId, useState } from 'preact/hooks';

interface CursorProps {
  times: number[];
  x: (time: number) => number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  tipOf(index: number): string[];
  label: string;
  unit?: string;
}

const nearest = bisector((time: number) => time).center;

const cursorMoves = (last: number): Record<string, (at: number) => number> => ({
  ArrowLeft: (at) => Math.max(at - 1, 0),
  ArrowRight: (at) => Math.min(at + 1, last),
  Home: () => 0,
  End: () => last,
});

/** Shows the points at a day under the pointer, or by the arrow keys: one tab stop for the whole chart. */
export function useCursor({
  times,
  x,
  left,
  right,
  top,
  bottom,
  tipOf,
  label,
  unit = 'days',
}: CursorProps) {
  const [at, setAt] = useState<number>();
  const id = useId();
  const last = times.length - 1;
  const time = at === undefined ? undefined : times[at];
  const moves = cursorMoves(last);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && at !== undefined) {
      event.stopPropagation();
      return setAt(undefined);
    }
    const move = moves[event.key];
    if (!move || last < 0) return;
    event.preventDefault();
    setAt(move(at ?? last));
  };
  const onPointerMove = (event: PointerEvent) => {
    if (!(event.currentTarget instanceof Element) || last < 0) return;
    const offset = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const first = times[0] ?? 0;
    const end = times[last] ?? first;
    const target = first + ((offset - left) / Math.max(right - left, 1)) * (end - first);
    setAt(nearest(times, target));
  };
  const lines = at === undefined ? [] : tipOf(at);
  const px = time === undefined ? 0 : x(time);
  const isFlipped = px > (left + right) / 2;
  return {
    time,
    attributes: {
      tabIndex: 0,
      role: 'group' as const,
      'aria-label': `${label}. Arrow keys read the ${unit}.`,
      'aria-describedby': id,
      onKeyDown,
      onPointerMove,
      onPointerLeave: () => setAt(undefined),
      onBlur: () => setAt(undefined),
    },
    line: time !== undefined && (
      <g class="cursor">
        <line x1={px} x2={px} y1={top} y2={bottom} />
      </g>
    ),
    tip: (
      <div
        class={`tip${isFlipped ? ' tip-left' : ''}`}
        id={id}
        role="status"
        hidden={lines.length === 0}
        ref={(element: HTMLElement | null) => {
          element?.style.setProperty('--at', `${px}px`);
        }}
      >
        {lines.map((text) => (
          <span key={text}>{text}</span>
        ))}
      </div>
    ),
  };
}
