import type { Problem } from '../problems.ts';
import { Loading } from './loading.tsx';
import { Refusal } from './problem.tsx';

interface UnreadProps {
  problem: Problem | undefined;
  again: () => void;
  /** How many lines stand for it, until it is there. */
  lines?: number;
}

/** In place of what is not read: why it cannot be, or that it is on its way. */
export const Unread = ({ problem, again, lines }: UnreadProps) =>
  problem ? <Refusal problem={problem} onAgain={again} /> : <Loading lines={lines} />;
