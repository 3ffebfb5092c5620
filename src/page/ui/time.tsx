import { ago, exactly, isoOf } from '../words.ts';

/** "3 hours ago", and exactly on hover. */
export const Time = ({ at }: { at: number }) => (
  <time dateTime={isoOf(at)} title={exactly(at)}>
    {ago(at)}
  </time>
);
