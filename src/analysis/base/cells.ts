import { type Moments, mergeMoments, noMoments } from '../../engine/statistics/moments.ts';
import type { Percentile } from '../../engine/statistics/percentile.ts';

/** The dimension whose slices are days since the exposure. Only runs of one day have it, and they have no other. */
export const sinceDimension = 'days_since_exposure';

export type SinceExposure = Record<string, (StoredMoments | null)[]>;

export interface StoredMoments extends Partial<Moments> {
  total?: number;
  steps?: number[];
  seconds?: Partial<Moments>;
  percentile?: Percentile;
  dailyTotal?: number;
  skipped?: number;
  since?: SinceExposure;
}

/** The groups that a result compares. */
export interface Pair {
  control: string;
  test: string;
}

export interface Cell {
  dimension: string;
  slice: string;
  group: string;
  moments: Moments;
  largest: { y: number | null; d: number | null };
  skipped: number;
  total?: number;
  steps?: number[];
  seconds?: Moments;
  percentile?: Percentile;
}

export type CellPlace = Pick<Cell, 'dimension' | 'slice' | 'group'>;

export const keyOfCell = ({ dimension, slice, group }: CellPlace): string =>
  JSON.stringify([dimension, slice, group]);

const withoutZeros = (moments: Moments): Partial<Moments> =>
  Object.fromEntries(Object.entries(moments).filter(([, value]) => value !== 0));

export const storedMoments = (cell: Cell): StoredMoments => {
  const { moments, total, steps, seconds, percentile } = cell;
  return {
    ...withoutZeros(moments),
    ...(total && { total }),
    ...(steps && { steps }),
    ...(seconds && { seconds: withoutZeros(seconds) }),
    ...(percentile && { percentile }),
  };
};

export const loadedMoments = ({
  total: _sum,
  steps: _steps,
  seconds: _seconds,
  percentile: _percentile,
  dailyTotal: _total,
  skipped: _skipped,
  since: _since,
  ...moments
}: StoredMoments): Moments => ({ ...noMoments, ...moments });

const sums = (a: number[] = [], b: number[] = []): number[] =>
  a.length >= b.length ? a.map((value, index) => value + (b[index] ?? 0)) : sums(b, a);

export const largerOf = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

function mergeCells(a: Cell, b: Cell): Cell {
  const { dimension, slice, group } = a;
  return {
    ...{ dimension, slice, group },
    moments: mergeMoments(a.moments, b.moments),
    largest: { y: largerOf(a.largest.y, b.largest.y), d: largerOf(a.largest.d, b.largest.d) },
    skipped: a.skipped + b.skipped,
    ...(a.total !== undefined && b.total !== undefined && { total: a.total + b.total }),
    ...((a.steps ?? b.steps) && { steps: sums(a.steps, b.steps) }),
    ...((a.seconds ?? b.seconds) && {
      seconds: mergeMoments(a.seconds ?? noMoments, b.seconds ?? noMoments),
    }),
  };
}

/** Returns the cells of two disjoint sets of units together. */
export function mergeAll(some: readonly Cell[], others: readonly Cell[]): Cell[] {
  const merged = new Map(some.map((cell) => [keyOfCell(cell), cell]));
  for (const cell of others) {
    const known = merged.get(keyOfCell(cell));
    merged.set(keyOfCell(cell), known ? mergeCells(known, cell) : cell);
  }
  return [...merged.values()];
}
