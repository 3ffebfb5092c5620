import type * as z from 'zod';
import { sumOf } from '../../base/numbers.ts';
import type { gateChecksResponse } from '../../flags/gate_checks/schema.ts';
import { useRead } from '../base/use.ts';

export type GateChecks = z.infer<typeof gateChecksResponse>;

export type Counts = Pick<GateChecks['hours'][number], 'checks' | 'passes' | 'fails'>;

const hourLength = 3_600_000;

export const useChecks = (id: string, days: number) =>
  useRead<GateChecks>(`/gates/${encodeURIComponent(id)}/checks?days=${days}`);

export const totalOf = (counts: readonly Counts[]): Counts => ({
  checks: sumOf(counts.map(({ checks }) => checks)),
  passes: sumOf(counts.map(({ passes }) => passes)),
  fails: sumOf(counts.map(({ fails }) => fails)),
});

export interface ChecksBlock extends Counts {
  time: number;
}

/** Returns the checks in blocks of some hours, from the first hour on. */
export function blocksOf(
  { startTime, hours }: GateChecks,
  days: number,
  size: number,
): ChecksBlock[] {
  const length = size * hourLength;
  const byBlock = Map.groupBy(hours, ({ time }) => Math.floor((time - startTime) / length));
  return Array.from({ length: (days * 24) / size }, (_, index) => ({
    time: startTime + index * length,
    ...totalOf(byBlock.get(index) ?? []),
  }));
}
