import type { Problem } from '../problems.ts';
import { Loading } from './loading.tsx';
import { Refusal } from './problem.tsx';

interface UnreadProps {
  /** What is known of it. */
  value?: unknown;
  problem: Problem | undefined;
  again: () => void;
  /** How many lines stand for it, until it is there. */
  lines?: number;
}

/** In place of what is not read, or above what is known of it: why it cannot be, or that it is on its way. */
export function Unread({ value, problem, again, lines }: UnreadProps) {
  if (problem) return <Refusal problem={problem} onAgain={again} />;
  return value ? null : <Loading lines={lines} />;
}
