import { restOf, totalHundred } from '../../engine/evaluation/shares.ts';
import { percent } from '../base/words.ts';

interface BarProps {
  percent: number;
  words: string;
  isOfSome?: boolean;
}

/** Displays a percentage as a bar and in words. */
export function Bar({ percent, words, isOfSome }: BarProps) {
  const length = percent > 0 ? Math.max(3, (percent / 100) * 40) : 0;
  return (
    <span class="bar-line">
      <svg class="bar" viewBox="0 0 40 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class="bar-ground" width="40" height="6" rx="3" />
        {isOfSome ? (
          <line class="bar-some" x2={length} y1="3" y2="3" />
        ) : (
          <rect class="bar-fill" width={length} height="6" rx="3" />
        )}
      </svg>
      <span class="bar-words">{words}</span>
    </span>
  );
}

const colorOf = (index: number) => ({ '--own': `var(--series-${index % 10})` });

/** Displays the color of a part. */
export const Swatch = ({ series }: { series: number }) => (
  <span class="swatch" style={colorOf(series)} />
);

interface BarPart {
  name: string;
  percent: number;
  series?: number;
}

/** Displays the total of shares; with `hasRest` it may be below 100%. */
export function Sum({ shares, hasRest }: { shares: unknown[]; hasRest?: boolean }) {
  const sizes = shares.map((share) => Number(share) || 0);
  const rest = restOf(sizes);
  const isRight = totalHundred(sizes) || (hasRest && rest > 0);
  return (
    <p class={isRight ? 'quiet' : 'warned'} role="status">
      {`Total: ${percent(100 - rest)}`}
      {!isRight && `, must be ${percent(100)}`}
    </p>
  );
}

/** Displays shares as parts of one bar. */
export function Split({ parts, label }: { parts: BarPart[]; label: string }) {
  let end = 0;
  const placed = parts.map((part) => {
    const start = end;
    const size = Math.max(0, part.percent);
    end += size;
    return { ...part, start, size };
  });
  const whole = Math.max(100, end);
  const words = parts.map(({ name, percent }) => `${name} ${percent} %`).join(', ');
  return (
    <svg
      class="split"
      viewBox={`0 0 ${whole} 6`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}: ${words}`}
    >
      <rect class="bar-ground" width={whole} height="6" />
      {placed.map(({ name, percent, series, start, size }, index) => (
        <rect
          key={index}
          class="split-part"
          style={colorOf(series ?? index)}
          x={start}
          width={Math.max(0, size - (index < parts.length - 1 ? 0.15 : 0))}
          height="6"
        >
          <title>{`${name} ${percent} %`}</title>
        </rect>
      ))}
    </svg>
  );
}
