import { useEffect, useState } from 'preact/hooks';

/** A placeholder, displayed after 200 ms. */
export function Loading({ lines = 6 }: { lines?: number }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200);
    return () => clearTimeout(timer);
  }, []);
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
