import type { Database } from '../store/sql/database.ts';

export interface LoadJob {
  db: Database;
  now: number;
  left(): { trips: number; ms: number };
  chunkSize: number;
}

/** The runtime is bounded by milliseconds too: a statement under way when they end is lost work. */
const minMs = 500;

/** Whether a step of some round trips still fits. */
export function hasRoom({ left }: Pick<LoadJob, 'left'>, trips: number): boolean {
  const rest = left();
  return rest.trips >= trips && rest.ms >= minMs;
}

export const defaultChunkSize = 10_000;
