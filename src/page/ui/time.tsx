import { ago, exactly, isoOf } from '../base/words.ts';

/** Displays "3 hours ago", with the exact time on hover. */
export const Time = ({ at }: { at: number }) => (
  <time dateTime={isoOf(at)} title={exactly(at)}>
    {ago(at)}
  </time>
);
