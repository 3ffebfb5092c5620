import { useWhile } from '../use.ts';

/** Grey lines, for what takes longer than a blink. */
export function Loading({ lines = 6 }: { lines?: number }) {
  const isLate = useWhile(200);
  if (!isLate) return <div class="loading" />;
  return (
    <div class="loading" role="status">
      <span class="unseen">Loading …</span>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} class="loading-line" />
      ))}
    </div>
  );
}
