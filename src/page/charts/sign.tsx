import { lift } from './format.ts';
import { type Counting, countingWords } from './verdict_sign.ts';

const shapes: Record<Counting, { path: string; look: 'fill' | 'hollow' }> = {
  better: { path: 'M6 2 11 10H1z', look: 'fill' },
  worse: { path: 'M6 10 1 2h10z', look: 'fill' },
  leaning: { path: 'M6 2.6 10.4 9.8H1.6z', look: 'hollow' },
  leaningworse: { path: 'M6 9.4 1.6 2.2h8.8z', look: 'hollow' },
  unclear: { path: 'M6 2.4a3.6 3.6 0 1 0 .01 0', look: 'hollow' },
};

/** The shape of a result, with hidden words: its meaning never depends on color alone. */
export const Sign = ({ counting }: { counting: Counting }) => (
  <>
    <svg class={`dir dir-${counting}`} viewBox="0 0 12 12" aria-hidden="true">
      <path class={shapes[counting].look} d={shapes[counting].path} />
    </svg>
    <span class="unseen">{`${countingWords[counting]}, `}</span>
  </>
);

/** A change in percent, with its sign in shape and color. */
export const Change = ({ value, counting }: { value: number | null; counting: Counting }) =>
  value === null ? (
    <span class="quiet">
      –<span class="unseen"> no result to read</span>
    </span>
  ) : (
    <span class={`sc-lift is-${counting}`}>
      <Sign counting={counting} />
      {lift(value)}
    </span>
  );

export const letterOf = (index: number) => String.fromCharCode(65 + Math.min(index, 25));

interface KeyProps {
  index: number;
  color?: number;
  isBig?: boolean;
}

/** The badge of a group. */
export const Key = ({ index, color = index, isBig }: KeyProps) => (
  <span class={`key g${Math.min(color, 5)}${isBig ? ' key-big' : ''}`}>{letterOf(index)}</span>
);
