import { Mini } from '../charts/mini.tsx';
import { Change } from '../charts/sign.tsx';
import type { Standing } from './standing.ts';

export const Lift = ({ standing: { lift: value, counting } }: { standing: Standing }) => (
  <Change value={value} counting={counting} />
);

export const MiniOf = ({ standing, width }: { standing: Standing; width?: number }) => (
  <Mini
    value={standing.lift}
    bounds={standing.bounds}
    counting={standing.counting}
    confidence={standing.situation.confidence}
    width={width}
  />
);
