import type { Problem } from '../problems.ts';
import { Loading } from './loading.tsx';
import { Refusal } from './problem.tsx';

interface UnreadProps {
  value?: unknown;
  problem: Problem | undefined;
  again: () => void;
  lines?: number;
}

/** Displays the error or the loading state of a read. */
export function Unread({ value, problem, again, lines }: UnreadProps) {
  if (problem) return <Refusal problem={problem} onAgain={again} />;
  return value ? null : <Loading lines={lines} />;
}
