import { sumOf } from '../../base/numbers.ts';
import { momentsOf, noMoments } from '../../engine/statistics/moments.ts';
import { clamped } from '../../engine/statistics/winsorization.ts';
import { type Cell, keyOfCell, largerOf, mergeAll } from '../base/cells.ts';
import type { Unit } from '../base/exposures.ts';
import { allUnits, otherSlice, slicesOf } from '../base/exposures.ts';
import type { TaskProgress } from '../base/progress.ts';
import {
  extremesWithValues,
  limitsOf,
  type MomentPart,
  winsorizations,
} from '../base/quantiles.ts';
import type { MetricPlan } from '../plan/plan.ts';
import type { UnitReading } from './reading.ts';

export interface LoadDay {
  units: number;
  dimensions: readonly string[];
  slices: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

export interface Value {
  dimension: string;
  slice: string;
  group: string;
  reading: UnitReading;
}

const parts = ['y', 'd', 'x', 'm'] as const;

const keyOfSlice = ({ dimension, slice }: Pick<Value, 'dimension' | 'slice'>) =>
  JSON.stringify([dimension, slice]);

/** Returns the readings of units once for each of their slices. */
export function slicedValues(
  day: LoadDay,
  read: readonly { unit: Unit; reading: UnitReading }[],
): Value[] {
  return read.flatMap(({ unit: { group, attributes }, reading }) =>
    slicesOf(day.dimensions, attributes).map(({ dimension, slice }) => ({
      dimension,
      slice: dimension === '' || day.slices.get(dimension)?.has(slice) ? slice : otherSlice,
      group,
      reading,
    })),
  );
}

/** Units of a slice are among the remainder too if it was rare at first. */
function mostUnits(day: LoadDay, { dimension, slice }: Pick<Value, 'dimension' | 'slice'>): number {
  const slices = day.slices.get(dimension);
  const own = slices?.get(slice);
  if (!slices || own === undefined) return day.units;
  return slice === otherSlice ? own : own + (slices.get(otherSlice) ?? 0);
}

/** Adds a chunk to the values from which the bounds of winsorization follow. */
export function withExtremes(
  progress: TaskProgress,
  plan: MetricPlan,
  values: readonly Value[],
  day: LoadDay,
): TaskProgress {
  const winsorized = winsorizations(plan);
  const extremes = { ...progress.extremes };
  for (const [slice, own] of Map.groupBy(values, keyOfSlice)) {
    const known = { ...extremes[slice] };
    const [first] = own;
    const units = first ? mostUnits(day, first) : 0;
    for (const part of parts) {
      const shares = winsorized[part];
      if (!shares) continue;
      const numbers = own.map(({ reading }) => reading[part] ?? 0);
      known[part] = extremesWithValues(known[part], numbers, shares, units);
    }
    extremes[slice] = known;
  }
  return { ...progress, extremes };
}

/** Replaces the extremes of all units by the bounds that follow from them. */
export function withLimits(progress: TaskProgress, plan: MetricPlan): TaskProgress {
  const winsorized = winsorizations(plan);
  const limits: TaskProgress['limits'] = {};
  for (const [slice, extremes] of Object.entries(progress.extremes)) {
    const own: (typeof limits)[string] = {};
    for (const part of parts) {
      const [shares, known] = [winsorized[part], extremes[part]];
      if (shares && known) own[part] = limitsOf(known, shares);
    }
    limits[slice] = own;
  }
  return { ...progress, extremes: {}, limits };
}

const noLimits = { lower: null, upper: null };

function largestOf(own: readonly UnitReading[], part: 'y' | 'd', isWinsorized: boolean) {
  if (!isWinsorized) return null;
  return own.reduce<number | null>(
    (largest, reading) => largerOf(largest, reading[part] || null),
    null,
  );
}

function cellOfValues(
  values: readonly Value[],
  limits: TaskProgress['limits'],
  plan: MetricPlan,
): Cell | [] {
  const [first] = values;
  if (!first) return [];
  const { dimension, slice, group } = first;
  const own = limits[keyOfSlice(first)] ?? limits[keyOfSlice(allUnits)] ?? {};
  const winsorized = winsorizations(plan);
  const within = (reading: UnitReading, part: MomentPart) => {
    const value = reading[part];
    return value === undefined ? {} : { [part]: clamped(value, own[part] ?? noLimits) };
  };
  const readings = values.map(
    ({ reading }): UnitReading => ({
      ...reading,
      ...within(reading, 'y'),
      ...within(reading, 'd'),
      ...within(reading, 'x'),
      ...within(reading, 'm'),
    }),
  );
  const seconds = readings.flatMap(({ seconds: y }) => (y === undefined ? [] : [{ y }]));
  const measuresTime = plan.type === 'funnel' && plan.measuresTime;
  return {
    ...{ dimension, slice, group },
    moments: momentsOf(readings),
    largest: {
      y: largestOf(readings, 'y', winsorized.y !== undefined),
      d: largestOf(readings, 'd', winsorized.d !== undefined),
    },
    skipped: sumOf(readings.map(({ skipped }) => skipped)),
    total: sumOf(readings.map(({ y }) => y)),
    ...(plan.type === 'funnel' && {
      steps: plan.steps.map((_, step) => sumOf(readings.map(({ steps }) => steps?.[step] ?? 0))),
    }),
    ...(measuresTime && { seconds: seconds.length > 0 ? momentsOf(seconds) : noMoments }),
  };
}

export function withMoments(
  progress: TaskProgress,
  plan: MetricPlan,
  values: readonly Value[],
): TaskProgress {
  const groups = Map.groupBy(values, keyOfCell);
  const cells = [...groups.values()].flatMap((own) => cellOfValues(own, progress.limits, plan));
  return { ...progress, cells: mergeAll(progress.cells, cells) };
}
