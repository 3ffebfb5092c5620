import { lift } from '../charts/format.ts';
import { Mini } from '../charts/mini.tsx';
import { Sign } from '../charts/sign.tsx';
import type { Standing } from './standing.ts';

const colorOf = {
  better: 'is-better',
  worse: 'is-worse',
  leaning: '',
  leaningworse: '',
  unclear: '',
};

/** The change of the first primary metric, with its sign in shape and color. */
export const Lift = ({ standing: { lift: change, counting } }: { standing: Standing }) =>
  change === null ? (
    <span class="quiet">
      –<span class="unseen"> no result to read</span>
    </span>
  ) : (
    <span class={`sc-lift ${colorOf[counting]}`}>
      <Sign counting={counting} />
      {lift(change)}
    </span>
  );

/** The interval of the first primary metric. */
export const MiniOf = ({ standing, width }: { standing: Standing; width?: number }) => (
  <Mini
    value={standing.lift}
    bounds={standing.bounds}
    counting={standing.counting}
    confidence={standing.situation.confidence}
    width={width}
  />
);
