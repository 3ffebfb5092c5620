import { Mini } from '../charts/mini.tsx';
import { Change } from '../charts/sign.tsx';
import type { Standing } from './standing.ts';

/** The change of the first primary metric. */
export const Lift = ({ standing: { lift: value, counting } }: { standing: Standing }) => (
  <Change value={value} counting={counting} />
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
