import type { Problem } from '../base/problems.ts';
import { Loading } from './loading.tsx';
import { ProblemNote } from './problem.tsx';

interface ReadStatusProps {
  value?: unknown;
  problem: Problem | undefined;
  again: () => void;
  lines?: number;
}

/** Displays the error or the loading state of a read. */
export function ReadStatus({ value, problem, again, lines }: ReadStatusProps) {
  if (problem) return <ProblemNote problem={problem} onAgain={again} />;
  return value ? null : <Loading lines={lines} />;
}
