import { ago, exactly } from '../words.ts';

/** "3 hours ago", and exactly on hover. */
export const Time = ({ at }: { at: number }) => (
  <time dateTime={new Date(at).toISOString()} title={exactly(at)}>
    {ago(at)}
  </time>
);
